// SPDX-License-Identifier: Apache-2.0
// What the searches of this study share: sizes, the program's condition, and one whole SAD. A place (px, py) in the
// search area stands for the displacement dy = px - REACH, dx = py - REACH: as in the paper, x counts rows.
#if !defined(CONDITION) || !defined(BLOCK) || !defined(REACH)
#error \
    "motion-cuda needs BLOCK and REACH (px), and CONDITION (0: every candidate may be used, 1: others leave a sentinel)"
#endif

#define SPAN (2 * REACH)     // candidates in a row or column
#define AREA (SPAN + BLOCK)  // px, of the search area's side
#define SENTINEL 9999999     // what no SAD is

// Where the block lies, and how large the frame is.
#define PLACE int x, int y, int width, int height

// The condition as the program has it: the index is that of the search area, shifted by REACH.
static inline bool is_valid(int px, int py, PLACE) { return y + px < height && x + py < width; }

// Whether a place is of a candidate at all.
static inline bool is_reached(int px, int py) { return px >= 0 && px <= SPAN && py >= 0 && py <= SPAN; }

static inline int distance(uchar a, uchar b) {
  const int difference = (int)a - (int)b;
  return difference < 0 ? -difference : difference;
}

// All differences by one work-item.
static inline int whole_sad(__global const uchar* restrict block, __global const uchar* restrict area, int px, int py) {
  int sad = 0;
  for (int i = 0; i < BLOCK; ++i)
    for (int j = 0; j < BLOCK; ++j) sad += distance(block[i * BLOCK + j], area[(px + i) * AREA + py + j]);
  return sad;
}

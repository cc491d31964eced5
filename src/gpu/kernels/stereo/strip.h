// SPDX-License-Identifier: Apache-2.0
// What the kernels for NVIDIA's warps share: a group takes a strip of columns and marches down ROWS rows, CHUNK at a time. A
// warp has all columns, OWN to a work-item, and CANDIDATES / WARPS candidates; the warps of a group split the
// candidates. Rows of both pictures pass through a ring in local memory; the best keys of CHUNK rows meet there.
//
// Only for rules under which all candidates of a pixel that are counted sum equally many taps.
#include "definitions/stereo/confidence.h"
#include "definitions/stereo/parabola.h"
#include "definitions/stereo/uniqueness.h"
#include "definitions/stereo/vfit.h"
#include "packed.h"
#if !defined(RX) || !defined(RY) || !defined(COUNT) || !defined(DMIN) || !defined(OUTSIDE) || !defined(TIE_HIGHEST)
#error "strip needs RX, RY, COUNT, DMIN, OUTSIDE and TIE_HIGHEST"
#endif
#if !defined(WHOLE_WINDOWS) || !defined(MATCHES_LEFT) || !defined(OF_WARP) || !defined(WARPS) || !defined(ROWS)
#error "strip needs WHOLE_WINDOWS, MATCHES_LEFT, OF_WARP (candidates of a warp: 8 or 16), WARPS and ROWS"
#endif
#if !defined(MAP) || !defined(INVALID) || !defined(NO_WINNER) || !defined(WANT_WINNER) || !defined(WANT_DISPARITY)
#error "strip needs MAP, INVALID, NO_WINNER, WANT_WINNER and WANT_DISPARITY"
#endif
#if !defined(OWN)
#error "strip needs OWN (columns of a work-item: 4 or 8)"
#endif
#if !defined(CHUNK) || !defined(ORDER_BITS) || !defined(FULL) || !defined(RATIO) || !defined(TEXTURE) || !defined(SUBPIXEL)
#error "strip needs CHUNK, ORDER_BITS, FULL, RATIO, TEXTURE and SUBPIXEL"
#endif
#if !defined(CONFIDENCE) || !defined(COSTS) || !defined(COST) || !defined(SMALL_COSTS)
#error "strip needs CONFIDENCE, COSTS, COST (0 SAD, 1 SSD) and SMALL_COSTS (SAD, below 2^16)"
#endif

#define COLUMNS (32 * OWN)            // of a strip
#define CANDIDATES (OF_WARP * WARPS)  // COUNT, rounded up
#if OUTSIDE == 0 || COUNT != CANDIDATES
#define MAY_HAVE_NONE 1  // a warp's pixel may have no candidate at all
#else
#define MAY_HAVE_NONE 0
#endif
#define THREADS (32 * WARPS)
// Windows end at their last column, so that a warp looks back only. Column c of a strip ends the window around pixel
// left + c - RX; the first LEAD columns only feed windows.
#define BEGIN ((RX + 3) / 4 * 4)
#define LEAD (BEGIN + RX)
#define STEP ((COLUMNS - LEAD) / 4 * 4)          // pixels of a strip
#define RING (2 * RY + 2 * CHUNK + 1)            // rows in local memory: those of a chunk's windows, one that leaves, the next
#define QUADS ((2 * COLUMNS + CANDIDATES) / 4)   // four pixels each: of the reference's row, then of the other picture's
#define QUADS_OF_LANE ((QUADS + 31) / 32)
#define MY_QUADS (COLUMNS / 128)                 // of these, the reference's
#define ROWS_OF_WARP ((CHUNK + WARPS - 1) / WARPS)  // that it loads for a chunk
#define KEY_STRIDE 33                 // keeps the lanes' keys in different banks, whichever way they are read
#define KEYS (CHUNK * OWN * KEY_STRIDE)
#define NO_KEY 0x7FFFFFFF
#define KEY_PLACE(row, c, lane) (((row) * OWN + (c)) * KEY_STRIDE + (lane))

// Column x of the working orientation, in which the reference is always the left picture.
#define PICTURE_COLUMN(x) (MATCHES_LEFT ? (x) : width - 1 - (x))

// Which rows and columns of the pictures pass through a strip.
typedef struct {
  int left, other_left;  // column 0 of either row in local memory
  int top;               // the first row of output
  int width, height;
} Strip;

static inline Strip strip_of(int width, int height) {
  Strip s;
  s.left = (int)get_group_id(0) * STEP - BEGIN;
  // Column c meets candidate k at place c - k + CANDIDATES of the other picture's row.
  s.other_left = s.left - DMIN - CANDIDATES;
  s.top = (int)get_group_id(1) * ROWS;
  s.width = width;
  s.height = height;
  return s;
}

// A row, and the aligned words that hold its pixels from column x on, which may begin at any byte. Where the orientation is
// mirrored, words go backwards.
typedef struct {
  __global const uchar* row;
  __global const uint* words;
  uint shift;
} RowSource;

static inline RowSource source_of(__global const uchar* restrict row, int x, int width) {
  RowSource source;
  const size_t at = (size_t)row + (size_t)(int64)(MATCHES_LEFT ? x : width - 4 - x);
  source.row = row;
  source.shift = (uint)(at & 3u) * 8u;
  source.words = (__global const uint*)(at - (at & 3u));
  return source;
}
// Pixels x + 4 i to x + 4 i + 3, the leftmost one in the lowest byte, where x is the source's. Outside the picture: 0, or the
// edge column.
static inline uint four_pixels(RowSource source, int x, int i, int width, bool other) {
  const int first = x + 4 * i;
  uint four = 0;
  if (first >= 0 && first + 3 < width) {
    __global const uint* words = source.words + (MATCHES_LEFT ? i : -i);
    four = words[0];
    if (source.shift != 0) four = four >> source.shift | words[1] << (32u - source.shift);
    return MATCHES_LEFT ? four : pick_bytes(four, 0, 0x0123u);
  }
  for (int j = 0; j < 4; ++j) {
    int column = first + j;
    if (other && OUTSIDE == 2) column = clamp(column, 0, width - 1);
    if (column >= 0 && column < width) four |= (uint)source.row[PICTURE_COLUMN(column)] << (8 * j);
  }
  return four;
}

// What a lane loads of row `row` in the ring's numbering, in which row 0 is top - RY: every 32nd quad.
static inline void load_quads(uint* quads, Strip s, __global const uchar* restrict mine, __global const uchar* restrict theirs,
                              int row, int lane) {
  const int y = s.top - RY + row;
  const bool inside = y >= 0 && y < s.height;
  const int64 offset = (int64)(inside ? y : 0) * s.width;
  const RowSource my_row = source_of(mine + offset, s.left, s.width);
  const RowSource their_row = source_of(theirs + offset, s.other_left, s.width);
  UNROLL for (int j = 0; j < QUADS_OF_LANE; ++j) {
    quads[j] = 0;
    if (j < MY_QUADS) {
      if (inside) quads[j] = four_pixels(my_row, s.left, lane + 32 * j, s.width, false);
    } else if (inside && lane + 32 * j < QUADS) {
      quads[j] = four_pixels(their_row, s.other_left, lane + 32 * (j - MY_QUADS), s.width, true);
    }
  }
}

// Whether the column that pixel x meets for candidate k, counted from DMIN, serves as a partner.
static inline bool is_partner(int k, int x, int width) {
  const int p = x - DMIN - k;
  const int low = WHOLE_WINDOWS ? RX : min(RX, x), high = width - 1 - (WHOLE_WINDOWS ? RX : min(RX, width - 1 - x));
  return OUTSIDE != 0 || (p >= low && p <= high);
}
static inline bool is_candidate(int k, int x, int width) { return k >= 0 && k < COUNT && is_partner(k, x, width); }

// Bit 1: candidate k of pixel x is none; bit 0: neither is k + 1. Without `edge` all columns serve.
static inline uint excluded(int k, int x, bool edge, int width) {
  uint none = 0;
  if (k >= COUNT || (edge && !is_partner(k, x, width))) none |= 2u;
  if (k + 1 >= COUNT || (edge && !is_partner(k + 1, x, width))) none |= 1u;
  return none;
}

// Whether some candidate of some pixel of the strip lies outside the other picture.
static inline bool at_edge(Strip s) {
  const int first = s.left + LEAD - RX;
  return OUTSIDE == 0 && (first - DMIN - CANDIDATES < RX || first + STEP - DMIN >= s.width - RX);
}

// The candidate of a key of the group, counted from DMIN.
static inline int candidate_of(int key) {
  const int order = key & ((1 << ORDER_BITS) - 1);
  return TIE_HIGHEST ? CANDIDATES - 1 - order : order;
}

// What the warps of a group found out about a pixel.
typedef struct {
  int best;             // cost and order of the candidate; NO_KEY: there is none
  int rival;            // cost of the best candidate more than 1 px away, or NO_KEY
  uint before, after;   // costs of the neighbours, where there are any
} Found;

static inline void emit(Found found, int x, int y, int base, __global MAP* restrict disparity, __global int* restrict winner,
                        __global const uchar* restrict textureless, __global uchar* restrict confidences,
                        __global uint* restrict costs, int width, int height, int roi_x, int roi_y, int roi_w, int roi_h) {
  const bool whole = !WHOLE_WINDOWS || (x >= RX && x < width - RX && y >= RY && y < height - RY);
  const bool valid = found.best != NO_KEY && whole;
  const int k = candidate_of(found.best), d = DMIN + k;
  const int px = PICTURE_COLUMN(x);
  const int64 at = (int64)y * width + px;
  const bool in_roi = px >= roi_x && px < roi_x + roi_w && y >= roi_y && y < roi_y + roi_h;
  if (WANT_WINNER) winner[at] = valid && (in_roi || !WANT_DISPARITY) ? d : NO_WINNER;
  bool keep = valid && in_roi;
  if (TEXTURE && textureless[at] != 0) keep = false;
  int value = 16 * d;
#if FULL
  const uint cost = (uint)((found.best >> ORDER_BITS) + base), rival = (uint)(found.rival + base);
  const uint before = found.before + (uint)base, after = found.after + (uint)base;
  const bool has_rival = found.rival != NO_KEY;
  const bool pair = valid && is_candidate(k - 1, x, width) && is_candidate(k + 1, x, width);
#if SMALL_COSTS
  if (RATIO > 0 && has_rival && 100u * rival <= (100u + RATIO) * cost) keep = false;  // is_ambiguous in 32 bits
  if (SUBPIXEL && pair) value = vfit_small(d, (int)before, (int)cost, (int)after);
#else
  if (RATIO > 0 && has_rival && is_ambiguous(cost, 1, rival, 1, RATIO)) keep = false;
  if (SUBPIXEL && pair) value = (int)(COST == 0 ? vfit(d, before, cost, after) : parabola(d, before, cost, after));
#endif
  if (CONFIDENCE) confidences[at] = (uchar)(!keep ? 0 : has_rival ? confidence(cost, 1, rival, 1) : 255);
  if (COSTS) {
    const int64 plane = (int64)width * height;
    costs[at] = valid && in_roi ? cost : 0xFFFFFFFFu;
    costs[at + plane] = valid && in_roi && has_rival ? rival : 0xFFFFFFFFu;
    costs[at + 2 * plane] = pair && in_roi ? before : 0xFFFFFFFFu;
    costs[at + 3 * plane] = pair && in_roi ? after : 0xFFFFFFFFu;
  }
#endif
  if (WANT_DISPARITY) disparity[at] = keep ? (MAP)value : (MAP)(INVALID);
}

// Sums over windows of columns, sliding along a work-item's own columns from its first one. NEIGHBOUR(j) is column j,
// counted from the first own one, of this warp's strip; columns below 0 lie with lanes below.
#define LANES_BACK(j) ((-(j) + OWN - 1) / OWN)
#define COLUMN(sums, j, k) ((j) >= 0 ? sums[(j) & (OWN - 1)][k] : from_lane_below(sums[(j) & (OWN - 1)][k], LANES_BACK(j)))
#define WHOLE_LANES (2 * RX / OWN)  // lanes below whose columns all belong to the first own column's window
#define PART_LANE (2 * RX % OWN)    // columns of the lane below those

// Words in a row that begins at a multiple of 4 * OWN / 2 bytes.
static inline void load_words(uint* to, LOCAL_POINTER const uint* from, int count) {
  UNROLL for (int i = 0; i < count; i += 4) {
    if (OWN % 8 == 0 && i + 4 <= count) {
      const uint4 four = *(LOCAL_POINTER const uint4*)(from + i);
      to[i] = four.x, to[i + 1] = four.y, to[i + 2] = four.z, to[i + 3] = four.w;
    } else {
      UNROLL for (int j = i; j < i + 4 && j < count; j += 2) {
        const uint2 two = *(LOCAL_POINTER const uint2*)(from + j);
        to[j] = two.x, to[j + 1] = two.y;
      }
    }
  }
}

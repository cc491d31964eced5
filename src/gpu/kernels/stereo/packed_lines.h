// SPDX-License-Identifier: Apache-2.0
// The lines that a group of packed_paths.cl walks together: LINES neighbours of one path. Lines of rows take a row
// each. All others take a pixel of each row, and their columns are counted modulo more than the picture's width: where
// a line leaves the picture at a side it enters it at the other one as a new path, and those pixels of a group that lie
// in the picture are always neighbours.
//
//   LINES  of a group, from 1 to 8
//   PARTED, WARM  see packed_seams.h
#include "gpu/shared/stereo/paths.h"
#include "stereo/candidates.h"
#if !defined(LINES) || !defined(PARTED) || !defined(WARM)
#error "packed_lines needs LINES, PARTED and WARM"
#endif

typedef struct {
  int path;
  bool along_row;
  int dx, dy;  // from pixel to pixel
  int steps;
  int columns;  // after which columns begin again
  int first;    // row or column of the first line
  int others;   // so many lines at first are another group's, too: the last rows' group is as full as all
  // Of so many parts of so many steps, this one, with its steps; before these it takes some that do not count.
  int part, parts, length, from, begin, end;
} Lines;

static ALWAYS_INLINE Lines lines_of(int group, PathsArguments a) {
  Lines lines;
  const int row_groups = PACKED_ROW_GROUPS(a.height, LINES), column_groups = PACKED_COLUMN_GROUPS(a.width, LINES);
  const int of_rows = 2 * row_groups * (PARTED ? PACKED_PARTS(a.width, a.row_steps) : 1);
  lines.along_row = group < of_rows;
  const int number = lines.along_row ? group : group - of_rows;
  lines.steps = lines.along_row ? a.width : a.height;
  lines.length = !PARTED ? lines.steps : lines.along_row ? a.row_steps : a.column_steps;
  lines.parts = PARTED ? PACKED_PARTS(lines.steps, lines.length) : 1;
  lines.part = number % lines.parts;
  lines.begin = lines.part * lines.length;
  lines.end = min(lines.begin + lines.length, lines.steps);
  lines.from = max(lines.begin - WARM, 0);
  const int unit = number / lines.parts;
  lines.path = lines.along_row ? unit / row_groups : 2 + unit / column_groups;
  const int wanted = (lines.along_row ? unit % row_groups : unit % column_groups) * LINES;
  lines.first = lines.along_row ? max(min(wanted, a.height - LINES), 0) : wanted;
  lines.others = wanted - lines.first;
  lines.columns = column_groups * LINES;
  // Left, right, above, below, then the diagonals; of these, 5 paths have those from above.
  const int direction = a.paths == 5 && lines.path > 2 ? lines.path + 1 : lines.path;
  const int sign = (direction & 1) == 0 ? 1 : -1;
  lines.dx = direction == 2 || direction == 3 ? 0 : sign;
  lines.dy = lines.along_row ? 0 : direction < 4 ? sign : direction < 6 ? 1 : -1;
  return lines;
}

// Where the lines are at a step.
typedef struct {
  int x, y;  // of the first line: the other ones are in the next rows, or in the next columns
  int64 at;  // the line's pixel, counted in raster order; anything where it lies outside the picture
} Spot;

// Columns from `width` - `columns` on, left of the picture, stand for those right of it.
static ALWAYS_INLINE int column_around(int x, int width, int columns) {
  if (x >= width) x -= columns;
  return x < width - columns ? x + columns : x;
}
static ALWAYS_INLINE Spot spot_of_step(Lines lines, int line, int step, int width, int height) {
  Spot spot;
  spot.x = lines.along_row ? (lines.dx > 0 ? step : width - 1 - step) : lines.first + lines.dx * (step % lines.columns);
  if (!lines.along_row) spot.x = column_around(column_around(spot.x, width, lines.columns), width, lines.columns);
  spot.y = (lines.along_row ? lines.first : lines.dy > 0 ? 0 : height - 1) + lines.dy * step;
  spot.at = (int64)spot.y * width + spot.x + (lines.along_row ? (int64)line * width : line);
  return spot;
}
// At most `columns` steps further on.
static ALWAYS_INLINE Spot spot_after(Lines lines, Spot spot, int steps, int width) {
  const int x = spot.x + lines.dx * steps, around = lines.along_row ? x : column_around(x, width, lines.columns);
  Spot next;
  next.x = around, next.y = spot.y + lines.dy * steps;
  next.at = spot.at + ((int64)lines.dy * steps * width + lines.dx * steps + around - x);
  return next;
}
static ALWAYS_INLINE Spot next_spot(Lines lines, Spot spot, int width) { return spot_after(lines, spot, 1, width); }
// Whether the line's pixel lies in the picture, and is this group's.
static ALWAYS_INLINE bool is_inside(Lines lines, Spot spot, int line, int width, int height) {
  if (lines.along_row) return line >= lines.others && spot.y + line < height && spot.x >= 0 && spot.x < width;
  return spot.x + line >= 0 && spot.x + line < width && spot.y >= 0 && spot.y < height;
}

// Where spots lie whose pixels, and those before them, are in the picture and have all candidates.
static ALWAYS_INLINE Candidates plain_spots(Lines lines, int width) {
  int from = 0, to = width - 1;
  if (OUTSIDE == OUTSIDE_SKIP) from = max(from, DMIN + COUNT - 1), to = min(to, width - 1 + DMIN);
  Candidates columns = {from, to};
  if (!MATCHES_LEFT) columns.first = width - 1 - to, columns.last = width - 1 - from;
  columns.first += 1, columns.last -= lines.along_row ? 1 : LINES;
  return columns;
}

// SPDX-License-Identifier: Apache-2.0
// The lines that a group of packed_paths.cl walks together: LINES neighbours of one path. Lines of rows take a row
// each. All others take a pixel of each row, and their columns are counted modulo more than the picture's width: where
// a line leaves the picture at a side it enters it at the other one as a new path, and those pixels of a group that lie
// in the picture are always neighbours.
//
//   LINES  of a group, from 1 to 8
#include "gpu/shared/stereo/paths.h"
#include "stereo/candidates.h"
#ifndef LINES
#error "packed_lines needs LINES"
#endif

typedef struct {
  int path;
  bool along_row;
  int dx, dy;  // from pixel to pixel
  int steps;
  int columns;  // after which columns begin again
  int first;    // row or column of the first line
} Lines;

static ALWAYS_INLINE Lines lines_of(int group, PathsArguments a) {
  Lines lines;
  const int row_groups = PACKED_ROW_GROUPS(a.height, LINES), column_groups = PACKED_COLUMN_GROUPS(a.width, LINES);
  const int of_column = max(group - 2 * row_groups, 0);
  lines.along_row = group < 2 * row_groups;
  lines.path = lines.along_row ? group / row_groups : 2 + of_column / column_groups;
  lines.first = (lines.along_row ? group % row_groups : of_column % column_groups) * LINES;
  lines.columns = column_groups * LINES;
  lines.steps = lines.along_row ? a.width : a.height;
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
static ALWAYS_INLINE Spot first_spot(Lines lines, int line, int width, int height) {
  Spot spot;
  spot.x = !lines.along_row ? column_around(lines.first, width, lines.columns) : lines.dx > 0 ? 0 : width - 1;
  spot.y = lines.along_row ? lines.first : lines.dy > 0 ? 0 : height - 1;
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
static ALWAYS_INLINE bool is_inside(Lines lines, Spot spot, int line, int width, int height) {
  if (lines.along_row) return spot.y + line < height && spot.x >= 0 && spot.x < width;
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

// SPDX-License-Identifier: Apache-2.0
// Window costs for semi-global matching, for windows of more than one pixel. A work-item has a place of a column,
// and slides its window down some rows. Taps beyond the pictures are taken from their edges.
//
//   GROUP_K, GROUP_X  candidates and columns of a group
//   ROWS              of a work-item, from 1 on
#include "definitions/stereo/candidate.h"
#include "stereo/paths.h"
#if !defined(GROUP_K) || !defined(GROUP_X) || !defined(ROWS)
#error "path_costs needs GROUP_K, GROUP_X and ROWS"
#endif

// The taps of one row of the window around column x.
static ALWAYS_INLINE uint row_cost(__global const WORD* restrict mine, __global const WORD* restrict theirs, int x,
                                   int row, int d, PathsArguments a) {
  const int64 at = (int64)clamp(row, 0, a.height - 1) * a.width;
  uint sum = 0;
  for (int column = x - RX; column <= x + RX; ++column)
    sum += tap(mine[at + clamp(column, 0, a.width - 1)],
               other_word(theirs + at, partner_column(column, d, MATCHES_LEFT), a.width));
  return sum;
}

__kernel WORK_GROUP(GROUP_K, GROUP_X) void path_costs(__global const WORD* restrict mine,
                                                      __global const WORD* restrict theirs,
                                                      __global VALUE* restrict volumes,
                                                      const PathsArguments arguments) {
  const int width = arguments.width, height = arguments.height;
  const int place = (int)get_global_id(0), x = (int)get_global_id(1), k = CANDIDATE_AT(place);
  if (place >= PLACES || x >= width) return;
  __global VALUE* const costs = volumes + (int64)arguments.paths * width * height * PLACES;
  const int top = (int)get_group_id(2) * ROWS, bottom = min(top + ROWS, height);
  uint sum = 0;
  for (int y = top - RY; y < top + RY; ++y) sum += row_cost(mine, theirs, x, y, DMIN + k, arguments);
  for (int y = top; y < bottom; ++y) {
    sum += row_cost(mine, theirs, x, y + RY, DMIN + k, arguments);
    costs[((int64)y * width + x) * PLACES + place] = (VALUE)sum;
    sum -= row_cost(mine, theirs, x, y - RY, DMIN + k, arguments);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Costs along the paths of semi-global matching, all paths in one launch. A team of work-items walks along a line of
// one direction, and writes the costs of all candidates at the end of the path that leads to each pixel. Lines of rows
// take a row each. All others take a pixel of each row; where they leave the picture at a side they enter it at the
// other one as new paths, so all have as many pixels.
//
//   GIVEN        1: window costs lie in the volume after those of the paths, 0: windows have one pixel
//   PIXEL        type of the pictures' pixels: uchar or ushort
//   SOURCES      see sources.h
//   LEVEL_BYTES  2: no cost with a penalty reaches 2^15, 4: none reaches 2^31
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/sgm.h"
#include "stereo/paths.h"
#include "stereo/sources.h"
#if !defined(GIVEN) || !defined(PIXEL) || !defined(LEVEL_BYTES)
#error "paths needs GIVEN, PIXEL and LEVEL_BYTES"
#endif

// Stands for what is no candidate: more than any cost, and a penalty can be added.
#define NO_LEVEL (1u << (8 * LEVEL_BYTES - 1))

// A walk through the picture, and the volume that it writes.
typedef struct {
  int path;
  int x, y;    // the first pixel
  int dx, dy;  // from pixel to pixel
  int steps;
  bool counts;  // else there is no such line, and nothing is written
} Line;

static ALWAYS_INLINE Line line_of(int group, int team, PathsArguments a) {
  Line line;
  const int row_groups = (a.height + TEAMS - 1) / TEAMS, column_groups = (a.width + TEAMS - 1) / TEAMS;
  const bool along_row = group < 2 * row_groups;
  const int of_column = max(group - 2 * row_groups, 0);
  line.path = along_row ? group / row_groups : 2 + of_column / column_groups;
  const int number = (along_row ? group % row_groups : of_column % column_groups) * TEAMS + team;
  const int lines = along_row ? a.height : a.width;
  line.counts = number < lines;
  line.steps = along_row ? a.width : a.height;
  const int first = min(number, lines - 1);
  // Left, right, above, below, then the diagonals; of these, 5 paths have those from above.
  const int direction = a.paths == 5 && line.path > 2 ? line.path + 1 : line.path;
  const int sign = (direction & 1) == 0 ? 1 : -1;
  line.dx = direction == 2 || direction == 3 ? 0 : sign;
  line.dy = along_row ? 0 : direction < 4 ? sign : direction < 6 ? 1 : -1;
  line.x = !along_row ? first : line.dx > 0 ? 0 : a.width - 1;
  line.y = along_row ? first : line.dy > 0 ? 0 : a.height - 1;
  return line;
}

// What the walk reads.
typedef struct {
  __global const WORD* restrict mine;
  __global const WORD* restrict theirs;
  __global const PIXEL* restrict guide;  // the reference picture before the prefilter
  __global const VALUE* costs;           // where GIVEN
  __global const uchar* restrict own_mask;
  __global const uchar* restrict other_mask;
  int width, height;
} Pictures;

// Window costs of the lane's candidates of a pixel.
static ALWAYS_INLINE void costs_of(LEVEL* cost, Pictures p, int x, int y, int lane) {
#if GIVEN
  load_own(cost, p.costs + ((int64)y * p.width + x) * PLACES, lane);
#else
  __global const WORD* restrict row = p.theirs + (int64)y * p.width;
  const WORD mine = p.mine[(int64)y * p.width + x];
  const int first = partner_column(x, DMIN + lane * OWN, MATCHES_LEFT), sign = MATCHES_LEFT ? -1 : 1;
#if LANES == 1
  const int last = first + sign * (OWN - 1);
  if (min(first, last) >= 0 && max(first, last) < p.width) {
    for (int i = 0; i < OWN; ++i) cost[i] = (LEVEL)tap(mine, row[first + sign * i]);
    return;
  }
#endif
  EACH_OWN for (int i = 0; i < OWN; ++i) cost[i] = (LEVEL)tap(mine, other_word(row, first + sign * i, p.width));
#endif
}

// One step of the recursion for the lane's candidates, as path_cost() of definitions/stereo/sgm.h in fewer bits. The
// numbers of the pixel before give way to those of this one; gives their least.
static ALWAYS_INLINE LEVEL step_levels(LEVEL* level, const LEVEL* cost, Around before, Pictures p, int x, int y,
                                       int lane, uint p1, uint p2) {
  const Sources sources = sources_of_pixel(p.own_mask, p.other_mask, x, y, p.width);
  Candidates c = candidates_of(WORKING_COLUMN(x, p.width), p.width);
  if (SOURCES && sources.own[x] == 0) c.last = c.first - 1;
  LEVEL old[OWN + 2];
  old[0] = (LEVEL)before.below, old[OWN + 1] = (LEVEL)before.above;
  EACH_OWN for (int i = 0; i < OWN; ++i) old[i + 1] = level[i];
  const LEVEL jump = (LEVEL)(before.least + p2), shift = (LEVEL)before.least, change = (LEVEL)p1;
  LEVEL least = NO_LEVEL;
  EACH_OWN for (int i = 0; i < OWN; ++i) {
    const LEVEL same = old[i + 1], near = (LEVEL)(min(old[i], old[i + 2]) + change);
    const LEVEL next = same == NO_LEVEL ? cost[i] : (LEVEL)(cost[i] + (min(min(same, near), jump) - shift));
    const int k = lane * OWN + i;
    const bool counts = k >= c.first && k <= c.last && partner_shows(sources, x, k, p.width);
    level[i] = counts ? next : (LEVEL)NO_LEVEL;
    least = min(least, level[i]);
  }
  return least;
}

static ALWAYS_INLINE uint penalty_at(Pictures p, int x, int y, int before_x, int before_y, PathsArguments a) {
  if (a.p2_slope == 0) return (uint)a.p2;
  const int here = p.guide[(int64)y * p.width + x], before = p.guide[(int64)before_y * p.width + before_x];
  return (uint)penalty_at_edge(a.p1, a.p2, max(here, before) - min(here, before), a.p2_slope);
}

static ALWAYS_INLINE void walk(Line line, Team team, Pictures p, __global VALUE* volume, PathsArguments a) {
  LEVEL level[OWN], cost[OWN];
  Around around = {NO_LEVEL, NO_LEVEL, NO_LEVEL};
  uint p2 = (uint)a.p2;
  int x = line.x, y = line.y;
  EACH_OWN for (int i = 0; i < OWN; ++i) level[i] = NO_LEVEL;
  costs_of(cost, p, x, y, team.lane);
  for (int step = 0; step < line.steps; ++step) {
    // The next pixel is read before it is needed.
    const bool last = step + 1 == line.steps;
    int next_x = x + (last ? 0 : line.dx);
    const int next_y = y + (last ? 0 : line.dy);
    const bool leaves = next_x < 0 || next_x >= p.width;
    if (leaves) next_x = next_x < 0 ? p.width - 1 : 0;
    LEVEL next_cost[OWN];
    costs_of(next_cost, p, next_x, next_y, team.lane);
    const uint next_p2 = penalty_at(p, next_x, next_y, x, y, a);
    const LEVEL least = step_levels(level, cost, around, p, x, y, team.lane, (uint)a.p1, p2);
    if (line.counts) store_own(level, volume + ((int64)y * p.width + x) * PLACES, team.lane);
    around = team_around(team, least, level[0], level[OWN - 1], NO_LEVEL);
    if (leaves) {  // a new path: no candidate has one before it
      around.least = around.below = around.above = NO_LEVEL;
      EACH_OWN for (int i = 0; i < OWN; ++i) level[i] = NO_LEVEL;
    }
    EACH_OWN for (int i = 0; i < OWN; ++i) cost[i] = next_cost[i];
    x = next_x, y = next_y, p2 = next_p2;
  }
}

__kernel WORK_GROUP(GROUP, 1) void paths(__global const WORD* restrict mine, __global const WORD* restrict theirs,
                                         __global const PIXEL* restrict guide, __global VALUE* volumes,
                                         __global const uchar* restrict own_mask,
                                         __global const uchar* restrict other_mask, const PathsArguments arguments) {
  const int thread = (int)get_local_id(0);
  USE_TEAM(team, thread);
  const int64 volume = (int64)arguments.width * arguments.height * PLACES;
  const Pictures pictures = {mine,     theirs,     guide,           volumes + arguments.paths * volume,
                             own_mask, other_mask, arguments.width, arguments.height};
  const Line line = line_of((int)get_group_id(0), thread / LANES, arguments);
  walk(line, team, pictures, volumes + line.path * volume, arguments);
}

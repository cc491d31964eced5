// SPDX-License-Identifier: Apache-2.0
// Costs along the paths of semi-global matching, as paths.cl, with two 16-bit numbers in a word. A group walks LINES
// neighbouring lines of a path; a team of LANES work-items has a line's candidates. Census costs of single pixels are
// counted for some steps at once, into local memory; all others are given.
//
//   GIVEN   1: window costs lie in the volume after those of the paths, 0: words are census words, windows one pixel
//   PIXEL   type of the pictures' pixels: uchar or ushort
//   SOURCES see sources.h; 0 where GIVEN
//   SLOPED  1: p2 depends on the picture
//   PARTED, WARM, STRIPS_AHEAD  see packed_seams.h, packed_strips.h
//   LINES   of a group: 8 or 4; 8 * LINES pixels have costs in local memory at once
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/sgm.h"
#include "stereo/paths.h"
#if !defined(GIVEN) || !defined(PIXEL) || !defined(SLOPED) || !defined(PARTED) || !defined(WARM) || TEAMS != LINES || \
    VALUE_BYTES > 2
#error "packed_paths needs GIVEN, PIXEL, SLOPED, PARTED, WARM, LINES teams, and volumes of one or two bytes"
#endif
#if !PAIRED
#error "packed_paths needs paired volumes"
#endif
#include "stereo/packed_costs.h"
#include "stereo/packed_lines.h"
#include "stereo/packed_seams.h"
#include "stereo/packed_step.h"
#include "stereo/packed_strips.h"
#include "stereo/packed_tile.h"
#include "stereo/packed_words.h"
#include "stereo/sources.h"
#if GIVEN && SOURCES
#error "packed_paths knows of absent candidates by its own costs alone"
#endif

#define RAGGED (LANES * OWN != COUNT)
#define BATCH 4                    // steps whose input is read together
#define BLOCK (LINES < 8 ? 4 : 8)  // steps that are taken together
// Teams wait at barriers in each step, where they have no shuffles. PoCL takes values for the same in all work-items
// that are not, where LLVM unrolls a loop around barriers late (the prelude says why).
#ifdef VERGENCE_NVIDIA
#define UNROLL_STEPS UNROLL
// Where a step makes what it stores whether or not it stores it, no branch parts it from the next one, and the compiler
// mixes them. That takes longer where many registers hold strips.
#define MIXES_STEPS (OWN == 8 || OWN == 16 && STRIPS_AHEAD == 1)
#else
#define MIXES_STEPS 0
#define UNROLL_STEPS NO_UNROLL
#endif

static ALWAYS_INLINE uint penalty_between(uint grey, uint before, PathsArguments a) {
  if (!SLOPED) return (uint)a.p2;
  return (uint)penalty_at_edge(a.p1, a.p2, max(grey, before) - min(grey, before), a.p2_slope);
}

// What a lane keeps from pixel to pixel.
typedef struct {
  uint level[PAIRS];
  Around around;  // the least level in both halves; beside the lane's words what these cost after a change
  uint grey;      // of the pixel before
} Walker;

// In both halves.
static ALWAYS_INLINE uint next_penalty(Walker* w, uint grey, PathsArguments a) {
  const uint p2 = penalty_between(grey, w->grey, a);
  w->grey = grey;
  return BOTH_HALVES(p2);
}

// Some steps, wherever they lie.
static ALWAYS_INLINE void walk_edge(Walker* w, Lines lines, Team team, int line, Spot spot, int steps, Costs costs,
                                    Pictures p, PathsArguments a, bool stores) {
  const Candidates none = {0, -1};
  NO_UNROLL for (int step = 0; step < steps; ++step) {
    const bool inside = is_inside(lines, spot, line, p.width, p.height);
    const Ahead ahead = read_ahead(p, spot.at, inside, team.lane);
    uint cost[PAIRS], absent[PAIRS];
    costs_of_step(cost, costs, ahead, step);
    const int x = lines.along_row ? spot.x : spot.x + line;
    find_absent(absent, inside ? candidates_of(WORKING_COLUMN(x, p.width), p.width) : none, team.lane);
    const uint p2 = next_penalty(w, ahead.grey, a);
    step_at_edge(w->level, &w->around, cost, absent, team, BOTH_HALVES((uint)a.p1), p2);
    if (stores && inside && HAS_PLACE(team.lane, 0))
      store_pairs(w->level, false, p.volume + spot.at * PLACES, team.lane);
    spot = next_spot(lines, spot, p.width);
  }
}

// How some steps are walked: all candidates have one before them; so have all candidates that a pixel of a column has;
// paths may start, and the tile says which candidates pixels lack.
#define PLAIN 0
#define LACKING 1
#define STARTING 2
// Some multiple of BLOCK steps where all pixels that count lie in the picture.
static ALWAYS_INLINE void walk_inside(Walker* w, Lines lines, Team team, int line, Spot spot, int steps, Costs costs,
                                      Pictures p, PathsArguments a, int manner, bool writes) {
  const Candidates all = {0, COUNT - 1};
  const int stride = lines.dy * p.width + lines.dx;
  const bool counts = is_inside(lines, spot, line, p.width, p.height),
             stores = writes && counts && HAS_PLACE(team.lane, 0);
  const uint p1 = BOTH_HALVES((uint)a.p1);
  uint absent[PAIRS];
  UNROLL for (int i = 0; i < PAIRS; ++i) absent[i] = 0;
  if (RAGGED) find_absent(absent, all, team.lane);
  if (manner == LACKING) find_absent(absent, candidates_of(WORKING_COLUMN(spot.x + line, p.width), p.width), team.lane);
  Ahead ahead[BATCH];
  UNROLL for (int j = 0; j < BATCH; ++j) ahead[j] = read_ahead(p, spot.at + j * stride, counts, team.lane);
  __global VALUE* to = p.volume + spot.at * PLACES;
  NO_UNROLL for (int step = 0; step < steps; step += BLOCK) {
    UNROLL_STEPS for (int j = 0; j < BLOCK; ++j) {
      uint cost[PAIRS];
      costs_of_step(cost, costs, ahead[j % BATCH], j);
      const uint p2 = next_penalty(w, ahead[j % BATCH].grey, a);
      ahead[j % BATCH] =
          read_ahead(p, spot.at + (step + j + BATCH) * stride, counts && step + j + BATCH < steps, team.lane);
      if (manner == STARTING)
        step_at_edge(w->level, &w->around, cost, absent, team, p1, p2);
      else
        step_inside(w->level, &w->around, cost, absent, team, p1, p2);
#if MIXES_STEPS
      Own own;
      own_of_pairs(&own, w->level, GIVEN && !RAGGED);
      UNROLL for (int i = 0; i < OWN_WORDS; ++i) VERGENCE_ASM_VOLATILE("" : "+r"(own.words[i]));
      if (stores) store_own_words(own, to, team.lane);
#else
      if (stores) store_pairs(w->level, GIVEN && !RAGGED, to, team.lane);
#endif
      to += (int64)stride * PLACES;
    }
    costs.words += BLOCK * costs.stride;
  }
}

// What a walk works with.
typedef struct {
  Lines lines;
  Team team;
  int line;
  LOCAL_POINTER uint* tile;
  Costs costs;
  int tile_steps;
  Candidates plain;
} Walk;

#if !GIVEN && defined(VERGENCE_NVIDIA)
// Pointers stand at the next tile, not at the one that is walked: where many registers hold strips, compilers make less
// of the other.
#define FROM_NEXT (OWN > 8 && AHEAD == OWN_STRIPS)

// How many tiles from a spot on are walked in one manner, and such that no column of theirs and of the next one lies
// outside; or that all lines keep to their columns: then words of the rows beside them do no harm.
static ALWAYS_INLINE int quick_tiles(int* manner, Walk walk, Spot spot, int steps, Pictures p) {
  const Lines lines = walk.lines;
  const int ends[2] = {COLUMN_OF_WORD(0, 0), COLUMN_OF_WORD(0, PLACES + 7)};
  const int before = max(-min(ends[0], ends[1]), 0), after = max(max(ends[0], ends[1]), 7);
  const int from = max(walk.plain.first, before);
  const int to = min(walk.plain.last, p.width - 1 - after + (lines.along_row ? 7 : 0));
  *manner = PLAIN;
  if (SOURCES) return 0;
  if (LINES % BLOCK != 0 || LINES % WORKERS != 0) return 0;
  if (spot.x < from || spot.x > to) {
    *manner = LACKING;
    const bool beside = before + LINES <= p.width && after < p.width;
    return OUTSIDE == OUTSIDE_SKIP && lines.dx == 0 && beside ? steps / walk.tile_steps - 2 : 0;
  }
  if (lines.along_row && spot.y + LINES > p.height) return 0;
  if (lines.dx != 0) steps = min(steps, lines.dx > 0 ? to - spot.x + 1 : spot.x - from + 1);
  return steps / walk.tile_steps - 1;
}
static ALWAYS_INLINE Spot walk_quickly(Walker* w, Walk walk, Strip* ahead, Spot spot, int tiles, Pictures p,
                                       PathsArguments a, int manner, bool stores) {
  const Lines lines = walk.lines;
  const int worker = (int)get_local_id(0) / STRIP_WORKERS, down = lines.dy * p.width + lines.dx;
  const int stride = (lines.along_row ? p.width : down) * PARTS;  // from strip to strip
  const int to_next = down * walk.tile_steps;                     // tile
  const WordRows rows = {p.mine, p.theirs};
  const Sources nothing = {0, 0, false};
  const int64 left =
      (int64)spot.y * p.width + spot.x + (FROM_NEXT ? to_next : 0) - (lines.along_row && lines.dx < 0 ? 7 : 0);
  StripPlace place = strip_place(rows, left + worker * OWN_STRIPS * (lines.along_row ? p.width : down));
  NO_UNROLL for (int i = 0; i < tiles; ++i) {
    Strip late[OWN_STRIPS - AHEAD + 1];  // OpenCL C has no empty arrays
    UNROLL for (int j = AHEAD; j < OWN_STRIPS; ++j) read_inner_strip(&late[j - AHEAD], place, j * stride);
    tile_barrier(lines);
    UNROLL for (int j = 0; j < OWN_STRIPS; ++j)
      write_strip(walk.tile + (worker * OWN_STRIPS + j) * STRIP_WORDS, j < AHEAD ? &ahead[j] : &late[j - AHEAD],
                  nothing, 0, 0, false);
    tile_barrier(lines);
    if (!FROM_NEXT) place.mine += (int64)to_next * PARTS, place.theirs += (int64)to_next * PARTS;
    UNROLL for (int j = 0; j < AHEAD; ++j) read_inner_strip(&ahead[j], place, j * stride);
    if (FROM_NEXT) place.mine += to_next * PARTS, place.theirs += to_next * PARTS;
    walk_inside(w, lines, walk.team, walk.line, spot, walk.tile_steps, walk.costs, p, a, manner, stores);
    spot = spot_after(lines, spot, walk.tile_steps, p.width);
  }
  return spot;
}
#endif

// The next steps, at most walk.tile_steps. `begins`: paths do, all of them. Given costs do not say which candidates a
// pixel lacks.
static ALWAYS_INLINE void walk_tile(Walker* w, Walk walk, Spot spot, int steps, Pictures p, PathsArguments a,
                                    bool begins, bool stores) {
  const Lines lines = walk.lines;
  const int end = spot.x + lines.dx * (steps - 1), from = min(spot.x, end), to = max(spot.x, end);
  const bool inside = lines.dx == 0 || (from >= 0 && to <= p.width - (lines.along_row ? 1 : LINES));
  const bool is_plain = GIVEN ? !begins && from >= walk.plain.first && to <= walk.plain.last : inside;
  if (is_plain && LINES % BLOCK == 0 && steps % BLOCK == 0)
    walk_inside(w, lines, walk.team, walk.line, spot, steps, walk.costs, p, a, GIVEN ? PLAIN : STARTING, stores);
  else
    walk_edge(w, lines, walk.team, walk.line, spot, steps, walk.costs, p, a, stores);
}

static ALWAYS_INLINE void walk_part(Walk walk, Pictures p, PathsArguments a, Seams seams) {
  const Lines lines = walk.lines;
  Walker w;
  UNROLL for (int i = 0; i < PAIRS; ++i) w.level[i] = NO_LEVELS;
  w.around.least = w.around.below = w.around.above = NO_LEVELS, w.grey = 0;
  Spot spot = spot_of_step(lines, walk.line, lines.from, p.width, p.height);
#if !GIVEN
  Strip ahead[AHEAD];
  Tile place = tile_at(lines, spot);
  read_ahead_of_tile(ahead, place, lines, p);
#endif
  bool begins = true;
  for (int first = lines.from; first < lines.end;) {
    // What comes before the part is not stored.
    const bool stores = !PARTED || first >= lines.begin;
    if (PARTED && first == lines.begin && lines.part > 0) keep_levels(seams, lines.part, BEFORE_PART, w.level);
    const int stop = stores ? lines.end : lines.begin;
    int tiles = 0;
#if !GIVEN && defined(VERGENCE_NVIDIA)
    int manner;
    if (!begins) tiles = quick_tiles(&manner, walk, spot, lines.steps - first, p);
    tiles = min(tiles, (stop - first) / walk.tile_steps);
    if (tiles > 0) {
      if (manner == PLAIN)
        spot = walk_quickly(&w, walk, ahead, spot, tiles, p, a, PLAIN, stores);
      else
        spot = walk_quickly(&w, walk, ahead, spot, tiles, p, a, LACKING, stores);
      first += tiles * walk.tile_steps;
      place = tile_at(lines, spot);
      continue;
    }
#endif
    const int steps = min(walk.tile_steps, stop - first);
    const Spot next = spot_after(lines, spot, steps, p.width);
#if !GIVEN
    tile_barrier(lines);
    write_tile(walk.tile, ahead, place, lines, p);
    tile_barrier(lines);
    place = tile_at(lines, next);
    read_ahead_of_tile(ahead, place, lines, p);
#endif
    walk_tile(&w, walk, spot, steps, p, a, begins, stores);
    spot = next, first += steps, begins = false;
  }
  if (PARTED && lines.parts > 1) keep_levels(seams, lines.part, AFTER_PART, w.level);
}

// Walks on from the levels at the end of the part before, until what it finds is what is there, or the part ends; the
// levels there.
static ALWAYS_INLINE void mend_part(uint* level, Walk walk, int part, Pictures p, PathsArguments a, Seams seams) {
  const Lines lines = walk.lines;
  const int end = min((part + 1) * lines.length, lines.steps);
  Spot spot = spot_of_step(lines, walk.line, part * lines.length - 1, p.width, p.height);
  Walker w;
  UNROLL for (int i = 0; i < PAIRS; ++i) w.level[i] = level[i];
  w.grey = read_ahead(p, spot.at, is_inside(lines, spot, walk.line, p.width, p.height), walk.team.lane).grey;
  find_around(&w.around, walk.team, w.level, BOTH_HALVES((uint)a.p1));
  spot = next_spot(lines, spot, p.width);
  bool right = false;
  for (int first = part * lines.length; first < end && !right; first += walk.tile_steps) {
    const int steps = min(walk.tile_steps, end - first);
    const Spot last = spot_after(lines, spot, steps - 1, p.width);
#if !GIVEN
    Strip ahead[AHEAD];
    const Tile place = tile_at(lines, spot);
    read_ahead_of_tile(ahead, place, lines, p);
    tile_barrier(lines);
    write_tile(walk.tile, ahead, place, lines, p);
    tile_barrier(lines);
#endif
    uint old[PAIRS];
    const bool counts = is_inside(lines, last, walk.line, p.width, p.height) && HAS_PLACE(walk.team.lane, 0);
    load_pairs(old, counts ? p.volume + last.at * PLACES : p.volume, counts ? walk.team.lane : 0);
    walk_tile(&w, walk, spot, steps, p, a, false, true);
    spot = next_spot(lines, last, p.width);
    right = !any_of_group(seams, counts && differ(w.level, old));
  }
  take_levels(level, seams, part, AFTER_PART);
  UNROLL for (int i = 0; i < PAIRS; ++i) level[i] = right ? level[i] : w.level[i];
}
static ALWAYS_INLINE void mend_parts(Walk walk, Pictures p, PathsArguments a, Seams seams) {
  const Lines lines = walk.lines;
  uint level[PAIRS], begun[PAIRS];
  take_levels(level, seams, 0, AFTER_PART);
  NO_UNROLL for (int part = 1; part < lines.parts; ++part) {
    const Spot before = spot_of_step(lines, walk.line, part * lines.length - 1, p.width, p.height);
    take_levels(begun, seams, part, BEFORE_PART);
    const bool wrong = is_inside(lines, before, walk.line, p.width, p.height) && differ(level, begun);
    if (any_of_group(seams, wrong))
      mend_part(level, walk, part, p, a, seams);
    else
      take_levels(level, seams, part, AFTER_PART);
  }
}

// Both kernels' beginning.
#if GIVEN
#define USE_TILE(name) LOCAL_POINTER uint* const name = 0
#else
#define USE_TILE(name) __local uint name[PACKED_TILE_WORDS(LINES, PLACES)]
#endif
static ALWAYS_INLINE Pictures pictures_of(Lines lines, __global const WORD* restrict mine,
                                          __global const WORD* restrict theirs, __global const PIXEL* restrict guide,
                                          __global VALUE* volumes, __global const uchar* restrict own_mask,
                                          __global const uchar* restrict other_mask, PathsArguments a) {
  const int64 volume = (int64)a.width * a.height * PLACES;
  const Pictures pictures = {
      mine,       theirs,  guide,   volumes + lines.path * volume, volumes + a.paths * volume, own_mask,
      other_mask, a.width, a.height};
  return pictures;
}
static ALWAYS_INLINE Walk walk_of(Lines lines, Team team, LOCAL_POINTER uint* tile, int line, int width) {
  const int tile_steps = GIVEN ? 16 : lines.along_row ? 8 : LINES;
  const Costs costs = costs_in_tile(tile, lines, line, team.lane);
  const Walk walk = {lines, team, line, tile, costs, tile_steps, plain_spots(lines, width)};
  return walk;
}

__kernel WORK_GROUP(GROUP, 1) void packed_paths(__global const WORD* restrict mine,
                                                __global const WORD* restrict theirs,
                                                __global const PIXEL* restrict guide, __global VALUE* volumes,
                                                __global const uchar* restrict own_mask,
                                                __global const uchar* restrict other_mask, __global uint* parts_done,
                                                __global uint* seam_levels, __global uint* restrict keys,
                                                GRID_CONSTANT PathsArguments arguments) {
  const int thread = (int)get_local_id(0);
  for (int i = (int)get_global_id(0); i < arguments.keys; i += (int)get_global_size(0)) keys[i] = 0xFFFFFFFFu;
  USE_TEAM(team, thread);
  const Lines lines = lines_of((int)get_group_id(0), arguments);
  const Pictures pictures = pictures_of(lines, mine, theirs, guide, volumes, own_mask, other_mask, arguments);
  USE_TILE(tile);
  USE_SEAMS(seams, parts_done, seam_levels, lines);
  const Walk walk = walk_of(lines, team, tile, thread / LANES, arguments.width);
  walk_part(walk, pictures, arguments, seams);
#if MENDS_AT_ONCE
  if (lines.parts > 1 && is_last_part(seams, lines.parts)) mend_parts(walk, pictures, arguments, seams);
#endif
}

#if PARTED && !MENDS_AT_ONCE
__kernel WORK_GROUP(GROUP, 1) void packed_mends(__global const WORD* restrict mine,
                                                __global const WORD* restrict theirs,
                                                __global const PIXEL* restrict guide, __global VALUE* volumes,
                                                __global const uchar* restrict own_mask,
                                                __global const uchar* restrict other_mask, __global uint* parts_done,
                                                __global uint* seam_levels, __global uint* restrict keys,
                                                GRID_CONSTANT PathsArguments arguments) {
  const int thread = (int)get_local_id(0);
  USE_TEAM(team, thread);
  const Lines lines = lines_of((int)get_group_id(0), arguments);
  const Pictures pictures = pictures_of(lines, mine, theirs, guide, volumes, own_mask, other_mask, arguments);
  USE_TILE(tile);
  USE_SEAMS(seams, parts_done, seam_levels, lines);
  const Walk walk = walk_of(lines, team, tile, thread / LANES, arguments.width);
  if (lines.part == 0) mend_parts(walk, pictures, arguments, seams);
}
#endif

// SPDX-License-Identifier: Apache-2.0
// Costs along the paths of semi-global matching, as paths.cl, with two 16-bit numbers in a word. A group walks LINES
// neighbouring lines of a path; a team of LANES work-items has a line's candidates. Census costs of single pixels are
// counted for some steps at once, into local memory; all others are given.
//
//   GIVEN   1: window costs lie in the volume after those of the paths, 0: words are census words, windows one pixel
//   PIXEL   type of the pictures' pixels: uchar or ushort
//   SLOPED  1: p2 depends on the picture
//   LINES   of a group: 16, 8 or 4; 16 * LINES pixels have costs in local memory at once
#include "definitions/stereo/candidate.h"
#include "definitions/stereo/sgm.h"
#include "stereo/paths.h"
#if !defined(GIVEN) || !defined(PIXEL) || !defined(SLOPED) || TEAMS != LINES || VALUE_BYTES > 2
#error "packed_paths needs GIVEN, PIXEL, SLOPED, LINES teams, and volumes of one or two bytes"
#endif
#include "stereo/packed_lines.h"
#include "stereo/packed_step.h"
#include "stereo/packed_tile.h"

#define OWN_WORDS ((OWN * VALUE_BYTES + 3) / 4)
#define RAGGED (LANES * OWN != COUNT)
#define BATCH 4                    // steps whose input is read together
#define BLOCK (LINES < 8 ? 4 : 8)  // steps between which levels stay too high

typedef struct {
  __global const WORD* restrict mine;
  __global const WORD* restrict theirs;
  __global const PIXEL* restrict guide;  // the reference picture before the prefilter
  __global VALUE* volume;                // of the path
  __global const VALUE* costs;           // where GIVEN
  int width, height;
} Pictures;

// The numbers of a lane's candidates move together: as one, or as several words of 16 bytes.
#if OWN * VALUE_BYTES == 2
#define MOVED ushort
#elif OWN * VALUE_BYTES == 4
#define MOVED uint
#elif OWN * VALUE_BYTES == 8
#define MOVED uint2
#else
#define MOVED uint4
#endif
typedef union {
  uint words[OWN_WORDS];
  MOVED moved[OWN * VALUE_BYTES / sizeof(MOVED)];
} Own;

// `whole`: no candidate is absent. Else what is stored of these must not be so large that sums of theirs overflow into
// their neighbours'.
static ALWAYS_INLINE void store_pairs(const uint* pairs, bool whole, __global VALUE* pixel, int lane) {
  Own own;
#if VALUE_BYTES == 2
  UNROLL for (int i = 0; i < OWN_WORDS; ++i) own.words[i] = whole ? pairs[i] : pairs[i] & ~NO_LEVELS;
#else
  UNROLL for (int i = 0; i < OWN_WORDS; ++i)
    own.words[i] = pick_bytes(pairs[2 * i], pairs[min(2 * i + 1, PAIRS - 1)], 0x6420);
#endif
  __global MOVED* to = (__global MOVED*)(pixel + lane * OWN);
  UNROLL for (int i = 0; i < (int)(sizeof(own.moved) / sizeof(MOVED)); ++i) to[i] = own.moved[i];
}
static ALWAYS_INLINE void pairs_of_words(uint* pairs, const uint* words) {
#if VALUE_BYTES == 2
  UNROLL for (int i = 0; i < PAIRS; ++i) pairs[i] = words[i];
#else
  UNROLL for (int i = 0; i < PAIRS; ++i) pairs[i] = pick_bytes(words[i / 2], 0, i % 2 == 0 ? 0x4140 : 0x4342);
#endif
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

#if !GIVEN
#define WORKERS (GROUP / STRIP_WORKERS)  // at strips
#define OWN_STRIPS ((LINES + WORKERS - 1) / WORKERS)
// Words for the costs of the steps from `spot` on: a strip for each line of rows, else for each step.
static ALWAYS_INLINE void read_tile(Strip* strips, Lines lines, Spot spot, Pictures p) {
  const int worker = (int)get_local_id(0) / STRIP_WORKERS;
  UNROLL for (int i = 0; i < OWN_STRIPS; ++i) {
    const int strip = min(worker + i * WORKERS, LINES - 1);
    int x = spot.x, y = spot.y;
    if (lines.along_row) {
      y += strip;
      if (lines.dx < 0) x -= 15;
    } else {
      x = column_around(x + lines.dx * strip, p.width, lines.columns);
      y += lines.dy * strip;
    }
    const int64 row = (int64)clamp(y, 0, p.height - 1) * p.width;
    const WordRows rows = {p.mine + row, p.theirs + row};
    read_strip(&strips[i], rows, x, p.width);
  }
}
static ALWAYS_INLINE void write_tile(LOCAL_POINTER uint* tile, const Strip* strips) {
  const int worker = (int)get_local_id(0) / STRIP_WORKERS;
  UNROLL for (int i = 0; i < OWN_STRIPS; ++i)
    if (worker + i * WORKERS < LINES) write_strip(tile + (worker + i * WORKERS) * STRIP_WORDS, strips[i]);
}
#endif

static ALWAYS_INLINE uint penalty_between(uint grey, uint before, PathsArguments a) {
  if (!SLOPED) return (uint)a.p2;
  return (uint)penalty_at_edge(a.p1, a.p2, max(grey, before) - min(grey, before), a.p2_slope);
}

// What is read of a line's pixel before it is needed; anything where it lies outside the picture.
typedef struct {
  uint grey;
#if GIVEN
  Own own;
#endif
} Ahead;
static ALWAYS_INLINE Ahead read_ahead(Pictures p, int64 at, bool inside, int lane) {
  Ahead ahead;
  ahead.grey = SLOPED && inside ? (uint)p.guide[at] : 0;
#if GIVEN
  UNROLL for (int i = 0; i < OWN_WORDS; ++i) ahead.own.words[i] = 0;
  __global const MOVED* from = (__global const MOVED*)(p.costs + at * PLACES + lane * OWN);
  if (!inside || !HAS_PLACE(lane, 0)) return ahead;
  UNROLL for (int i = 0; i < (int)(sizeof(ahead.own.moved) / sizeof(MOVED)); ++i) ahead.own.moved[i] = from[i];
#endif
  return ahead;
}

// Where a line's costs lie in the tile at the first of its steps, and how far apart those of its steps are.
typedef struct {
  LOCAL_POINTER const uint* words;
  int first;  // byte of candidate 0 of the first step
  int pitch;  // words
  int shift;  // bytes
} Costs;

#if !GIVEN
static ALWAYS_INLINE Costs costs_in_tile(LOCAL_POINTER const uint* tile, Lines lines, int line) {
  Costs costs = {tile + line * (SPAN_PITCH / 4), BYTE_OF_FIRST(line), STRIP_WORDS, 0};
  if (lines.along_row) {
    const int pixel = lines.dx > 0 ? 0 : 15, sign = lines.dx > 0 ? 1 : -1;
    costs.words = tile + line * STRIP_WORDS + pixel * (SPAN_PITCH / 4);
    costs.first = BYTE_OF_FIRST(pixel);
    costs.pitch = sign * (SPAN_PITCH / 4);
    costs.shift = MATCHES_LEFT ? -sign : sign;
  }
  return costs;
}
#endif

static ALWAYS_INLINE void costs_of_step(uint* pairs, Costs costs, Ahead ahead, int step, int lane) {
#if GIVEN
  pairs_of_words(pairs, ahead.own.words);
#else
  // Four steps further on the bytes are those of the next words.
  tile_costs(pairs, costs.words + step * costs.pitch + step / 4 * costs.shift,
             costs.first + step % 4 * costs.shift + lane * OWN);
#endif
}

// What a lane keeps from pixel to pixel.
typedef struct {
  uint level[PAIRS];
  Around around;  // the least level in both halves
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
                                    Pictures p, PathsArguments a) {
  const Candidates none = {0, -1};
  NO_UNROLL for (int step = 0; step < steps; ++step) {
    const bool inside = is_inside(lines, spot, line, p.width, p.height);
    const Ahead ahead = read_ahead(p, spot.at, inside, team.lane);
    uint cost[PAIRS], absent[PAIRS];
    costs_of_step(cost, costs, ahead, step, team.lane);
    const int x = lines.along_row ? spot.x : spot.x + line;
    const uint bits = bits_of(inside ? candidates_of(WORKING_COLUMN(x, p.width), p.width) : none, team.lane);
    UNROLL for (int i = 0; i < PAIRS; ++i) absent[i] = absent_of(bits, i);
    const uint p2 = next_penalty(w, ahead.grey, a);
    step_at_edge(w->level, &w->around, cost, absent, team, BOTH_HALVES((uint)a.p1), p2);
    if (inside && HAS_PLACE(team.lane, 0)) store_pairs(w->level, false, p.volume + spot.at * PLACES, team.lane);
    spot = next_spot(lines, spot, p.width);
  }
}

// Some multiple of BLOCK steps where all pixels, and those before them, lie in the picture and have all candidates.
static ALWAYS_INLINE void walk_inside(Walker* w, Lines lines, Team team, int line, Spot spot, int steps, Costs costs,
                                      Pictures p, PathsArguments a) {
  const Candidates all = {0, COUNT - 1};
  const int stride = lines.dy * p.width + lines.dx;
  const bool counts = is_inside(lines, spot, line, p.width, p.height), stores = counts && HAS_PLACE(team.lane, 0);
  const uint bits = bits_of(all, team.lane), p1 = BOTH_HALVES((uint)a.p1);
  uint absent[PAIRS];
  UNROLL for (int i = 0; i < PAIRS; ++i) absent[i] = RAGGED ? absent_of(bits, i) : 0;
  Ahead ahead[BATCH];
  UNROLL for (int j = 0; j < BATCH; ++j) ahead[j] = read_ahead(p, spot.at + j * stride, counts, team.lane);
  __global VALUE* to = p.volume + spot.at * PLACES;
  NO_UNROLL for (int step = 0; step < steps; step += BLOCK) {
    uint base = 0;
    UNROLL for (int j = 0; j < BLOCK; ++j) {
      uint cost[PAIRS], levels[PAIRS];
      costs_of_step(cost, costs, ahead[j % BATCH], j, team.lane);
      const uint p2 = next_penalty(w, ahead[j % BATCH].grey, a);
      ahead[j % BATCH] =
          read_ahead(p, spot.at + (step + j + BATCH) * stride, counts && step + j + BATCH < steps, team.lane);
      base = w->around.least;
      step_inside(w->level, &w->around, levels, cost, absent, team, p1, p2);
      if (stores) store_pairs(levels, !RAGGED, to, team.lane);
      to += (int64)stride * PLACES;
    }
    costs.words += BLOCK * costs.pitch + BLOCK / 4 * costs.shift;
    UNROLL for (int i = 0; i < PAIRS; ++i) w->level[i] = (w->level[i] - base) | absent[i];
    w->around.least -= base;
    look_around(&w->around, team, w->level);
  }
}

static ALWAYS_INLINE void walk(Lines lines, Team team, int line, LOCAL_POINTER uint* tile, Pictures p,
                               PathsArguments a) {
  Walker w;
  UNROLL for (int i = 0; i < PAIRS; ++i) w.level[i] = NO_LEVELS;
  w.around.least = w.around.below = w.around.above = NO_LEVELS, w.grey = 0;
  const Candidates plain = plain_spots(lines, p.width);
#if GIVEN
  const Costs costs = {0, 0, 0, 0};
#else
  const Costs costs = costs_in_tile(tile, lines, line);
  Strip strips[OWN_STRIPS];
#endif
  const int tile_steps = lines.along_row ? 16 : LINES;
  Spot spot = first_spot(lines, line, p.width, p.height);
#if !GIVEN
  read_tile(strips, lines, spot, p);
#endif
  for (int first = 0; first < lines.steps; first += tile_steps) {
    const int steps = min(tile_steps, lines.steps - first), end = spot.x + lines.dx * (steps - 1);
    const Spot next = spot_after(lines, spot, steps, p.width);
#if !GIVEN
    GROUP_BARRIER();
    write_tile(tile, strips);
    GROUP_BARRIER();
    read_tile(strips, lines, next, p);
#endif
    const bool is_plain = first > 0 && min(spot.x, end) >= plain.first && max(spot.x, end) <= plain.last;
    if (is_plain && LINES % BLOCK == 0 && steps % BLOCK == 0)
      walk_inside(&w, lines, team, line, spot, steps, costs, p, a);
    else
      walk_edge(&w, lines, team, line, spot, steps, costs, p, a);
    spot = next;
  }
}

__kernel WORK_GROUP(GROUP, 1) void packed_paths(__global const WORD* restrict mine,
                                                __global const WORD* restrict theirs,
                                                __global const PIXEL* restrict guide, __global VALUE* volumes,
                                                GRID_CONSTANT PathsArguments arguments) {
  const int thread = (int)get_local_id(0);
  USE_TEAM(team, thread);
  const Lines lines = lines_of((int)get_group_id(0), arguments);
  const int64 volume = (int64)arguments.width * arguments.height * PLACES;
  const Pictures pictures = {mine,
                             theirs,
                             guide,
                             volumes + lines.path * volume,
                             volumes + arguments.paths * volume,
                             arguments.width,
                             arguments.height};
#if GIVEN
  LOCAL_POINTER uint* const tile = 0;
#else
  __local uint tile[PACKED_TILE_WORDS(LINES, LANES * OWN)];
#endif
  walk(lines, team, thread / LANES, tile, pictures, arguments);
}

// SPDX-License-Identifier: Apache-2.0
// The phases of the searches of search.cl: which points each has, and which one follows.
#include "definitions/motion/pattern.h"
#include "definitions/motion/step.h"
#include "definitions/motion/tz.h"
#include "motion/blocks.h"

// MotionSearch in the order of its values.
#define FULL 0
#define STEP 1
#define DIAMOND 2
#define HEXAGON 3
#define TZ 4
#define HIERARCHICAL 5

#define DONE 0
#define START 1        // zero, the prediction, what the coarser level found
#define ALL 2          // every candidate
#define SECOND_BEST 3  // every candidate that may be second best
#define AROUND 4       // a grid about the best, or about the coarse vector
#define MOVE 5         // the large diamond or the hexagon about the best
#define LAST 6         // the neighbours at the end
#define GROW 7         // all diamonds about the best
#define MISSING 8      // the two that a diamond left out
#define RASTER 9

/// A block's search on one level.
typedef struct {
  Frames frames;
  Region block;
  int first_x, last_x, first_y, last_y;
  int lambda, predicted_x, predicted_y;  // quarter pixels
  int coarse_x, coarse_y;                // brought to this level
  int level, levels;
  LOCAL_POINTER const int* starts;  // of tz with levels: vectors that differ, packed
  int start_count;
} Search;

/// The same for all work-items of the group.
typedef struct {
  uint64 j;
  int x, y;  // the best so far
  int phase, round;
  int distance, from_x, from_y;  // how tz found it: the diamond's distance, 0 where none did; from where, at distance 1
} State;

static inline bool is_candidate(const Search* s, int x, int y) {
  if (x < s->first_x || x > s->last_x || y < s->first_y || y > s->last_y) return false;
  return PAD || (is_inside(s->block.x, s->block.w, x, s->frames.size.width) &&
                 is_inside(s->block.y, s->block.h, y, s->frames.size.height));
}

/// Diamonds of 1, 2, 4, ... up to FARTHEST px, and how many points they have.
static inline int diamond_count(void) {
  int count = 1;
  while ((1 << count) <= FARTHEST) ++count;
  return count;
}
static inline int first_point(int diamond) {
  return diamond == 0 ? 0 : diamond <= 4 ? 4 + 8 * (diamond - 1) : 28 + 16 * (diamond - 4);
}
static inline int diamond_of(int k) { return k < 4 ? 0 : k < 28 ? 1 + (k - 4) / 8 : 4 + (k - 28) / 16; }
#define MOST_POINTS 124

static inline int step_grid_reach(int round) {
  const int reach = step_reach(step_plain_rounds(FARTHEST), MERGED, round);
  return min(reach, WIDEST_GRID);
}

/// Points of a phase.
static inline int count_of(const Search* s, const State* t) {
  const int side_x = s->last_x - s->first_x, side_y = s->last_y - s->first_y;
  const int side = 2 * step_grid_reach(t->round) + 1, around = 2 * pyramid_reach() + 1;
  switch (t->phase) {
    case START:
      return SEARCH == STEP ? 1 : SEARCH == TZ && s->levels > 0 ? 1 + 5 * s->start_count : 2;
    case AROUND:
      return SEARCH == STEP ? side * side : around * around + (s->level == 0 ? 2 : 1);
    case MOVE:
      return SEARCH == DIAMOND ? 8 : 6;
    case LAST:
      return SEARCH == DIAMOND ? 4 : 8;
    case GROW:
      return first_point(diamond_count());
    case MISSING:
      return 2;
    case RASTER:
      return (side_x / tz_raster() + 1) * (side_y / tz_raster() + 1);
    default:
      return (side_x + 1) * (side_y + 1);
  }
}

/// Point k of the phase, packed.
static inline int point_of(const Search* s, const State* t, int k) {
  const int around = 2 * pyramid_reach() + 1, fixed = s->level == 0 ? 2 : 1;
#if SEARCH == TZ
  if (t->phase == START && s->levels > 0) {  // each start with the four points next to it
    const int start = k == 0 ? 0 : s->starts[(k - 1) / 5], next = (k - 1) % 5 - 1;
    if (k == 0 || next < 0) return start;
    return pack_vector(x_of(start) + small_diamond_x(next), y_of(start) + small_diamond_y(next));
  }
#endif
  if (t->phase == START || (SEARCH == HIERARCHICAL && t->phase == AROUND && k < fixed))
    return k == 0 ? 0 : pack_vector(whole_pixels(s->predicted_x), whole_pixels(s->predicted_y));
  if (t->phase == ALL || t->phase == SECOND_BEST) {
    const int across = s->last_x - s->first_x + 1;
    return pack_vector(s->first_x + k % across, s->first_y + k / across);
  }
#if SEARCH == HIERARCHICAL
  k -= fixed;
  return pack_vector(s->coarse_x + k % around - pyramid_reach(), s->coarse_y + k / around - pyramid_reach());
#elif SEARCH == STEP
  const int reach = step_grid_reach(t->round), side = 2 * reach + 1;
  const int spacing = step_spacing(step_plain_rounds(FARTHEST), MERGED, t->round);
  return pack_vector(t->x + (k % side - reach) * spacing, t->y + (k / side - reach) * spacing);
#elif SEARCH == DIAMOND
  if (t->phase == MOVE) return pack_vector(t->x + large_diamond_x(k), t->y + large_diamond_y(k));
  return pack_vector(t->x + small_diamond_x(k), t->y + small_diamond_y(k));
#elif SEARCH == HEXAGON
  if (t->phase == MOVE) return pack_vector(t->x + hexagon_x(k), t->y + hexagon_y(k));
  return pack_vector(t->x + neighbour_x(k), t->y + neighbour_y(k));
#elif SEARCH == TZ
  if (t->phase == RASTER) {
    const int across = (s->last_x - s->first_x) / tz_raster() + 1;
    return pack_vector(s->first_x + k % across * tz_raster(), s->first_y + k / across * tz_raster());
  }
  if (t->phase == MISSING)
    return pack_vector(t->x + tz_missing_x(t->from_x, t->from_y, k), t->y + tz_missing_y(t->from_x, t->from_y, k));
  const int diamond = diamond_of(k), distance = 1 << diamond;
  k -= first_point(diamond);
  return pack_vector(t->x + tz_x(distance, k), t->y + tz_y(distance, k));
#else
  return 0;
#endif
}

static inline void begin_search(const Search* s, State* t) {
  const bool all = SEARCH == FULL || (s->level > 0 && s->level == s->levels);
  t->j = NO_J;
  t->x = t->y = t->round = t->distance = t->from_x = t->from_y = 0;
  t->phase = all ? ALL : SEARCH == HIERARCHICAL ? AROUND : START;
}

/// What comes after a phase that `moved` the best or did not. For tz, `round` is 0 until the first diamonds are done.
static inline int next_phase(const Search* s, State* t, bool moved, bool want_second) {
  if (SEARCH == FULL) return t->phase == ALL && want_second ? SECOND_BEST : DONE;
  if (SEARCH == HIERARCHICAL || t->phase == ALL) return DONE;
  if (SEARCH == STEP) {
    if (t->phase == AROUND) ++t->round;
    return t->round < step_rounds(step_plain_rounds(FARTHEST), MERGED) ? AROUND : DONE;
  }
  if (SEARCH == DIAMOND || SEARCH == HEXAGON)
    return t->phase == START ? MOVE : t->phase == LAST ? DONE : moved ? MOVE : LAST;
  if (t->phase == START) return GROW;
  if (t->phase == GROW && t->distance == 1) return MISSING;
  if (t->phase == MISSING) t->distance = moved ? 2 : 0;
  const bool first = t->round++ == 0;
  if (t->phase == RASTER)
    t->distance = tz_raster();
  else if (first && t->distance > tz_raster())
    return RASTER;
  if (t->distance == 0) return DONE;
  t->distance = 0;
  return GROW;
}

/// Follows the diamonds from the inside out, each known by its best point, until too many in turn bring no gain.
static inline void grow(State* t, LOCAL_POINTER const uint64* js, LOCAL_POINTER const int* vs,
                        LOCAL_POINTER const int* ks) {
  const int x = t->x, y = t->y, patience = t->round == 0 ? 3 : FARTHEST;
  int idle = 0;
  for (int diamond = 0; diamond < diamond_count() && idle < patience; ++diamond) {
    ++idle;
    if (!is_better_vector(js[diamond], x_of(vs[diamond]), y_of(vs[diamond]), t->j, t->x, t->y)) continue;
    idle = 0;
    t->j = js[diamond];
    t->x = x_of(vs[diamond]), t->y = y_of(vs[diamond]);
    t->distance = tz_distance(1 << diamond, ks[diamond]);
    t->from_x = t->x - x, t->from_y = t->y - y;
  }
}

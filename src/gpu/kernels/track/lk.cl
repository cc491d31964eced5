// SPDX-License-Identifier: Apache-2.0
// Points of one frame in another, from the coarsest level to the finest: LANES work-items have a point, keep their
// samples of its window, and add up whole numbers; then each of them takes the same decisions. Equal to
// reference/track/lk.cpp.

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef GAIN_OFFSET
#define GAIN_OFFSET 0  // 1: gain/offset compensation
#endif
#ifndef BACK
#define BACK 0  // 1: points are tracked back, too
#endif
#ifndef MUST_CONVERGE
#define MUST_CONVERGE 0  // 1: points that do not converge are lost
#endif
#ifndef PATCH_SCALE
#define PATCH_SCALE 32  // of a sample of a patch to a pixel
#endif
#ifndef DROPPED
#define DROPPED 0  // lowest bits of pixels that are dropped
#endif
// More of them: track/registers.h, track/totals.h and track/window.h.

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "definitions/track/eigen.h"
#include "definitions/track/gain_offset.h"
#include "definitions/track/quotient.h"
#include "definitions/track/solve.h"
#include "gpu/shared/track/points.h"
#include "track/totals.h"
#include "track/window.h"

#define SAMPLES (WINDOW * WINDOW)
#define KEPT (4 * OWN)  // samples of a work-item

// TrackStatus.
#define TRACKED 0
#define OUTSIDE 1
#define SMALL_DETERMINANT 2
#define NOT_CONVERGED 3
#define RESIDUAL 4
#define FORWARD_BACKWARD 5

// How a level ends.
#define CONVERGED 0
#define ITERATIONS_SPENT 1
#define LEFT 2
#define TEXTURELESS 3

typedef struct {
  __global const PIXEL* pictures;
  __global const int* gradients;
} Frame;

typedef struct {
  __global const int* table;  // of levels
  int top, iterations;
  double eigen_limit, step_unit;
  int64 short_step;
  uint residual_limit, back_limit;
} Plan;

// A work-item's samples of the template, and what all of them sum to.
typedef struct {
  int patch[KEPT], across[KEPT], down[KEPT];
  int64 xx, xy, yy;
  double determinant, reciprocal;  // of xx yy - xy xy
#if GAIN_OFFSET
  int64 sum, squares, of_across, of_down, with_across, with_down;
#endif
} Template;

typedef struct {
  int x, y;
  int status;
  bool converged;
  uint residual, way_back;
} Answer;

static ALWAYS_INLINE void template_samples(Frame frame, Level level, Place place, int lane, bool inside,
                                           Template* made) {
  FOR_OWN {
    const Four four = four_of(lane, k);
    patch_samples(frame.pictures + level.offset, level, place, four, inside, made->patch + 4 * k);
    gradient_samples(frame.gradients + level.offset, level, place, four, inside, made->across + 4 * k,
                     made->down + 4 * k);
#if GAIN_OFFSET
    REGISTERS for (int j = 0; j < 4; ++j)
      if (j >= four.count) made->patch[4 * k + j] = 0;
#endif
  }
}

static ALWAYS_INLINE void make_template(Frame frame, Level level, int x, int y, Shared* shared, Template* made) {
  const Place place = place_of(level, x, y);
  FOR_INSIDE(place.inside, template_samples(frame, level, place, shared->lane, inside, made))
  Sum own[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  FOR_OWN {
    REGISTERS for (int j = 4 * k; j < 4 * k + 4; ++j) {
      const Sum across = made->across[j], down = made->down[j];
      own[0] += across * across;
      own[1] += across * down;
      own[2] += down * down;
#if GAIN_OFFSET
      const Sum patch = made->patch[j];
      own[3] += patch;
      own[4] += patch * patch;
      own[5] += across;
      own[6] += down;
      own[7] += patch * across;
      own[8] += patch * down;
#endif
    }
  }
  int64 totals[9];
  add_up(own, totals, GAIN_OFFSET ? 9 : 3, shared);
  made->xx = totals[0], made->xy = totals[1], made->yy = totals[2];
  made->determinant = determinant(made->xx, made->xy, made->yy);
  made->reciprocal = 1.0 / made->determinant;
#if GAIN_OFFSET
  made->sum = totals[3], made->squares = totals[4];
  made->of_across = totals[5], made->of_down = totals[6];
  made->with_across = totals[7], made->with_down = totals[8];
#endif
}

// A work-item's part of what a step needs: of (template - target) x gradient; with GAIN_OFFSET of the target, its
// squares, and target x gradient.
static ALWAYS_INLINE void target_sums(__global const PIXEL* restrict picture, Level level, Place place, int lane,
                                      bool inside, const Template* from, Sum* own) {
  FOR_OWN {
    const Four four = four_of(lane, k);
    int samples[4];
    patch_samples(picture, level, place, four, inside, samples);
    REGISTERS for (int j = 0; j < 4; ++j) {
#if GAIN_OFFSET
      const Sum sample = j < four.count ? samples[j] : 0;
      own[2] += sample;
      own[3] += sample * sample;
#else
      const Sum sample = from->patch[4 * k + j] - samples[j];
#endif
      own[0] += sample * from->across[4 * k + j];
      own[1] += sample * from->down[4 * k + j];
    }
  }
}

#if GAIN_OFFSET
static inline double gain_of(const Template* from, int64 sum, int64 squares) {
  return root_of(squared_gain(n2_variance(SAMPLES, from->sum, from->squares), n2_variance(SAMPLES, sum, squares)));
}
#endif

#if WARPS > 0
// step_units of a number, by one conversion that rounds down and leaves what is too large at the ends of the integers.
static inline int limited_units(double step, double unit) {
  int whole;
  VERGENCE_ASM("cvt.rmi.s32.f64 %0, %1;" : "=r"(whole) : "d"(step * unit + 0.5));
  return clamp(whole, -67108864, 67108864);
}
#endif

// The step at a place of the target, in position units.
static ALWAYS_INLINE int2 step_at(Plan plan, Frame target, Level level, Place place, const Template* from,
                                  Shared* shared) {
  Sum own[4] = {0, 0, 0, 0};
  FOR_INSIDE(place.inside, target_sums(target.pictures + level.offset, level, place, shared->lane, inside, from, own))
  int64 totals[4];
  add_up(own, totals, GAIN_OFFSET ? 4 : 2, shared);
#if GAIN_OFFSET
  const double gain = gain_of(from, totals[2], totals[3]);
  const double x = compensated_sum(SAMPLES, n2_covariance(SAMPLES, from->with_across, from->sum, from->of_across),
                                   n2_covariance(SAMPLES, totals[0], totals[2], from->of_across), gain);
  const double y = compensated_sum(SAMPLES, n2_covariance(SAMPLES, from->with_down, from->sum, from->of_down),
                                   n2_covariance(SAMPLES, totals[1], totals[2], from->of_down), gain);
#else
  const double x = VERGENCE_AS(double, totals[0]), y = VERGENCE_AS(double, totals[1]);
#endif
  int2 step;
#if WARPS > 0
  // As step_x and step_y have it, without their long divisions. Half of a warp does so for x, the other half for y.
  const bool is_y = (shared->lane & 16) != 0;
  const double square = VERGENCE_AS(double, is_y ? from->xx : from->yy), product = VERGENCE_AS(double, from->xy);
  const double dividend = (square * (is_y ? y : x)) - (product * (is_y ? x : y));
  const int mine = limited_units(quotient(dividend, from->determinant, from->reciprocal), plan.step_unit);
  const int other = (int)from_lane_across((uint)mine, 16);
  step.x = is_y ? other : mine;
  step.y = is_y ? mine : other;
#else
  step.x = step_x(from->xx, from->xy, from->yy, x, y, plan.step_unit);
  step.y = step_y(from->xx, from->xy, from->yy, x, y, plan.step_unit);
#endif
  return step;
}

static ALWAYS_INLINE int improve(Plan plan, Frame target, Level level, const Template* from, int x, int y, int2* moved,
                                 Shared* shared) {
  if (is_textureless(from->xx, from->xy, from->yy, plan.eigen_limit)) return TEXTURELESS;
  int2 before;
  before.x = 0, before.y = 0;
  NO_UNROLL for (int i = 0; i < plan.iterations; ++i) {
    const Place place = place_of(level, x + moved->x, y + moved->y);
    if (has_left(place.x, WINDOW, level.width) || has_left(place.y, WINDOW, level.height)) return LEFT;
    const int2 step = step_at(plan, target, level, place, from, shared);
    moved->x += step.x;
    moved->y += step.y;
    if (is_short_step(step.x, step.y, plan.short_step)) return CONVERGED;
    if (i > 0 && is_oscillation(step.x, step.y, before.x, before.y)) {
      moved->x -= half_step(step.x);
      moved->y -= half_step(step.y);
      return CONVERGED;
    }
    before = step;
  }
  return ITERATIONS_SPENT;
}

// The sum of differences of both windows on level 0; gain/offset compensation needs sums of the target first.
static ALWAYS_INLINE uint residual_at(Frame target, Level level, Place place, const Template* from, Shared* shared) {
  int64 totals[2];
  int gain = 16384, offset = 0;
#if GAIN_OFFSET
  Sum own[4] = {0, 0, 0, 0};
  target_sums(target.pictures + level.offset, level, place, shared->lane, false, from, own);
  add_up(own + 2, totals, 2, shared);
  gain = fixed_gain(gain_of(from, totals[0], totals[1]));
  offset = fixed_offset(SAMPLES, from->sum, totals[0], gain);
#endif
  Sum difference[1] = {0};
  FOR_OWN {
    const Four four = four_of(shared->lane, k);
    int samples[4];
    patch_samples(target.pictures + level.offset, level, place, four, false, samples);
    REGISTERS for (int j = 0; j < 4; ++j)
      if (j < four.count)
        difference[0] += (Sum)absolute_difference(from->patch[4 * k + j], compensated_sample(samples[j], gain, offset));
  }
  add_up(difference, totals, 1, shared);
  return (uint)((totals[0] << (10 + DROPPED)) / (SAMPLES * PATCH_SCALE));
}

static inline bool is_on(Level level, int x, int y) {
  return is_on_picture(x, level.width) && is_on_picture(y, level.height);
}

// One way; the guess is on the picture.
static ALWAYS_INLINE Answer find(Plan plan, Frame previous, Frame current, int2 point, int2 guess, Shared* shared) {
  const Level frame = level_of(plan.table, 0);
  Answer answer;
  answer.x = point.x, answer.y = point.y;
  answer.status = OUTSIDE;
  answer.converged = false;
  answer.residual = 0;
  answer.way_back = 0;
  if (!is_on(frame, point.x, point.y)) return answer;
  int2 moved;
  moved.x = level_position(guess.x - point.x, plan.top);
  moved.y = level_position(guess.y - point.y, plan.top);
  Template from;
  int end = CONVERGED;
  NO_UNROLL for (int number = plan.top; number >= 0; --number) {
    const Level level = level_of(plan.table, number);
    const int x = level_position(point.x, number), y = level_position(point.y, number);
    const int2 start = moved;
    make_template(previous, level, x, y, shared, &from);
    end = improve(plan, current, level, &from, x, y, &moved, shared);
    if (number == 0) break;
    if (end == LEFT) moved = start;
    moved.x *= 2;
    moved.y *= 2;
  }
  answer.status = end == TEXTURELESS ? SMALL_DETERMINANT : OUTSIDE;
  if (end == TEXTURELESS || end == LEFT) return answer;
  const int x = point.x + moved.x, y = point.y + moved.y;
  if (!is_on(frame, x, y)) return answer;
  answer.converged = end == CONVERGED;
  answer.residual = residual_at(current, frame, place_of(frame, x, y), &from, shared);
  answer.status = !answer.converged && MUST_CONVERGE      ? NOT_CONVERGED
                  : answer.residual > plan.residual_limit ? RESIDUAL
                                                          : TRACKED;
  if (answer.status == TRACKED) answer.x = x, answer.y = y;
  return answer;
}

// A query is a point and a guess; what is found is a TrackedPoint in five words.
__kernel WORK_GROUP(LANES, 1) void lk(__global const PIXEL* restrict previous_pictures,
                                      __global const int* restrict previous_gradients,
                                      __global const PIXEL* restrict current_pictures,
                                      __global const int* restrict current_gradients,
                                      __global const int* restrict table, __global const double* restrict numbers,
                                      __global const int* restrict queries, __global uint* restrict found,
                                      GRID_CONSTANT LkArguments arguments) {
  __local int64 words[SHARED_SUMS];
  Shared shared;
  shared.words = words;
  shared.lane = (int)get_local_id(0);
  shared.turn = 0;
  Plan plan;
  plan.table = table;
  plan.top = arguments.top, plan.iterations = arguments.iterations;
  plan.eigen_limit = numbers[0], plan.step_unit = numbers[1];
  plan.short_step = arguments.short_step;
  plan.residual_limit = (uint)arguments.residual_limit, plan.back_limit = (uint)arguments.back_limit;
  Frame frames[2];
  frames[0].pictures = previous_pictures, frames[0].gradients = previous_gradients;
  frames[1].pictures = current_pictures, frames[1].gradients = current_gradients;

  const int64 number = (int64)get_group_id(0);
  int2 point, guess;
  point.x = queries[4 * number], point.y = queries[4 * number + 1];
  guess.x = queries[4 * number + 2], guess.y = queries[4 * number + 3];
  Answer answer;
  NO_UNROLL for (int way = 0; way <= BACK; ++way) {
    const Answer one =
        find(plan, way == 0 ? frames[0] : frames[1], way == 0 ? frames[1] : frames[0], point, guess, &shared);
    if (way == 0) {
      answer = one;
      if (one.status != TRACKED) break;
      point.x = one.x, point.y = one.y;
      guess = point;
    } else {
      answer.way_back = one.status == TRACKED
                            ? squared_way_back(queries[4 * number], queries[4 * number + 1], one.x, one.y)
                            : 0xffffffffu;
      if (answer.way_back > plan.back_limit) answer.status = FORWARD_BACKWARD;
    }
  }
  if (shared.lane > 0) return;
  const bool tracked = answer.status == TRACKED;
  found[5 * number] = (uint)(tracked ? answer.x : queries[4 * number]);
  found[5 * number + 1] = (uint)(tracked ? answer.y : queries[4 * number + 1]);
  found[5 * number + 2] = (uint)answer.status | (answer.converged ? 0x100u : 0u);
  found[5 * number + 3] = answer.residual;
  found[5 * number + 4] = answer.way_back;
}

// SPDX-License-Identifier: Apache-2.0
// make_motion_plan: the range of every field from both sides, the rules between fields, and what follows from them.
#include "plan/motion/plan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/expect_error.hpp"

namespace vergence {
namespace {

constexpr Size size{200, 100};
constexpr int int_max = std::numeric_limits<int>::max();
constexpr int int_min = std::numeric_limits<int>::min();

void expect_refused(const MotionOptions& options, const std::string& part, Size frame = size) {
  EXPECT_ERROR(make_motion_plan(frame, options), ErrorCode::invalid_argument, part);
}

TEST(MotionPlan, Numbers) {
  for (const int lambda : {0, 1, int_max}) EXPECT_NO_THROW(make_motion_plan(size, {.lambda = lambda}));
  for (const int lambda : {-1, int_min}) expect_refused({.lambda = lambda}, "lambda is " + std::to_string(lambda));
  for (const int largest : {1, 1023, 65535}) EXPECT_NO_THROW(make_motion_plan(size, {.max_value = largest}));
  for (const int largest : {0, -1, 65536})
    expect_refused({.max_value = largest}, "max-value is " + std::to_string(largest));
}

TEST(MotionPlan, Levels) {
  for (const int levels : {0, 5})
    EXPECT_NO_THROW(make_motion_plan(size, {.search = MotionSearch::tz, .levels = levels}));
  for (const int levels : {-1, 6}) expect_refused({.levels = levels}, "levels is " + std::to_string(levels));
  EXPECT_NO_THROW(make_motion_plan(size, {.search = MotionSearch::hierarchical, .levels = 1}));
  expect_refused({.search = MotionSearch::hierarchical, .levels = 0}, "levels is 0: allowed are 1 .. 5");
}

TEST(MotionPlan, Blocks) {
  for (const Size block : {Size{4, 4}, Size{64, 64}, Size{4, 64}, Size{12, 20}})
    EXPECT_NO_THROW(make_motion_plan(size, {.block = block})) << block.width << "x" << block.height;
  for (const Size block : {Size{0, 8}, Size{8, 0}, Size{-8, 8}, Size{2, 8}, Size{8, 6}, Size{68, 8}, Size{8, int_max}})
    expect_refused({.block = block}, "block is " + std::to_string(block.width) + "x" + std::to_string(block.height));
  expect_refused({.block = {16, 16}, .range_x = {-8, 8}, .range_y = {-8, 8}}, "larger than the 12x40 frame", {12, 40});
  expect_refused({.block = {16, 16}, .range_x = {-8, 8}, .range_y = {-8, 8}}, "larger than the 40x12 frame", {40, 12});
}

TEST(MotionPlan, Ranges) {
  const Size large{1000, 1000};
  for (const MotionRange range : {MotionRange{-512, 512}, MotionRange{-64, 63}, MotionRange{0, 1}, MotionRange{-1, 0}})
    EXPECT_NO_THROW(make_motion_plan(large, {.range_x = range, .range_y = range}));
  EXPECT_NO_THROW(make_motion_plan(large, {.range_x = {0, 0}}));
  EXPECT_NO_THROW(make_motion_plan(large, {.range_y = {0, 0}}));
  for (const MotionRange range : {MotionRange{1, 5}, MotionRange{-5, -1}, MotionRange{5, -5}, MotionRange{-513, 0},
                                  MotionRange{0, 513}, MotionRange{int_min, int_max}}) {
    const std::string text = std::to_string(range.first) + ":" + std::to_string(range.last);
    expect_refused({.range_x = range}, "range is " + text + " in x", large);
    expect_refused({.range_y = range}, "range is " + text + " in y", large);
  }
  expect_refused({.range_x = {0, 0}, .range_y = {0, 0}}, "range is 0 in x and y");
  EXPECT_NO_THROW(make_motion_plan(size, {.range_x = {-200, 200}, .range_y = {-100, 100}}));
  expect_refused({.range_x = {-201, 0}}, "range is -201:0 in x: the first must be -200 .. 0");
  expect_refused({.range_y = {0, 101}}, "the frame's height");
}

TEST(MotionPlan, FrameSizes) {
  const MotionOptions o{.block = {4, 4}, .range_x = {-1, 1}, .range_y = {-1, 1}};
  EXPECT_NO_THROW(make_motion_plan({4, 4}, o));
  expect_refused(o, "frame size is 0x10", {0, 10});
  expect_refused(o, "frame size is 10x-1", {10, -1});
  expect_refused(o, "frame size is 1048577x10", {1048577, 10});
  expect_refused(o, "at most 2147483647 pixels", {1048576, 2048});
}

TEST(MotionPlan, UnknownEnumerators) {
  expect_refused({.search = static_cast<MotionSearch>(99)}, "search has the unknown value 99");
  expect_refused({.step_grid = static_cast<MotionStepGrid>(4)}, "step-grid has the unknown value 4");
  expect_refused({.cost = static_cast<MotionCost>(-1)}, "cost has the unknown value -1");
  expect_refused({.border = static_cast<MotionBorder>(2)}, "border has the unknown value 2");
  expect_refused({.depth = static_cast<Depth>(2)}, "depth has the unknown value 2");
}

TEST(MotionPlan, AllSizesBuildOnBlocksOf8) {
  EXPECT_ERROR(make_motion_sizes_plan({7, 8}, {}), ErrorCode::invalid_argument, "block is 8x8, larger than the 7x8");
  const MotionPlan plan = make_motion_sizes_plan(size, {});
  EXPECT_EQ(plan.blocks, (std::vector<Size>{{8, 8}, {16, 16}, {32, 32}, {64, 64}}));
  EXPECT_EQ(plan.grids, (std::vector<Size>{{25, 13}, {13, 7}, {7, 4}, {4, 2}}));
  EXPECT_EQ(plan.max_cost, 64u * 64u * 255u);
}

TEST(MotionPlan, Limits) {
  const MotionPlan sad = make_motion_plan(size, {});
  EXPECT_EQ(sad.blocks, (std::vector<Size>{{16, 16}}));
  EXPECT_EQ(sad.grids, (std::vector<Size>{{13, 7}}));
  EXPECT_EQ(sad.farthest, 64);
  EXPECT_EQ(make_motion_plan(size, {.range_x = {-3, 7}, .range_y = {-9, 2}}).farthest, 9);
  EXPECT_EQ(sad.max_cost, 65280u);
  EXPECT_EQ(sad.max_j, 65280u);
  EXPECT_EQ(make_motion_plan(size, {.cost = MotionCost::satd}).max_cost, 2u * 65280u);
  const MotionPlan ssd = make_motion_plan(
      size, {.cost = MotionCost::ssd, .block = {64, 64}, .lambda = 65536, .depth = Depth::u16, .max_value = 1023});
  EXPECT_EQ(ssd.max_pixel, 1023);
  EXPECT_EQ(ssd.max_cost, 4096u * 1023u * 1023u);
  EXPECT_EQ(ssd.max_j, ssd.max_cost + 54);
}

}  // namespace
}  // namespace vergence

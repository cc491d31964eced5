// SPDX-License-Identifier: Apache-2.0
// What a plan refuses, by name, and what it derives.
#include "plan/track/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/expect_error.hpp"

namespace vergence {
namespace {

constexpr Size plan_size{64, 48};

template <class Value>
struct Case {
  Value TrackOptions::*field;
  std::string name;
  std::vector<Value> good, bad;
};

template <class Value>
void expect_ranges(const std::vector<Case<Value>>& cases) {
  for (const Case<Value>& one : cases) {
    for (const Value& value : one.good) {
      TrackOptions o;
      o.*one.field = value;
      EXPECT_NO_THROW(make_track_plan(plan_size, o)) << one.name;
    }
    for (const Value& value : one.bad) {
      TrackOptions o;
      o.*one.field = value;
      EXPECT_ERROR(make_track_plan(plan_size, o), ErrorCode::invalid_argument, one.name + " is ");
    }
  }
}

TEST(TrackPlan, WholeNumbers) {
  expect_ranges<int>({
      {&TrackOptions::points, "points", {0, 1000000}, {-1, 1000001}},
      {&TrackOptions::refill, "refill", {1, 100}, {0, 101}},
      {&TrackOptions::harris_k, "harris-k", {1, 25}, {0, 26}},
      {&TrackOptions::block, "corner-block", {3, 5, 7}, {1, 4, 9}},
      {&TrackOptions::min_distance, "min-distance", {0, 65535}, {-1, 65536}},
      {&TrackOptions::window, "window", {3, 8, 16, 32, 21, 47}, {0, 1, 2, 4, 48, 49, 63, 64, 65, -21}},
      {&TrackOptions::levels, "levels", {0, 8}, {-1, 9}},
      {&TrackOptions::iterations, "iterations", {1, 1000}, {0, 1001}},
      {&TrackOptions::history, "history", {1, 65536}, {0, 65537}},
      {&TrackOptions::max_value, "max-value", {1, 65535}, {0, 65536}},
  });
}

TEST(TrackPlan, RealNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  expect_ranges<double>({
      {&TrackOptions::quality, "quality", {0, 0.999}, {-0.01, 1, nan, inf}},
      {&TrackOptions::epsilon, "epsilon", {0, 1}, {-1e-9, 1.1, nan}},
      {&TrackOptions::min_eigen, "min-eigen", {0, 1e6}, {-1, 2e6, nan}},
      {&TrackOptions::max_residual, "max-residual", {0, 255}, {-1, 255.5, nan}},
      {&TrackOptions::forward_backward, "forward-backward", {0, 63}, {-1, 63.5, nan}},
      {&TrackOptions::min_separation, "min-separation", {0, 65535}, {-1, 65536, nan}},
  });
}

TEST(TrackPlan, GridAndRegion) {
  expect_ranges<Size>({{&TrackOptions::grid, "grid", {{1, 1}, {256, 3}}, {{0, 1}, {1, 0}, {257, 1}, {-1, -1}}}});
  expect_ranges<std::optional<Rect>>(
      {{&TrackOptions::roi,
        "roi",
        {std::nullopt, Rect{0, 0, 64, 48}, Rect{63, 47, 1, 1}},
        {Rect{}, Rect{0, 0, 65, 48}, Rect{1, 0, 64, 48}, Rect{-1, 0, 5, 5}, Rect{5, 5, 0, 5}, Rect{5, 5, 5, -1},
         Rect{64, 0, 1, 1}, Rect{2, 2, 2147483647, 5}}}});
  EXPECT_EQ(make_track_plan(plan_size, {}).roi, (Rect{0, 0, 64, 48}));
}

TEST(TrackPlan, EnumerationsAndSizes) {
  TrackOptions o;
  o.corner = static_cast<TrackCorner>(2);
  EXPECT_ERROR(make_track_plan(plan_size, o), ErrorCode::invalid_argument, "corner has the unknown value 2");
  o = {};
  o.guess = static_cast<TrackGuess>(-1);
  EXPECT_ERROR(make_track_plan(plan_size, o), ErrorCode::invalid_argument, "guess has the unknown value -1");
  o = {};
  o.depth = static_cast<Depth>(7);
  EXPECT_ERROR(make_track_plan(plan_size, o), ErrorCode::invalid_argument, "depth has the unknown value 7");
  for (const Size bad : {Size{0, 48}, Size{64, -1}, Size{1 << 21, 48}, Size{1 << 20, 1 << 20}})
    EXPECT_ERROR(make_track_plan(bad, {}), ErrorCode::invalid_argument, "frame size is ");
  EXPECT_ERROR(make_track_plan({21, 100}, {}), ErrorCode::invalid_argument,
               "window is 21, but the frame is 21x100: both sides must exceed");
  EXPECT_NO_THROW(make_track_plan({22, 22}, {}));
}

TEST(TrackPlan, UnitsAreThoseOfTheDepth) {
  TrackOptions o;
  const TrackPlan bytes = make_track_plan(plan_size, o);
  EXPECT_EQ(bytes.step_unit, 1024);
  EXPECT_EQ(bytes.short_step, 104);                         // (0.01 x 1024)^2 = 104.86
  EXPECT_DOUBLE_EQ(bytes.eigen_limit, 2 * 441 * 104.8576);  // 1e-4 x 2^20 = 104.8576
  EXPECT_EQ(bytes.distance, std::int64_t{10240} * 10240);
  EXPECT_EQ(bytes.residual_limit, 20u * 1024);
  EXPECT_EQ(bytes.back_limit, 1024u * 1024);
  o.depth = Depth::u16;
  const TrackPlan words = make_track_plan(plan_size, o);
  EXPECT_EQ(words.step_unit, 8192);                             // gradients of 16 units, patches of 2
  EXPECT_DOUBLE_EQ(words.eigen_limit, 64 * bytes.eigen_limit);  // gradients are 8 times those of bytes
  o.max_value = 1023;
  const TrackPlan ten = make_track_plan(plan_size, o);
  EXPECT_EQ(ten.step_unit, 4096);
  EXPECT_DOUBLE_EQ(ten.eigen_limit, 16 * bytes.eigen_limit);
  o.max_residual = o.forward_backward = 0;
  EXPECT_EQ(make_track_plan(plan_size, o).residual_limit, 0xFFFFFFFFu);
  EXPECT_EQ(make_track_plan(plan_size, o).back_limit, 0xFFFFFFFFu);
  o.max_residual = 2.5;
  o.forward_backward = 0.5;
  EXPECT_EQ(make_track_plan(plan_size, o).residual_limit, 4 * 2560u);  // 2.5 of 255 are 10 of 1023
  EXPECT_EQ(make_track_plan(plan_size, o).back_limit, 512u * 512);
  for (const auto& [largest, scale] :
       std::vector<std::pair<int, unsigned>>{{200, 1}, {256, 2}, {4095, 16}, {65535, 256}}) {
    o.max_value = largest;
    EXPECT_EQ(make_track_plan(plan_size, o).residual_limit, scale * 2560) << largest;
  }
  o.depth = Depth::u8;
  o.max_value = 65535;
  EXPECT_EQ(make_track_plan(plan_size, o).residual_limit, 2560u);
}

}  // namespace
}  // namespace vergence

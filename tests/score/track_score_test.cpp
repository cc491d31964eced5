// SPDX-License-Identifier: Apache-2.0
// End-point errors worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/expect_error.hpp"
#include "vergence/score.hpp"

namespace vergence {
namespace {

constexpr float unknown_flow = 2e9F;

/// 4x3: u is the column, v ten times the row.
Image<FlowVector> ramp() {
  Image<FlowVector> flow(4, 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 4; ++x) flow(x, y) = {static_cast<float>(x), 10.0F * static_cast<float>(y)};
  return flow;
}

TrackStep found(double x, double y, double to_x, double to_y) { return {x, y, true, to_x, to_y}; }
TrackStep lost(double x, double y) { return {x, y, false, 0, 0}; }

TEST(TrackScore, HandWorked) {
  const Image<FlowVector> flow = ramp();
  TrackScorer scorer;
  EXPECT_TRUE(scorer.add(found(1, 1, 2, 11), flow));               // 0
  EXPECT_TRUE(scorer.add(found(2, 0, 4.5, 0), flow));              // 0.5: not above 0.5
  EXPECT_TRUE(scorer.add(found(0, 1, 0.75, 11), flow));            // 0.75
  EXPECT_TRUE(scorer.add(found(0, 0, 3, 4), flow));                // 5
  EXPECT_TRUE(scorer.add(found(1.5, 0.25, 3, 2.75 + 1.5), flow));  // flow 1.5, 2.5; 1.5
  EXPECT_TRUE(scorer.add(lost(3, 2), flow));
  EXPECT_FALSE(scorer.add(lost(3.01, 2), flow));
  EXPECT_FALSE(scorer.add(found(-0.001, 2, 1, 1), flow));
  const TrackScore score = scorer.score();
  EXPECT_EQ(score.points, 6);
  EXPECT_EQ(score.found, 5);
  EXPECT_EQ(score.unknown, 2);
  EXPECT_DOUBLE_EQ(score.survival, 500.0 / 6);
  EXPECT_DOUBLE_EQ(score.mean_error, 7.75 / 5);
  EXPECT_DOUBLE_EQ(score.median_error, 0.75);
  EXPECT_DOUBLE_EQ(score.bad[0], 60);
  EXPECT_DOUBLE_EQ(score.bad[1], 40);
  EXPECT_DOUBLE_EQ(score.bad[2], 20);
}

TEST(TrackScore, UnknownFlowIsLeftOutWhereItTakesPart) {
  Image<FlowVector> flow = ramp();
  flow(1, 1) = {unknown_flow, 0};
  flow(3, 2) = {0, std::numeric_limits<float>::quiet_NaN()};
  TrackScorer scorer;
  EXPECT_FALSE(scorer.add(found(1, 1, 1, 1), flow));
  EXPECT_FALSE(scorer.add(found(0.5, 0.5, 1, 1), flow));
  EXPECT_FALSE(scorer.add(found(3, 1.5, 1, 1), flow));
  EXPECT_TRUE(scorer.add(found(0, 1, 0, 11), flow));  // the unknown neighbour has no weight
  EXPECT_TRUE(scorer.add(found(2, 1.5, 4, 16.5), flow));
  EXPECT_EQ(scorer.score().unknown, 3);
  EXPECT_EQ(scorer.score().mean_error, 0);
}

TEST(TrackScore, NothingToScoreIsNotZero) {
  TrackScorer scorer;
  EXPECT_TRUE(std::isnan(scorer.score().survival));
  const Image<FlowVector> flow = ramp();
  scorer.add(lost(1, 1), flow);
  const TrackScore score = scorer.score();
  EXPECT_EQ(score.survival, 0);
  EXPECT_TRUE(std::isnan(score.mean_error));
  EXPECT_TRUE(std::isnan(score.median_error));
  EXPECT_TRUE(std::isnan(score.bad[0]));
}

TEST(TrackScore, Refusals) {
  TrackScorer scorer;
  const Image<FlowVector> flow = ramp();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_ERROR(scorer.add(lost(1, 1), {}), ErrorCode::invalid_argument, "the flow is empty");
  EXPECT_ERROR(scorer.add(lost(nan, 1), flow), ErrorCode::invalid_argument, "not finite");
  EXPECT_ERROR(scorer.add(found(1, 1, nan, 1), flow), ErrorCode::invalid_argument, "not finite");
  EXPECT_EQ(scorer.score().points, 0);
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Confidence of vectors: the rule by hand, and blocks of which one should or should not be sure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "core/pictures.hpp"
#include "definitions/motion/confidence.h"
#include "motion/motion_oracle.hpp"

namespace vergence {
namespace {

TEST(MotionConfidence, ByHand) {
  using definitions::motion_confidence;
  EXPECT_EQ(motion_confidence(0, 100, false, 50, 60), 255);
  EXPECT_EQ(motion_confidence(10, 100, false, 50, 60), 204);  // 255 x 40 / 50
  EXPECT_EQ(motion_confidence(10, 100, false, 60, 50), 204);
  EXPECT_EQ(motion_confidence(10, 15, false, 50, 60), 85);  // 255 x 5 / 15
  EXPECT_EQ(motion_confidence(10, 10, true, 50, 60), 204);  // standing still competes with the texture alone
  EXPECT_EQ(motion_confidence(50, 100, false, 50, 60), 0);
  EXPECT_EQ(motion_confidence(70, 100, false, 50, 60), 0);
  EXPECT_EQ(motion_confidence(0, 100, false, 0, 60), 0);  // nothing tells rows apart
  const std::uint64_t most = std::uint64_t{4096} * 65535 * 65535;
  EXPECT_EQ(motion_confidence(1, most, false, most, most), 254);
}

TEST(MotionConfidence, OfBlocks) {
  // Noise on the left, stripes in the middle, nothing on the right; all moved by (2, 0).
  Image<std::uint8_t> reference = test::noise<std::uint8_t>({48, 16}, 4, 255);
  for (int y = 0; y < 16; ++y)
    for (int x = 16; x < 48; ++x) reference(x, y) = static_cast<std::uint8_t>(x < 32 ? x % 8 * 30 : 90);
  Image<std::uint8_t> current(48, 16);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 48; ++x) current(x, y) = reference(std::min(x + 2, 47), y);
  MotionOptions o{.block = {12, 12}, .range_x = {-3, 3}, .range_y = {-3, 3}};
  MotionEstimator estimator(Device("reference"), {48, 16}, o);
  test::Found found(estimator.blocks());
  Image<std::uint8_t> confidence(estimator.blocks());
  MotionOutput maps = found.output();
  maps.confidence = confidence;
  estimator.compute({current, reference}, maps);
  EXPECT_EQ(found.vectors(0, 0), (MotionVector{8, 0}));
  EXPECT_EQ(confidence(0, 0), 255);
  EXPECT_EQ(confidence(3, 0), 0);
  // The same without a map of costs.
  Image<std::uint8_t> again(estimator.blocks(), 7);
  MotionOutput few;
  few.vectors = found.vectors;
  few.confidence = again;
  estimator.compute({current, reference}, few);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) EXPECT_EQ(again(x, y), confidence(x, y));
  EXPECT_GT(estimator.memory(), 0u);
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Fields after the search: the forward-backward check and the dense field, by hand.
#include <gtest/gtest.h>

#include <cstdint>

#include "core/expect_error.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

TEST(MotionCheck, ByHand) {
  // Blocks of 8x8 in a frame of 20x8: middles at x 4, 12, 18.
  Image<MotionVector> forward(3, 1, MotionVector{});
  Image<MotionVector> backward(3, 1, MotionVector{});
  Image<std::uint8_t> consistent(3, 1, 9);
  forward(0, 0) = {32, 0};  // to x 12, block 1
  backward(1, 0) = {-30, 1};
  forward(1, 0) = {-18, 0};  // -4.5 px, rounded to -4: to x 8, block 1
  forward(2, 0) = {8, 0};    // to x 20, outside
  check_motion(forward, backward, {20, 8}, {8, 8}, 2, consistent);
  EXPECT_EQ(consistent(0, 0), 1);
  EXPECT_EQ(consistent(1, 0), 0);
  EXPECT_EQ(consistent(2, 0), 0);
  check_motion(forward, backward, {20, 8}, {8, 8}, 1, consistent);
  EXPECT_EQ(consistent(0, 0), 0);
  backward(1, 0) = {18, 0};
  check_motion(forward, backward, {20, 8}, {8, 8}, 0, consistent);
  EXPECT_EQ(consistent(1, 0), 1);
  forward(2, 0) = {4, 0};  // to x 19, the last column
  backward(2, 0) = {-4, 0};
  check_motion(forward, backward, {20, 8}, {8, 8}, 0, consistent);
  EXPECT_EQ(consistent(2, 0), 1);
  EXPECT_ERROR(check_motion(forward, backward, {20, 8}, {8, 8}, -1, consistent), ErrorCode::invalid_argument,
               "threshold is -1");
  EXPECT_ERROR(check_motion(forward, backward, {28, 8}, {8, 8}, 0, consistent), ErrorCode::invalid_argument,
               "the forward field is 3x1: it must be 4x1");
  EXPECT_ERROR(check_motion(forward, backward, {20, 8}, {0, 8}, 0, consistent), ErrorCode::invalid_argument,
               "at least 1");
}

TEST(MotionDense, EveryPixelHasItsBlocksVector) {
  Image<MotionVector> vectors(3, 2);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x) vectors(x, y) = {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
  Image<MotionVector> dense(18, 9);
  dense_motion(vectors, {8, 8}, dense);
  EXPECT_EQ(dense(7, 7), (MotionVector{0, 0}));
  EXPECT_EQ(dense(8, 7), (MotionVector{1, 0}));
  EXPECT_EQ(dense(17, 8), (MotionVector{2, 1}));
  Image<MotionVector> wide(30, 9);
  EXPECT_ERROR(dense_motion(vectors, {8, 8}, wide), ErrorCode::invalid_argument, "the vector field is 3x2");
}

}  // namespace
}  // namespace vergence

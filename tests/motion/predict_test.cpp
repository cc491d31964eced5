// SPDX-License-Identifier: Apache-2.0
// Predictions: shifts and blends by hand, chroma planes, and seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "motion/motion_oracle.hpp"
#include "motion/sample_oracle.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {
namespace {

MotionOptions options(bool overlap) {
  return {.block = {4, 4}, .range_x = {-4, 4}, .range_y = {-4, 4}, .overlap = overlap};
}

TEST(MotionPredict, WholeAndHalfPixels) {
  Image<std::uint8_t> reference(8, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) reference(x, y) = static_cast<std::uint8_t>(16 * x);
  Image<MotionVector> vectors(2, 1);
  vectors(0, 0) = {4, 0};   // one px right
  vectors(1, 0) = {-8, 0};  // two px left
  Image<std::uint8_t> prediction(8, 4);
  MotionEstimator estimator(Device("reference"), {8, 4}, options(false));
  estimator.predict(reference, vectors, prediction);
  for (int x = 0; x < 8; ++x) EXPECT_EQ(prediction(x, 2), x < 4 ? 16 * (x + 1) : 16 * (x - 2)) << x;
  // The middle of an even ramp is its mean, where the taps see no edge.
  vectors(0, 0) = {2, 0};
  estimator.predict(reference, vectors, prediction);
  EXPECT_EQ(prediction(3, 1), 56);
}

TEST(MotionPredict, OverlapByHand) {
  // On a ramp of 16 per px, the right block's vector adds 16. Shares of the neighbour: 1/8 and 3/8 towards the seam.
  Image<std::uint8_t> reference(12, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 12; ++x) reference(x, y) = static_cast<std::uint8_t>(16 * x);
  Image<MotionVector> vectors(3, 1, MotionVector{0, 0});
  vectors(1, 0) = {4, 0};
  Image<std::uint8_t> prediction(12, 4);
  MotionEstimator(Device("reference"), {12, 4}, options(true)).predict(reference, vectors, prediction);
  const std::vector<int> added{0, 0, 2, 6, 10, 14, 14, 10, 6, 2, 0, 0};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 12; ++x) EXPECT_EQ(prediction(x, y), 16 * x + added[static_cast<std::size_t>(x)]) << x;
}

TEST(MotionPredict, ChromaByHand) {
  // 4:2:0 of a frame of 9x5: 5x3 pixels. 16 quarters of luma are two chroma px; 4 are half a chroma px.
  const MotionOptions o = options(false);
  MotionEstimator estimator(Device("reference"), {9, 5}, o);
  Image<std::uint8_t> reference(5, 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) reference(x, y) = static_cast<std::uint8_t>(40 * x + y);
  Image<MotionVector> vectors(3, 2, MotionVector{16, 0});
  Image<std::uint8_t> prediction(5, 3);
  estimator.predict(reference, vectors, prediction, MotionPlane::chroma_420);
  for (int x = 0; x < 5; ++x) EXPECT_EQ(prediction(x, 1), 40 * std::min(x + 2, 4) + 1);
  vectors.fill({4, 0});
  estimator.predict(reference, vectors, prediction, MotionPlane::chroma_420);
  EXPECT_EQ(prediction(1, 0), 60);
  EXPECT_ERROR(estimator.predict(reference, vectors, prediction, MotionPlane::chroma_422), ErrorCode::invalid_argument,
               "the reference plane is 5x3: it must be 5x5");
  EXPECT_ERROR(estimator.predict(reference, vectors, prediction), ErrorCode::invalid_argument, "it must be 9x5");
  EXPECT_ERROR(estimator.predict(reference, vectors, prediction, static_cast<MotionPlane>(4)),
               ErrorCode::invalid_argument, "plane has the unknown value 4");
}

TEST(MotionPredict, Refuses) {
  MotionEstimator estimator(Device("reference"), {8, 4}, options(false));
  Image<std::uint8_t> reference(8, 4, 0);
  Image<std::uint8_t> prediction(8, 4);
  Image<MotionVector> vectors(2, 1, MotionVector{2049, 0});
  EXPECT_ERROR(estimator.predict(reference, vectors, prediction), ErrorCode::invalid_argument,
               "the vector field holds the vector 2049,0 at block 0,0");
  vectors.fill({});
  EXPECT_ERROR(estimator.predict(reference, vectors, reference), ErrorCode::invalid_argument,
               "the prediction overlaps the reference plane");
  EXPECT_ERROR(estimator.predict(reference, vectors, {}), ErrorCode::invalid_argument, "the prediction has no pixels");
}

/// A pixel of a plane halved by (sx, sy) under a vector.
template <class P>
int sample_of(const Image<P>& plane, bool luma, int sx, int sy, int x, int y, MotionVector v, int largest) {
  if (luma) return test::sample(plane, test::luma_taps, 4 * x + v.dx, 4 * y + v.dy, largest);
  return test::sample(plane, test::chroma_taps, 8 * x + v.dx * (2 - sx), 8 * y + v.dy * (2 - sy), largest);
}

template <class P>
void expect_prediction(const MotionCase& motion_case, MotionPlane plane) {
  const MotionOptions& o = motion_case.options;
  const bool luma = plane == MotionPlane::luma;
  const int sx = plane == MotionPlane::chroma_420 || plane == MotionPlane::chroma_422 ? 1 : 0;
  const int sy = plane == MotionPlane::chroma_420 ? 1 : 0;
  const int largest = o.depth == Depth::u8 ? 255 : o.max_value;
  MotionEstimator estimator(Device("reference"), motion_case.size, o);
  const Image<MotionVector> vectors = make_previous_field(motion_case, estimator.blocks());
  const Image<P> reference =
      test::noise<P>({(motion_case.size.width + sx) / (1 + sx), (motion_case.size.height + sy) / (1 + sy)},
                     motion_case.seed, static_cast<unsigned>(largest));
  Image<P> prediction(reference.size());
  estimator.predict(reference, vectors, prediction, plane);
  const int bw = o.block.width / (1 + sx);
  const int bh = o.block.height / (1 + sy);
  for (int y = 0; y < prediction.height(); ++y)
    for (int x = 0; x < prediction.width(); ++x) {
      const int column = x / bw;
      const int row = y / bh;
      // Twice the distances from the middle of the block, towards the neighbour.
      const int from_x = o.overlap ? 2 * (x - column * bw) + 1 - bw : 0;
      const int from_y = o.overlap ? 2 * (y - row * bh) + 1 - bh : 0;
      const int side = std::clamp(column + (from_x < 0 ? -1 : 1), 0, vectors.width() - 1);
      const int over = std::clamp(row + (from_y < 0 ? -1 : 1), 0, vectors.height() - 1);
      const auto at = [&](int c, int r) {
        return static_cast<double>(sample_of(reference, luma, sx, sy, x, y, vectors(c, r), largest));
      };
      const double share_x = std::abs(from_x) / (2.0 * bw);
      const double share_y = std::abs(from_y) / (2.0 * bh);
      const double mean = (1 - share_y) * ((1 - share_x) * at(column, row) + share_x * at(side, row)) +
                          share_y * ((1 - share_x) * at(column, over) + share_x * at(side, over));
      // Means are multiples of 1 / (4 bw bh), at least 1/16384: a millionth more decides halves upwards.
      ASSERT_EQ(prediction(x, y), static_cast<int>(std::floor(mean + 0.5 + 1e-6))) << x << "," << y;
    }
}

class MotionPredictSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionPredictSeeds, EqualASecondImplementation) {
  MotionCase motion_case = make_motion_case(static_cast<std::uint64_t>(GetParam()));
  motion_case.all_sizes = false;
  motion_case.options.overlap = GetParam() % 2 == 0;
  const auto plane = static_cast<MotionPlane>(GetParam() / 2 % 4);
  SCOPED_TRACE(describe(motion_case));
  if (motion_case.options.depth == Depth::u8)
    expect_prediction<std::uint8_t>(motion_case, plane);
  else
    expect_prediction<std::uint16_t>(motion_case, plane);
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionPredictSeeds, testing::Range(600, 632));

}  // namespace
}  // namespace vergence

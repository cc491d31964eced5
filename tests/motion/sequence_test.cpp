// SPDX-License-Identifier: Apache-2.0
// MotionSequence: which frame is measured against which, what is handed on, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "motion/motion_oracle.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

constexpr Size sequence_size{48, 32};

MotionOptions sequence_options() {
  return {.search = MotionSearch::tz,
          .levels = 0,
          .block = {8, 8},
          .range_x = {-6, 6},
          .range_y = {-6, 6},
          .lambda = 65536};
}

std::vector<Image<std::uint8_t>> video(int frames) {
  std::vector<Image<std::uint8_t>> all;
  all.push_back(test::noise<std::uint8_t>(sequence_size, 9, 255));
  for (int i = 1; i < frames; ++i) {
    all.push_back(test::shifted(all.back(), 1));
    all.back()(i, i) = 0;
  }
  return all;
}

void expect_equal(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b) {
  ASSERT_EQ(a.size(), b.size());
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) ASSERT_EQ(a(x, y), b(x, y)) << x << "," << y;
}

/// A sequence against the same done by hand with an estimator.
void expect_by_hand(int distance, MotionReference kind) {
  const std::vector<Image<std::uint8_t>> frames = video(6);
  MotionSequence sequence(Device("reference"), sequence_size, sequence_options(), {distance, kind});
  MotionEstimator estimator(Device("reference"), sequence_size, sequence_options());
  std::vector<Image<std::uint8_t>> references;
  Image<MotionVector> previous(estimator.blocks(), MotionVector{});
  for (std::size_t t = 0; t < frames.size(); ++t) {
    test::Found found(estimator.blocks());
    const bool measured = sequence.next(frames[t], found.output(false));
    ASSERT_EQ(measured, static_cast<int>(t) >= distance);
    references.push_back(frames[t].clone());
    if (!measured) continue;
    const Image<std::uint8_t>& reference = references[t - static_cast<std::size_t>(distance)];
    expect_equal(sequence.reference().view<const std::uint8_t>(), reference);
    test::Found expected(estimator.blocks());
    estimator.compute({frames[t], reference, previous}, expected.output(false));
    for (int y = 0; y < previous.height(); ++y)
      for (int x = 0; x < previous.width(); ++x) {
        ASSERT_EQ(found.vectors(x, y), expected.vectors(x, y)) << t << ": " << x << "," << y;
        ASSERT_EQ(found.j(x, y), expected.j(x, y));
      }
    Image<std::uint8_t> prediction(sequence_size);
    estimator.predict(reference, expected.vectors, prediction);
    expect_equal(sequence.prediction().view<const std::uint8_t>(), prediction);
    if (kind == MotionReference::reconstruction) references.back() = std::move(prediction);
    previous = std::move(expected.vectors);
  }
}

TEST(MotionSequence, EqualsTheSameByHand) {
  for (const int distance : {1, 2, 3})
    for (const MotionReference kind : {MotionReference::original, MotionReference::reconstruction})
      expect_by_hand(distance, kind);
}

TEST(MotionSequence, RestartsAndRefuses) {
  const std::vector<Image<std::uint8_t>> frames = video(3);
  MotionSequence sequence(Device("reference"), sequence_size, sequence_options());
  test::Found found(sequence.estimator().blocks());
  EXPECT_ERROR(static_cast<void>(sequence.reference()), ErrorCode::invalid_argument, "no frame has been measured yet");
  EXPECT_FALSE(sequence.next(frames[0], found.output(false)));
  EXPECT_TRUE(sequence.next(frames[1], found.output(false)));
  EXPECT_FALSE(sequence.reference().holds<const std::uint16_t>());
  const Image<std::uint8_t> small(47, 32, 0);
  EXPECT_ERROR(sequence.next(small, found.output(false)), ErrorCode::invalid_argument, "the frame is 47x32");
  const Image<std::uint16_t> wide(sequence_size, 0);
  EXPECT_ERROR(sequence.next(wide, found.output(false)), ErrorCode::invalid_argument, "16-bit pixels");
  EXPECT_TRUE(sequence.next(frames[2], found.output(false)));  // the refused ones left no trace
  expect_equal(sequence.reference().view<const std::uint8_t>(), frames[1]);
  sequence.restart();
  EXPECT_FALSE(sequence.next(frames[0], found.output(false)));
  EXPECT_ERROR(static_cast<void>(sequence.prediction()), ErrorCode::invalid_argument, "no frame has been measured yet");
  for (const int distance : {0, -1, 65})
    EXPECT_ERROR(
        MotionSequence(Device("reference"), sequence_size, sequence_options(), {distance, MotionReference::original}),
        ErrorCode::invalid_argument, "distance is " + std::to_string(distance));
}

}  // namespace
}  // namespace vergence

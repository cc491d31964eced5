// SPDX-License-Identifier: Apache-2.0
// Half- and quarter-pixel refinement: the filters by their tables, known fractions, and seeded cases against a second
// implementation.
#include <gtest/gtest.h>

#include <cstdint>
#include <tuple>

#include "definitions/motion/interpolate.h"
#include "motion/motion_oracle.hpp"
#include "motion/sample_oracle.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {
namespace {

using test::Found;

TEST(MotionFilters, AreTheTables) {
  for (int f = 0; f < 4; ++f)
    for (int k = 0; k < 8; ++k)
      EXPECT_EQ(definitions::luma_tap(f, k), test::luma_taps[static_cast<std::size_t>(f)][static_cast<std::size_t>(k)]);
  for (int f = 0; f < 8; ++f)
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(definitions::chroma_tap(f, k),
                test::chroma_taps[static_cast<std::size_t>(f)][static_cast<std::size_t>(k)]);
}

TEST(MotionFilters, WidthsByHand) {
  using namespace definitions;
  EXPECT_EQ(interpolation_depth(1), 8);
  EXPECT_EQ(interpolation_depth(255), 8);
  EXPECT_EQ(interpolation_depth(256), 9);
  EXPECT_EQ(interpolation_depth(1023), 10);
  EXPECT_EQ(interpolation_depth(65535), 16);
  EXPECT_EQ(first_shift(8), 0);
  EXPECT_EQ(first_shift(10), 2);
  EXPECT_EQ(first_shift(12), 4);
  EXPECT_EQ(first_shift(16), 4);
  EXPECT_EQ(sample_from(64 * 100 + 31, 8, 255), 100);  // 6 bits below the pixel
  EXPECT_EQ(sample_from(64 * 100 + 32, 8, 255), 101);
  EXPECT_EQ(sample_from(-33, 8, 255), 0);
  EXPECT_EQ(sample_from(64 * 256, 8, 255), 255);
  EXPECT_EQ(sample_from(4 * 70 + 2, 16, 65535), 71);
  EXPECT_EQ(sample_from(16 * 1001, 10, 1000), 1000);
  EXPECT_TRUE(is_inside_quarters(8, 8, 4, 17));
  EXPECT_FALSE(is_inside_quarters(8, 8, 5, 17));
  EXPECT_TRUE(is_inside_quarters(1, 8, -4, 17));
  EXPECT_FALSE(is_inside_quarters(1, 8, -5, 17));
}

TEST(MotionRefine, FindsAFraction) {
  // A smooth picture, sampled a quarter of a pixel apart by the filters themselves.
  Image<std::uint8_t> reference(48, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x)
      reference(x, y) = static_cast<std::uint8_t>(128 + (x - 24) * (y - 20) / 6 % 60 + (x * x - y * x) % 40);
  for (const auto& [dx, dy] : {std::pair{6, -3}, {5, 0}, {-2, 2}, {8, -7}}) {
    Image<std::uint8_t> current(48, 48);
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x)
        current(x, y) =
            static_cast<std::uint8_t>(test::sample(reference, test::luma_taps, 4 * x + dx, 4 * y + dy, 255));
    MotionOptions o{.block = {16, 16}, .range_x = {-4, 4}, .range_y = {-4, 4}, .subpel = MotionSubpel::quarter};
    const Found found = test::estimate(current, reference, o);
    EXPECT_EQ(found.vectors(1, 1), (MotionVector{static_cast<std::int16_t>(dx), static_cast<std::int16_t>(dy)}));
    EXPECT_EQ(found.cost(1, 1), 0u);
    o.subpel = MotionSubpel::half;
    const MotionVector half = test::estimate(current, reference, o).vectors(1, 1);
    EXPECT_EQ(half.dx % 2, 0);
    EXPECT_EQ(half.dy % 2, 0);
    EXPECT_LE(std::abs(half.dx - dx), 2);
    EXPECT_LE(std::abs(half.dy - dy), 2);
  }
}

TEST(MotionRefine, StaysInTheRangeAndInside) {
  // Brighter to the right: the further right, the better; the range ends at 1 px.
  Image<std::uint8_t> reference(24, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 24; ++x) reference(x, y) = static_cast<std::uint8_t>(10 * x);
  const Image<std::uint8_t> current(24, 8, 255);
  MotionOptions o{.block = {8, 8}, .range_x = {-1, 1}, .range_y = {0, 0}, .subpel = MotionSubpel::quarter};
  const Found found = test::estimate(current, reference, o);
  EXPECT_EQ(found.vectors(1, 0), (MotionVector{4, 0}));
  EXPECT_EQ(found.vectors(2, 0), (MotionVector{0, 0}));  // the last column is its last
  o.border = MotionBorder::pad;
  EXPECT_EQ(test::estimate(current, reference, o).vectors(2, 0), (MotionVector{4, 0}));
}

template <class P>
std::uint64_t cost_at(const MotionFrames<P>& frames, const MotionOptions& o, const Rect& block, int dx, int dy) {
  const int largest = o.depth == Depth::u8 ? 255 : o.max_value;
  Image<P> there(frames.current.size(), 0);
  for (int y = block.y; y < block.y + block.height; ++y)
    for (int x = block.x; x < block.x + block.width; ++x)
      there(x, y) = static_cast<P>(test::sample(frames.reference, test::luma_taps, 4 * x + dx, 4 * y + dy, largest));
  return test::oracle_cost(frames.current, there, o.cost, block, 0, 0);
}

template <class P>
void expect_refined(const MotionCase& motion_case) {
  const MotionOptions& o = motion_case.options;
  const MotionFrames<P> frames = make_motion_frames<P>(motion_case);
  MotionOptions whole = o;
  whole.subpel = MotionSubpel::none;
  MotionEstimator estimator(Device("reference"), motion_case.size, whole);
  const Image<MotionVector> previous = make_previous_field(motion_case, estimator.blocks());
  Found start(estimator.blocks());
  Found found(estimator.blocks());
  estimator.compute({frames.current, frames.reference, previous}, start.output(false));
  MotionEstimator(Device("reference"), motion_case.size, o)
      .compute({frames.current, frames.reference, previous}, found.output(false));
  using Key = std::tuple<std::uint64_t, int, int, int>;
  for (int row = 0; row < found.vectors.height(); ++row)
    for (int column = 0; column < found.vectors.width(); ++column) {
      const Rect block = test::block_at(motion_case.size, o.block, column, row);
      const MotionVector p = previous(column, row);
      const auto key = [&](int dx, int dy) {
        const auto bits = static_cast<std::uint64_t>(test::oracle_bits(dx - p.dx) + test::oracle_bits(dy - p.dy));
        const std::uint64_t j = cost_at(frames, o, block, dx, dy) + static_cast<std::uint64_t>(o.lambda) * bits / 65536;
        return Key{j, std::abs(dx) + std::abs(dy), dy, dx};
      };
      Key best = key(start.vectors(column, row).dx, start.vectors(column, row).dy);
      for (int distance = 2; distance >= (o.subpel == MotionSubpel::quarter ? 1 : 2); --distance) {
        const Key centre = best;
        for (int v = -distance; v <= distance; v += distance)
          for (int u = -distance; u <= distance; u += distance) {
            const int dx = std::get<3>(centre) + u;
            const int dy = std::get<2>(centre) + v;
            const bool in_range = dx >= 4 * o.range_x.first && dx <= 4 * o.range_x.last && dy >= 4 * o.range_y.first &&
                                  dy <= 4 * o.range_y.last;
            const bool inside = 4 * block.x + dx >= 0 && 4 * block.y + dy >= 0 &&
                                4 * (block.x + block.width - 1) + dx <= 4 * (motion_case.size.width - 1) &&
                                4 * (block.y + block.height - 1) + dy <= 4 * (motion_case.size.height - 1);
            if (in_range && (inside || o.border == MotionBorder::pad)) best = std::min(best, key(dx, dy));
          }
      }
      const MotionVector v = found.vectors(column, row);
      ASSERT_EQ((std::pair<int, int>{v.dx, v.dy}), (std::pair<int, int>{std::get<3>(best), std::get<2>(best)}))
          << column << "," << row;
      ASSERT_EQ(found.j(column, row), std::get<0>(best));
      ASSERT_EQ(found.cost(column, row), cost_at(frames, o, block, v.dx, v.dy));
    }
}

class MotionRefineSeeds : public testing::TestWithParam<int> {};

TEST_P(MotionRefineSeeds, EqualASecondImplementation) {
  MotionCase motion_case = make_motion_case(static_cast<std::uint64_t>(GetParam()));
  motion_case.all_sizes = false;
  motion_case.options.subpel = GetParam() % 3 == 0 ? MotionSubpel::half : MotionSubpel::quarter;
  SCOPED_TRACE(describe(motion_case));
  if (motion_case.options.depth == Depth::u8)
    expect_refined<std::uint8_t>(motion_case);
  else
    expect_refined<std::uint16_t>(motion_case);
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionRefineSeeds, testing::Range(500, 530));

}  // namespace
}  // namespace vergence

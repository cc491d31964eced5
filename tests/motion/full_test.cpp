// SPDX-License-Identifier: Apache-2.0
// The exhaustive search: tiny cases worked out by hand, known shifts, and seeded cases against a second implementation.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "motion/motion_oracle.hpp"
#include "vergence/motion.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {
namespace {

using test::estimate;
using test::Found;
using test::picture;

/// One block of 4x4 in a frame of 6x6, range +-2.
MotionOptions small(MotionBorder border = MotionBorder::inside) {
  MotionOptions o;
  o.block = {4, 4};
  o.range_x = o.range_y = {-2, 2};
  o.border = border;
  return o;
}

TEST(MotionFull, FindsAMark) {
  // The mark of the first block, a 9 at (1, 1), lies at (2, 3) in the reference: one right, two down.
  const Image<std::uint8_t> current = picture({"000000", "090000", "000000", "000000", "000000", "000000"});
  const Image<std::uint8_t> reference = picture({"000000", "000000", "000000", "009000", "000000", "000000"});
  const Found found = estimate(current, reference, small());
  EXPECT_EQ(found.vectors(0, 0), (MotionVector{4, 8}));
  EXPECT_EQ(found.cost(0, 0), 0u);
  // Everywhere else both marks count: 18.
  EXPECT_EQ(found.second_j(0, 0), 18u);
  // The other blocks see zeros everywhere but near the mark: they stay.
  EXPECT_EQ(found.vectors(1, 1), (MotionVector{0, 0}));
}

TEST(MotionFull, CostsOfEvenDifferencesByHand) {
  // 10 against 13 in a frame of 10x6 with blocks of 8x4: 8x4, 2x4, 8x2 and 2x2 pixels.
  const Image<std::uint8_t> current(10, 6, 10);
  const Image<std::uint8_t> reference(10, 6, 13);
  MotionOptions o = small();
  o.block = {8, 4};
  const std::vector<std::pair<MotionCost, std::vector<std::uint64_t>>> table{
      {MotionCost::sad, {96, 24, 48, 12}},
      {MotionCost::ssd, {288, 72, 144, 36}},
      // Two tiles of 4x4 whose only coefficient is 16 x 3: (48 + 1) >> 1 each. The rest is too small for tiles.
      {MotionCost::satd, {48, 24, 48, 12}}};
  for (const auto& [cost, expected] : table) {
    o.cost = cost;
    const Found found = estimate(current, reference, o);
    ASSERT_EQ(found.vectors.size(), (Size{2, 2}));
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(found.cost(i % 2, i / 2), expected[static_cast<std::size_t>(i)]) << i;
      EXPECT_EQ(found.vectors(i % 2, i / 2), (MotionVector{0, 0})) << i;
    }
  }
}

TEST(MotionFull, SatdOfASinglePixel) {
  // One pixel of 8 that differs makes every coefficient 8: 64 x 8 = 512, (512 + 2) >> 2 = 128.
  Image<std::uint8_t> current(8, 8, 0);
  const Image<std::uint8_t> reference(8, 8, 0);
  current(3, 5) = 8;
  MotionOptions o = small();
  o.block = {8, 8};
  o.cost = MotionCost::satd;
  EXPECT_EQ(estimate(current, reference, o).cost(0, 0), 128u);
}

TEST(MotionFull, LargestCosts) {
  MotionOptions o = small();
  o.block = {64, 64};
  o.depth = Depth::u16;
  o.range_x = o.range_y = {-1, 1};
  const Image<std::uint16_t> black(64, 64, 0);
  const Image<std::uint16_t> white(64, 64, 65535);
  EXPECT_EQ(estimate(black, white, o).cost(0, 0), 4096u * 65535u);
  o.cost = MotionCost::ssd;
  EXPECT_EQ(estimate(black, white, o).cost(0, 0), std::uint64_t{4096} * 65535u * 65535u);
}

TEST(MotionFull, TiesGoToTheShortestThenUpThenLeft) {
  // Pixels depend on (x + y) mod 4 and the current frame is two steps ahead: every (dx, dy) with dx + dy = 2 mod 4
  // costs nothing. Of length 2 there are (0, -2), (-1, -1), (-2, 0), (2, 0), (1, 1), (0, 2).
  Image<std::uint8_t> current(24, 24);
  Image<std::uint8_t> reference(24, 24);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x) {
      reference(x, y) = static_cast<std::uint8_t>((x + y) % 4 * 50);
      current(x, y) = static_cast<std::uint8_t>((x + y + 2) % 4 * 50);
    }
  MotionOptions o = small();
  o.block = {8, 8};
  o.range_x = o.range_y = {-3, 3};
  const Found found = estimate(current, reference, o);
  EXPECT_EQ(found.vectors(1, 1), (MotionVector{0, -8}));
  // In the top row nothing lies above: (-1, -1) is outside as well, so (-2, 0); in the left column (0, -2) again.
  EXPECT_EQ(found.vectors(1, 0), (MotionVector{-8, 0}));
  EXPECT_EQ(found.vectors(0, 1), (MotionVector{0, -8}));
  EXPECT_EQ(found.vectors(0, 0), (MotionVector{8, 0}));
  for (const int row : {0, 1, 2})
    for (const int column : {0, 1, 2}) EXPECT_EQ(found.cost(column, row), 0u);
}

TEST(MotionFull, BordersInsideAndPad) {
  // What is dark in the reference's two left columns has moved out of the frame on the left.
  const Image<std::uint8_t> reference = picture({"99000000", "99000000", "99000000", "99000000"});
  const Image<std::uint8_t> current = picture({"99990000", "99990000", "99990000", "99990000"});
  MotionOptions o = small();
  o.range_y = {0, 0};
  const Found inside = estimate(current, reference, o);
  EXPECT_EQ(inside.vectors(0, 0), (MotionVector{0, 0}));  // nothing lies left of column 0
  EXPECT_EQ(inside.cost(0, 0), 8u * 9u);
  o.border = MotionBorder::pad;
  const Found padded = estimate(current, reference, o);
  EXPECT_EQ(padded.vectors(0, 0), (MotionVector{-8, 0}));
  EXPECT_EQ(padded.cost(0, 0), 0u);
}

TEST(MotionFull, AsymmetricRanges) {
  const Image<std::uint8_t> reference = test::noise<std::uint8_t>({40, 32}, 5, 255);
  const Image<std::uint8_t> current = test::shifted(reference, 5);  // pixel x lies at x + 5
  MotionOptions o = small();
  o.block = {8, 8};
  o.range_y = {-1, 2};
  o.range_x = {-6, 5};
  EXPECT_EQ(estimate(current, reference, o).vectors(1, 1), (MotionVector{20, 0}));
  o.range_x = {-6, 4};  // one too short
  const Found found = estimate(current, reference, o);
  EXPECT_NE(found.cost(1, 1), 0u);
}

TEST(MotionFull, RateByHand) {
  // Stripes of period 4: (-2, 0) and (2, 0) cost nothing, (0, 0) costs 4 x 4 x 10 = 160.
  Image<std::uint8_t> current(12, 4);
  Image<std::uint8_t> reference(12, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 12; ++x) {
      reference(x, y) = x % 4 < 2 ? 10 : 0;
      current(x, y) = x % 4 < 2 ? 0 : 10;
    }
  MotionOptions o = small();
  o.range_y = {0, 0};
  EXPECT_EQ(estimate(current, reference, o).vectors(1, 0), (MotionVector{-8, 0}));
  // Prediction (8, 0): (2, 0) costs 1 + 1 bits, (-2, 0) 11 + 1 bits (u = 33), (0, 0) 9 + 1 bits (u = 17).
  const Image<MotionVector> previous(3, 1, MotionVector{8, 0});
  o.lambda = 65536;
  const Found found = estimate(current, reference, o, previous);
  EXPECT_EQ(found.vectors(1, 0), (MotionVector{8, 0}));
  EXPECT_EQ(found.cost(1, 0), 0u);
  EXPECT_EQ(found.j(1, 0), 2u);
  EXPECT_EQ(found.second_j(1, 0), 12u);
  // A rate so high that nothing but the prediction's own vector counts; with prediction 0 the block stays.
  o.lambda = 100 * 65536;
  const Found stays = estimate(current, reference, o);
  EXPECT_EQ(stays.vectors(1, 0), (MotionVector{0, 0}));
  EXPECT_EQ(stays.cost(1, 0), 160u);
  EXPECT_EQ(stays.j(1, 0), 360u);
}

TEST(MotionFull, NoSecondBestWhereAllAreNeighbours) {
  const Image<std::uint8_t> frame = test::noise<std::uint8_t>({16, 16}, 3, 255);
  MotionOptions o = small(MotionBorder::pad);
  o.range_x = o.range_y = {-1, 1};
  const Found found = estimate(frame, frame, o);
  EXPECT_EQ(found.second_j(0, 0), no_motion_cost);
}

TEST(MotionFull, WholeFrameShift) {
  const Image<std::uint16_t> big = test::noise<std::uint16_t>({80, 60}, 7, 1023);
  Image<std::uint16_t> current(64, 48);
  Image<std::uint16_t> reference(64, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      reference(x, y) = big(x + 8, y + 6);
      current(x, y) = big(x + 8 + 7, y + 6 - 5);
    }
  for (const MotionCost cost : {MotionCost::sad, MotionCost::ssd, MotionCost::satd}) {
    MotionOptions o;
    o.block = {16, 12};
    o.range_x = o.range_y = {-8, 8};
    o.depth = Depth::u16;
    o.max_value = 1023;
    o.cost = cost;
    const Found found = estimate(current, reference, o);
    for (int row = 1; row < 4; ++row)
      for (int column = 0; column < 3; ++column)
        EXPECT_EQ(found.vectors(column, row), (MotionVector{28, -20})) << column << "," << row;
  }
}

class MotionFullSeeds : public testing::TestWithParam<int> {};

template <class P>
void expect_oracle(const MotionCase& motion_case) {
  const MotionFrames<P> frames = make_motion_frames<P>(motion_case);
  MotionOptions options = motion_case.options;
  options.search = MotionSearch::full;
  options.subpel = MotionSubpel::none;
  const Size blocks{(motion_case.size.width + options.block.width - 1) / options.block.width,
                    (motion_case.size.height + options.block.height - 1) / options.block.height};
  const Image<MotionVector> previous = make_previous_field(motion_case, blocks);
  const Found found = estimate(frames.current, frames.reference, options, previous);
  ASSERT_EQ(found.vectors.size(), blocks);
  test::expect_best(found, frames.current, frames.reference, options, options.block, previous);
}

TEST_P(MotionFullSeeds, EqualASecondImplementation) {
  const MotionCase motion_case = make_motion_case(static_cast<std::uint64_t>(GetParam()));
  SCOPED_TRACE(describe(motion_case));
  if (motion_case.options.depth == Depth::u8)
    expect_oracle<std::uint8_t>(motion_case);
  else
    expect_oracle<std::uint16_t>(motion_case);
}
INSTANTIATE_TEST_SUITE_P(Seed, MotionFullSeeds, testing::Range(0, 40));

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// The reference match on pictures of a few pixels, worked out by hand: costs, windows, borders, candidates outside.
#include <gtest/gtest.h>

#include "support/reference_match.hpp"

namespace vergence::test {
namespace {

Image<std::uint8_t> row(const std::vector<int>& values) {
  return map_of<std::uint8_t>(static_cast<int>(values.size()), values);
}

TEST(Match, LeftPixelMeetsRightPixelAtXMinusD) {
  // L(x) = R(x - 1); the first pixel has only d = 0, which costs 10.
  const Matched out = reference_match(plain(3), row({10, 20, 30, 40, 50, 60}), row({20, 30, 40, 50, 60, 70}));
  EXPECT_EQ(values_of(out.disparity), (Values{0, 16, 16, 16, 16, 16}));
  EXPECT_EQ(values_of(out.cost), (Values{10, 0, 0, 0, 0, 0}));
}

TEST(Match, RightPixelMeetsLeftPixelAtXPlusD) {
  StereoOptions options = plain(3);
  options.reference = StereoView::right;
  const Matched out = reference_match(options, row({10, 20, 30, 40, 50, 60}), row({20, 30, 40, 50, 60, 70}));
  EXPECT_EQ(values_of(out.disparity), (Values{16, 16, 16, 16, 16, 0}));
  EXPECT_EQ(values_of(out.cost), (Values{0, 0, 0, 0, 0, 10}));
}

TEST(Match, NegativeDisparities) {
  // L(x) = R(x + 1), so d = -1; candidates -2, -1, 0.
  StereoOptions options = plain(3);
  options.min_disparity = -2;
  const Image<std::uint8_t> left = row({20, 30, 40});
  const Image<std::uint8_t> right = row({10, 20, 30});
  EXPECT_EQ(values_of(reference_match(options, left, right).disparity), (Values{-16, -16, 0}));
  // The right picture's last pixel meets L(2 - 1) and L(2 - 2) as well; its first only L(0).
  options.reference = StereoView::right;
  EXPECT_EQ(values_of(reference_match(options, left, right).disparity), (Values{0, -16, -16}));
}

TEST(Match, SumsTheWindow) {
  const Image<std::uint8_t> left = map_of<std::uint8_t>(3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Image<std::uint8_t> right = map_of<std::uint8_t>(3, {9, 8, 7, 6, 5, 4, 3, 2, 1});
  StereoOptions options = plain(1, {3, 3});
  options.border = StereoBorder::invalid;
  // Differences 8 6 4 2 0 2 4 6 8.
  EXPECT_EQ(values_of(reference_match(options, left, right).cost),
            (Values{none, none, none, none, 40, none, none, none, none}));
  options.cost = StereoCost::ssd;
  EXPECT_EQ(values_of(reference_match(options, left, right).cost),
            (Values{none, none, none, none, 240, none, none, none, none}));
  options.border = StereoBorder::partial;
  // Squares 64 36 16, 4 0 4, 16 36 64; a corner sums four of them, an edge six.
  EXPECT_EQ(values_of(reference_match(options, left, right).cost), (Values{104, 124, 56, 156, 240, 156, 56, 124, 104}));
}

TEST(Match, WindowsMayBeWiderThanHigh) {
  const Image<std::uint8_t> left = map_of<std::uint8_t>(3, {1, 2, 4, 8, 16, 32, 64, 128, 255});
  const Image<std::uint8_t> right(3, 3, 0);
  EXPECT_EQ(values_of(reference_match(plain(1, {3, 1}), left, right).cost),
            (Values{3, 7, 6, 24, 56, 48, 192, 447, 383}));
  EXPECT_EQ(values_of(reference_match(plain(1, {1, 3}), left, right).cost),
            (Values{9, 18, 36, 73, 146, 291, 72, 144, 287}));
}

TEST(Match, CensusCountsDifferingBits) {
  // One row: all rows of the neighbourhood are this row; columns are clamped. Against a flat picture, whose words are
  // 0. 5x5: pixel 0 (value 1) sees 5 and 2 to its right, twice per row; pixel 1 (5) sees nothing brighter; pixel 2 (2)
  // sees the 5, once per row. 9x7: pixel 0 sees 5, 2, 2, 2.
  StereoOptions options = plain(1);
  options.cost = StereoCost::census_5x5;
  EXPECT_EQ(values_of(reference_match(options, row({1, 5, 2}), row({7, 7, 7})).cost), (Values{10, 0, 5}));
  options.cost = StereoCost::census_9x7;
  EXPECT_EQ(values_of(reference_match(options, row({1, 5, 2}), row({7, 7, 7})).cost), (Values{28, 0, 7}));
}

TEST(Match, CensusComparesPositionsNotCounts) {
  // Brighter to the right against brighter to the left: 2 + 2 bits in each of 5 rows differ.
  StereoOptions options = plain(1);
  options.cost = StereoCost::census_5x5;
  const Matched out = reference_match(options, row({0, 0, 5, 9, 9}), row({9, 9, 5, 0, 0}));
  EXPECT_EQ(values_of(out.cost)[2], 20);
}

TEST(Match, PicturesAreFilteredFirst) {
  // x-Sobel of one row is 4 times the step over two pixels: 31 51 51 31 31 against a flat 31.
  StereoOptions options = plain(1);
  options.prefilter = StereoPrefilter::xsobel;
  EXPECT_EQ(values_of(reference_match(options, row({0, 0, 5, 5, 5}), row({8, 8, 8, 8, 8})).cost),
            (Values{0, 20, 20, 0, 0}));
  options.cost = StereoCost::ssd;
  EXPECT_EQ(values_of(reference_match(options, row({0, 0, 5, 5, 5}), row({8, 8, 8, 8, 8})).cost),
            (Values{0, 400, 400, 0, 0}));
  // Brighter neighbours in 31 51 51 31 31: pixel 0 sees two per row, pixel 3 two, pixel 4 one.
  options.cost = StereoCost::census_5x5;
  EXPECT_EQ(values_of(reference_match(options, row({0, 0, 5, 5, 5}), row({8, 8, 8, 8, 8})).cost),
            (Values{10, 0, 0, 10, 5}));
}

TEST(Match, BorderInvalidKeepsWholeWindowsInBothPictures) {
  // Flat pictures: every candidate costs 0, so the highest tie shows which candidates were considered.
  StereoOptions options = plain(3, {3, 3});
  options.border = StereoBorder::invalid;
  const Image<std::uint8_t> flat(6, 3, 7);
  EXPECT_EQ(values_of(reference_match(options, flat, flat).disparity),
            (Values{-16, -16, -16, -16, -16, -16, -16, 0, 0, 0, 0, -16, -16, -16, -16, -16, -16, -16}));
  options.tie = StereoTie::highest;
  EXPECT_EQ(values_of(reference_match(options, flat, flat).disparity),
            (Values{-16, -16, -16, -16, -16, -16, -16, 0, 16, 32, 32, -16, -16, -16, -16, -16, -16, -16}));
  options.reference = StereoView::right;
  EXPECT_EQ(values_of(reference_match(options, flat, flat).disparity),
            (Values{-16, -16, -16, -16, -16, -16, -16, 32, 32, 16, 0, -16, -16, -16, -16, -16, -16, -16}));
}

TEST(Match, BorderPartialClipsToBothPictures) {
  // Every tap costs 3, so all means tie and the cost tells how many taps there were.
  StereoOptions options = plain(3, {3, 1});
  const Image<std::uint8_t> left(5, 1, 10);
  const Image<std::uint8_t> right(5, 1, 13);
  Matched out = reference_match(options, left, right);
  EXPECT_EQ(values_of(out.disparity), (Values{0, 0, 0, 0, 0}));
  EXPECT_EQ(values_of(out.cost), (Values{6, 9, 9, 9, 6}));
  options.tie = StereoTie::highest;
  out = reference_match(options, left, right);
  // x = 1, d = 1: columns 1 and 2 against 0 and 1. x = 4, d = 2: columns 3 and 4.
  EXPECT_EQ(values_of(out.disparity), (Values{0, 16, 32, 32, 32}));
  EXPECT_EQ(values_of(out.cost), (Values{6, 6, 6, 9, 6}));
}

TEST(Match, DifferentTapCountsAreComparedByTheirMeans) {
  // At x = 1: d = 0 has three taps, d = 1 has two (2 and 2 against zeros: 4, mean 2).
  StereoOptions options = plain(2, {3, 1});
  const Image<std::uint8_t> zeros(4, 1, 0);
  const auto winner = [&](int first) {
    const Matched out = reference_match(options, row({first, 2, 2, 0}), zeros);
    return std::vector<std::int64_t>{out.disparity(1, 0), out.cost(1, 0)};
  };
  EXPECT_EQ(winner(1), (Values{0, 5}));   // 5 / 3 < 2, although 5 > 4
  EXPECT_EQ(winner(3), (Values{16, 4}));  // 7 / 3 > 2
  EXPECT_EQ(winner(2), (Values{0, 6}));   // equal: the lowest
  options.tie = StereoTie::highest;
  EXPECT_EQ(winner(2), (Values{16, 4}));
}

TEST(Match, OutsideZeroContinuesTheOtherPictureWithZeros) {
  StereoOptions options = plain(3);
  options.outside = StereoOutside::zero;
  // x = 0: 4, then 0 against 0 twice. x = 1: 4, 3, then 1 against 0. x = 2: exact.
  Matched out = reference_match(options, row({0, 1, 9}), row({4, 5, 9}));
  EXPECT_EQ(values_of(out.disparity), (Values{16, 32, 0}));
  EXPECT_EQ(values_of(out.cost), (Values{0, 1, 0}));
  // The other way round the left picture ends: R(0) meets 0, 1, 9; R(1) meets 1, 9, 0; R(2) meets 9, 0, 0.
  options.reference = StereoView::right;
  out = reference_match(options, row({0, 1, 9}), row({4, 5, 9}));
  EXPECT_EQ(values_of(out.disparity), (Values{16, 0, 0}));
  EXPECT_EQ(values_of(out.cost), (Values{3, 4, 0}));
}

TEST(Match, OutsideClampContinuesTheOtherPictureWithItsEdge) {
  StereoOptions options = plain(3);
  options.outside = StereoOutside::clamp;
  // x = 0: 4 three times. x = 1: 4, then 1 against 4 twice.
  const Matched lowest = reference_match(options, row({0, 1, 9}), row({4, 5, 9}));
  EXPECT_EQ(values_of(lowest.disparity), (Values{0, 16, 0}));
  EXPECT_EQ(values_of(lowest.cost), (Values{4, 3, 0}));
  options.tie = StereoTie::highest;
  EXPECT_EQ(values_of(reference_match(options, row({0, 1, 9}), row({4, 5, 9})).disparity), (Values{32, 32, 0}));
}

TEST(Match, OutsideZeroClipsTheWindowByTheMatchedPictureAlone) {
  // Ones against ones: every tap that meets a zero costs 1. d* = 0, the second best is d = 2, whose partners start at x
  // - 2.
  StereoOptions options = plain(3, {3, 1});
  options.outside = StereoOutside::zero;
  const Image<std::uint8_t> ones(3, 1, 1);
  Matched out = reference_match(options, ones, ones);
  EXPECT_EQ(values_of(out.cost), (Values{0, 0, 0}));
  EXPECT_EQ(values_of(out.second_cost), (Values{2, 2, 1}));
  options.border = StereoBorder::invalid;
  out = reference_match(options, ones, ones);
  EXPECT_EQ(values_of(out.disparity), (Values{-16, 0, -16}));
  EXPECT_EQ(values_of(out.second_cost), (Values{none, 2, none}));
}

TEST(Match, CensusWordsNotPixelsAreContinued) {
  // The words of a flat picture are 0, inside as outside: L's words against them, at any d. Continuing the pixels by
  // zeros instead would give the edge columns of the right picture other words.
  StereoOptions options = plain(3);
  options.cost = StereoCost::census_5x5;
  options.outside = StereoOutside::zero;
  const Matched out = reference_match(options, row({1, 5, 2}), row({7, 7, 7}));
  EXPECT_EQ(values_of(out.disparity), (Values{0, 0, 0}));
  EXPECT_EQ(values_of(out.cost), (Values{10, 0, 5}));
  EXPECT_EQ(values_of(out.second_cost), (Values{10, 0, 5}));
}

TEST(Match, NoCandidateNoDisparity) {
  StereoOptions options = plain(3);
  options.min_disparity = 5;
  const Matched out = reference_match(options, row({1, 2, 3}), row({1, 2, 3}));
  EXPECT_EQ(values_of(out.disparity), (Values{64, 64, 64}));
  EXPECT_EQ(values_of(out.confidence), (Values{0, 0, 0}));
  for (const Image<std::uint32_t>* map : {&out.cost, &out.second_cost, &out.before, &out.after})
    EXPECT_EQ(values_of(*map), (Values{none, none, none}));
}

TEST(Match, OnlyTheRegionIsMatchedAndWindowsReadOutsideIt) {
  StereoOptions options = plain(1, {3, 1});
  options.roi = Rect{1, 0, 2, 1};
  const Matched out = reference_match(options, row({1, 2, 4, 8}), row({0, 0, 0, 0}));
  EXPECT_EQ(values_of(out.disparity), (Values{-16, 0, 0, -16}));
  EXPECT_EQ(values_of(out.cost), (Values{none, 7, 14, none}));
  EXPECT_EQ(values_of(out.confidence), (Values{0, 255, 255, 0}));
}

TEST(Match, SixteenBitPicturesAndTheLargestCost) {
  // 65535^2 = 4294836225 fits the 32-bit cost map.
  StereoOptions options = plain(1);
  options.cost = StereoCost::ssd;
  options.depth = Depth::u16;
  const Matched out =
      reference_match(options, map_of<std::uint16_t>(2, {0, 65535}), map_of<std::uint16_t>(2, {65535, 65535}));
  EXPECT_EQ(values_of(out.cost), (Values{4294836225, 0}));
}

TEST(Match, CostsBeyond32BitsAreStillComparedExactly) {
  // Three taps of 65535^2 each: the sums pass 2^32 and differ by little.
  StereoOptions options = plain(3, {3, 1});
  options.cost = StereoCost::ssd;
  options.depth = Depth::u16;
  options.border = StereoBorder::invalid;
  const Image<std::uint16_t> left(5, 1, 65535);
  const Image<std::uint16_t> right = map_of<std::uint16_t>(5, {0, 1, 0, 0, 0});
  Image<std::int16_t> disparity(5, 1);
  MatchMaps<std::int16_t> maps;
  maps.disparity = disparity;
  reference::match<std::uint16_t, std::int16_t>(make_stereo_plan({5, 1}, options), left, right, maps);
  // x = 3 meets columns 2..4 (dear), 1..3 and 0..2 (both with the 1): the lowest of the equals.
  EXPECT_EQ(values_of(disparity), (Values{-16, 0, 0, 16, -16}));
}

TEST(Match, WideMapsHoldWideRanges) {
  StereoOptions options = plain(2);
  options.min_disparity = 3000;
  options.outside = StereoOutside::zero;
  Image<std::int32_t> disparity(2, 1);
  MatchMaps<std::int32_t> maps;
  maps.disparity = disparity;
  const Image<std::uint8_t> picture = row({5, 6});
  reference::match<std::uint8_t, std::int32_t>(make_stereo_plan({2, 1}, options), picture, picture, maps);
  EXPECT_EQ(values_of(disparity), (Values{48000, 48000}));
}

TEST(Match, OnePixel) {
  const Matched out = reference_match(plain(1), row({9}), row({4}));
  EXPECT_EQ(values_of(out.disparity), (Values{0}));
  EXPECT_EQ(values_of(out.cost), (Values{5}));
  EXPECT_EQ(values_of(out.confidence), (Values{255}));
}

TEST(Match, PlanStatesTheCostsOfTheDefinitions) {
  StereoOptions options = plain(1, {5, 3});
  const auto plan = [&](StereoCost cost) {
    options.cost = cost;
    return make_stereo_plan({9, 9}, options);
  };
  EXPECT_EQ(plan(StereoCost::sad).max_cost, 15u * 255);
  EXPECT_EQ(plan(StereoCost::ssd).max_cost, 15u * 65025);
  EXPECT_EQ(plan(StereoCost::census_5x5).max_cost, 15u * 24);
  EXPECT_EQ(plan(StereoCost::census_9x7).max_cost, 15u * 62);
}

}  // namespace
}  // namespace vergence::test

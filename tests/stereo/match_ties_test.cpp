// SPDX-License-Identifier: Apache-2.0
// The tie rule of the reference match: what shares its least cost with a candidate elsewhere is invalid, and so is what
// the picture's edge left without a second-best candidate. All cases are worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/reference_match.hpp"

namespace vergence::test {
namespace {

constexpr int off = -16;  ///< An invalid pixel where the least disparity is 0.

Image<std::uint8_t> ties_row(const std::vector<int>& values) {
  return map_of<std::uint8_t>(static_cast<int>(values.size()), values);
}

StereoOptions strict(int disparities, Size window = {1, 1}) {
  StereoOptions options = plain(disparities, window);
  options.reject_ties = true;
  return options;
}

Values map_by(const StereoOptions& options, const std::vector<int>& left, const std::vector<int>& right) {
  return values_of(reference_match(options, ties_row(left), ties_row(right)).disparity);
}

/// What the last pixel of a row gets whose candidates d = 0, 1, ... cost exactly `costs`: black against the costs in
/// reverse.
std::int64_t last_of(std::vector<int> costs, StereoTie tie = StereoTie::lowest) {
  StereoOptions options = strict(static_cast<int>(costs.size()));
  options.tie = tie;
  std::reverse(costs.begin(), costs.end());
  return map_by(options, std::vector<int>(costs.size(), 0), costs).back();
}

TEST(MatchTies, NeighboursMayShareTheLeastCost) {
  EXPECT_EQ(last_of({9, 4, 4, 8}), 16);
  EXPECT_EQ(last_of({9, 4, 4, 8}, StereoTie::highest), 32);
  EXPECT_EQ(last_of({4, 4, 9, 9}), 0);
  EXPECT_EQ(last_of({9, 9, 4, 4}), 32);
  EXPECT_EQ(last_of({9, 5, 4, 5}), 32);
}

TEST(MatchTies, CandidatesFurtherApartMayNot) {
  EXPECT_EQ(last_of({9, 4, 7, 4, 4, 8}), off);
  EXPECT_EQ(last_of({9, 4, 7, 4, 4, 8}, StereoTie::highest), off);
  EXPECT_EQ(last_of({4, 9, 4}), off);
  EXPECT_EQ(last_of({4, 4, 4}), off);  // three neighbours: a flat minimum
  EXPECT_EQ(last_of({4, 9, 9, 9, 4}), off);
  EXPECT_EQ(last_of({4, 9, 9, 9, 4}, StereoTie::highest), off);
  EXPECT_EQ(last_of({4, 9, 9, 9, 5}), 0);  // one grey level is a difference
}

TEST(MatchTies, ShortRangesHaveNoSecondBest) {
  EXPECT_EQ(last_of({4}), 0);  // one disparity: nothing was cut
  EXPECT_EQ(last_of({4, 4}), 0);
  EXPECT_EQ(last_of({4, 4}, StereoTie::highest), 16);
  EXPECT_EQ(last_of({5, 4, 5}), 16);
}

TEST(MatchTies, FlatPictures) {
  const std::vector<int> flat(6, 7);
  EXPECT_EQ(map_by(strict(3), flat, flat), Values(6, off));
  EXPECT_EQ(map_by(strict(3, {3, 1}), flat, flat), Values(6, off));
  EXPECT_EQ(map_by(strict(3), flat, std::vector<int>(6, 9)), Values(6, off));  // the least cost is 2, not 0
  EXPECT_EQ(map_by(plain(3), flat, flat), Values(6, 0));
  // Of two disparities neither is more than 1 px away; at x = 0 one of them was cut.
  EXPECT_EQ(map_by(strict(2), flat, flat), (Values{off, 0, 0, 0, 0, 0}));
}

TEST(MatchTies, Stripes) {
  // Every second pixel: d = 0 and 2 cost nothing. At x = 1 d = 0 wins, and d = 2 was cut.
  const std::vector<int> two{0, 9, 0, 9, 0, 9};
  EXPECT_EQ(map_by(strict(3), two, two), Values(6, off));
  EXPECT_EQ(map_by(strict(2), two, two), (Values{off, 0, 0, 0, 0, 0}));
  // Every third: d = 0 and 3. Up to x = 2 d = 3 is cut; at x = 2 d = 2 is the second best.
  const std::vector<int> three{0, 5, 9, 0, 5, 9};
  EXPECT_EQ(map_by(strict(3), three, three), (Values{off, off, 0, 0, 0, 0}));
  EXPECT_EQ(map_by(strict(4), three, three), (Values{off, off, 0, off, off, off}));
  // Moved by one: d = 1 and, from x = 4 on, 4. At x = 2 d = 1 wins between 0 and 2.
  const std::vector<int> moved{5, 9, 0, 5, 9, 0};
  EXPECT_EQ(map_by(strict(4), three, moved), (Values{off, off, off, 16, 16, 16}));
  EXPECT_EQ(map_by(strict(5), three, moved), (Values{off, off, off, 16, off, off}));
}

TEST(MatchTies, EdgeColumnsNeedASecondBest) {
  const std::vector<int> ramp{0, 10, 20, 30, 40}, next{10, 20, 30, 40, 50};
  EXPECT_EQ(map_by(strict(4), ramp, ramp), (Values{off, off, 0, 0, 0}));
  EXPECT_EQ(map_by(strict(4), ramp, next), (Values{off, off, off, 16, 16}));
  EXPECT_EQ(map_by(strict(3), ramp, next), (Values{off, off, 16, 16, 16}));  // x = 2 has all three
  EXPECT_EQ(map_by(plain(4), ramp, next), (Values{0, 16, 16, 16, 16}));
  StereoOptions options = strict(4);
  options.reference = StereoView::right;
  EXPECT_EQ(map_by(options, ramp, ramp), (Values{0, 0, 0, off, off}));
  EXPECT_EQ(map_by(options, ramp, next), (Values{16, 16, off, off, off}));
}

TEST(MatchTies, WholeWindowsLeaveFewerCandidates) {
  // Partners lie in 1 .. 6: x = 1 has d = 0, x = 2 has 0 and 1, x = 3 has 0 to 2.
  StereoOptions options = strict(4, {3, 1});
  options.border = StereoBorder::invalid;
  const std::vector<int> ramp{0, 10, 20, 30, 40, 50, 60, 70};
  EXPECT_EQ(map_by(options, ramp, ramp), (Values{off, off, off, 0, 0, 0, 0, off}));
}

TEST(MatchTies, PartialWindowsCompareMeans) {
  // Window 3x1, black at x = 3 of 6: d = 0, 1, 2 have three taps, d = 3 has two.
  const StereoOptions options = strict(4, {3, 1});
  const std::vector<int> black(6, 0);
  const auto at_3 = [&](const std::vector<int>& right) { return map_by(options, black, right)[3]; };
  EXPECT_EQ(at_3({0, 4, 3, 1, 2, 0}), off);  // 6/3, 8/3, 7/3, 4/2
  EXPECT_EQ(at_3({0, 4, 3, 1, 1, 0}), 0);    // 5/3, ..., 4/2
  EXPECT_EQ(at_3({0, 4, 3, 1, 3, 0}), 48);   // 7/3, ..., 4/2
  EXPECT_EQ(at_3({2, 4, 3, 1, 2, 0}), 0);    // 6/3, 8/3, 9/3, 6/2: equal sums are no tie
  EXPECT_EQ(at_3({1, 3, 2, 5, 9, 0}), 32);   // 16/3, 10/3, 6/3, 4/2: neighbours
}

TEST(MatchTies, NothingIsCutWhereTheOutsideContinues) {
  StereoOptions options = strict(4);
  options.outside = StereoOutside::zero;
  EXPECT_EQ(map_by(options, {10, 20, 30, 40}, {10, 20, 30, 40}), Values(4, 0));
  EXPECT_EQ(map_by(options, {0, 20, 30, 40}, {0, 20, 30, 40}), (Values{off, 0, 0, 0}));  // x = 0 equals the zeros
  options.outside = StereoOutside::clamp;
  EXPECT_EQ(map_by(options, {10, 20, 30, 40}, {10, 20, 30, 40}), (Values{off, 0, 0, 0}));  // and its own copies
}

TEST(MatchTies, NegativeMinimum) {
  // d = -2 .. 1. x = 0 has -2 .. 0, x = 4 has -1 .. 1, x = 5 has 0 and 1.
  StereoOptions options = strict(4);
  options.min_disparity = -2;
  const int invalid = -48;
  const std::vector<int> ramp{0, 10, 20, 30, 40, 50}, flat(6, 3);
  EXPECT_EQ(map_by(options, ramp, ramp), (Values{0, 0, 0, 0, invalid, invalid}));
  EXPECT_EQ(map_by(options, flat, flat), Values(6, invalid));
  options.disparities = 2;  // -2 and -1: x = 4 has -1 alone, x = 5 has none
  EXPECT_EQ(map_by(options, flat, flat), (Values{-32, -32, -32, -32, invalid, invalid}));
}

TEST(MatchTies, RejectedPixelsKeepTheirCosts) {
  StereoOptions options = strict(3);
  options.subpixel = true;
  const Matched out = reference_match(options, Image<std::uint8_t>(3, 1, 0), ties_row({4, 9, 4}));
  EXPECT_EQ(out.disparity(2, 0), off);
  EXPECT_EQ(out.confidence(2, 0), 0);
  EXPECT_EQ(out.cost(2, 0), 4u);
  EXPECT_EQ(out.second_cost(2, 0), 4u);
}

TEST(MatchTies, TheOtherViewsWinnersIgnoreTheRule) {
  StereoOptions options = strict(3);
  options.left_right = 0;
  // The right view's last pixels have one and two candidates; their winner is 0 and confirms the left one's.
  const std::vector<int> ramp{0, 10, 20, 30, 40};
  EXPECT_EQ(map_by(options, ramp, ramp), (Values{off, off, 0, 0, 0}));
  // R(2) = 7 finds L(2) and L(4): a tie that goes to 0. It confirms x = 2; x = 3 (d = 1) and x = 4 (d = 2) meet it too.
  EXPECT_EQ(map_by(options, {1, 2, 7, 3, 7}, {50, 60, 7, 90, 100}), (Values{off, off, 0, off, off}));
  options.left_right = -1;
  EXPECT_EQ(map_by(options, {1, 2, 7, 3, 7}, {50, 60, 7, 90, 100}), (Values{off, off, 0, 16, 32}));
}

}  // namespace
}  // namespace vergence::test

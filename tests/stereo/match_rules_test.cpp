// SPDX-License-Identifier: Apache-2.0
// What the reference match decides from given costs: ties, sub-pixel, uniqueness, texture, confidence, left-right.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "support/reference_match.hpp"

namespace vergence::test {
namespace {

Image<std::uint8_t> rules_row(const std::vector<int>& values) {
  return map_of<std::uint8_t>(static_cast<int>(values.size()), values);
}

/// What the last pixel of a row gets whose candidates d = 0, 1, ... cost exactly `costs` (SAD; squares of them with
/// SSD): black against the costs in reverse.
struct Outcome {
  std::int64_t disparity, confidence, cost, second, before, after;
  bool operator==(const Outcome&) const = default;
};
void PrintTo(const Outcome& o, std::ostream* out) {
  *out << "disparity " << o.disparity << ", confidence " << o.confidence << ", costs " << o.cost << " " << o.second
       << " " << o.before << " " << o.after;
}

Outcome outcome(std::vector<int> costs, StereoOptions options) {
  options.disparities = static_cast<int>(costs.size());
  std::reverse(costs.begin(), costs.end());
  const Image<std::uint8_t> right = rules_row(costs);
  const Image<std::uint8_t> left(right.size(), 0);
  const Matched out = reference_match(options, left, right);
  const int x = right.width() - 1;
  return {out.disparity(x, 0),   out.confidence(x, 0), out.cost(x, 0),
          out.second_cost(x, 0), out.before(x, 0),     out.after(x, 0)};
}

StereoOptions refined(StereoCost cost = StereoCost::sad) {
  StereoOptions options = plain(1);
  options.subpixel = true;
  options.cost = cost;
  return options;
}

TEST(MatchRules, TiesGoToTheLowestOrTheHighest) {
  StereoOptions options = plain(1);
  EXPECT_EQ(outcome({9, 4, 7, 4, 4, 8}, options), (Outcome{16, 0, 4, 4, 9, 7}));
  options.tie = StereoTie::highest;
  EXPECT_EQ(outcome({9, 4, 7, 4, 4, 8}, options), (Outcome{64, 0, 4, 4, 4, 8}));
}

TEST(MatchRules, SecondBestIsMoreThanOnePixelAway) {
  // The winner's neighbours 41 and 45 are none; 60 beats 90.
  EXPECT_EQ(outcome({90, 41, 40, 45, 60}, plain(1)).second, 60);
  EXPECT_EQ(outcome({41, 40, 45}, plain(1)).second, none);
  EXPECT_EQ(outcome({40, 45, 41}, plain(1)).second, 41);
}

TEST(MatchRules, SecondBestTiesByMeanKeepTheirRawCost) {
  // Window 3x1 at x = 3 of 6, partial: d = 0, 1, 2 have three taps, d = 3 has two. L is 0.
  // R = 2 2 2 0 0 0: d = 0: R(2..4) = 2; d = 1: 4; d = 2: 6; d = 3: R(0), R(1) = 4. Second best of 0: means 2 and 2.
  StereoOptions options = plain(4, {3, 1});
  const Image<std::uint8_t> left(6, 1, 0);
  EXPECT_EQ(reference_match(options, left, rules_row({2, 2, 2, 0, 0, 0})).second_cost(3, 0), 6u);
  options.tie = StereoTie::highest;
  EXPECT_EQ(reference_match(options, left, rules_row({2, 2, 2, 0, 0, 0})).second_cost(3, 0), 4u);
}

TEST(MatchRules, SubpixelVFitForSad) {
  // (256 + 64 + 15) >> 4 and (256 - 64 + 15) >> 4.
  EXPECT_EQ(outcome({10, 4, 7, 20}, refined()), (Outcome{20, 204, 4, 20, 10, 7}));
  EXPECT_EQ(outcome({7, 4, 10, 20}, refined()).disparity, 12);
  EXPECT_EQ(outcome({10, 4, 10, 20}, refined()).disparity, 16);
  EXPECT_EQ(outcome({4, 4, 4, 20}, refined()).disparity, 0);  // the lowest of the ties has no neighbour below
}

TEST(MatchRules, SubpixelParabolaForSsdAndCensus) {
  // Costs 9, 1, 4: 8 * 5 / 11 = 3.6 -> 4. Costs 16, 4, 9: 8 * 7 / 17 = 3.3 -> 3.
  EXPECT_EQ(outcome({3, 1, 2, 9}, refined(StereoCost::ssd)).disparity, 20);
  EXPECT_EQ(outcome({4, 2, 3, 9}, refined(StereoCost::ssd)).disparity, 19);
  EXPECT_EQ(outcome({3, 2, 4, 9}, refined(StereoCost::ssd)).disparity, 13);
}

TEST(MatchRules, SubpixelOfCensus) {
  // Words of the right picture's pixels against the left's last; 5x5, one row, so 5 bits per differing column.
  // R = 1 5 2 2: words: pixel 0 sees 2 brighter per row, pixel 1 none, pixel 2 (2) the 5 at -1, pixel 3 (2) the 5 at
  // -2. L = 0 0 0 9: its last pixel's word is 0. Costs d = 0..3: 5, 5, 0, 10.
  const Matched out = reference_match(
      [] {
        auto o = refined(StereoCost::census_5x5);
        o.disparities = 4;
        return o;
      }(),
      rules_row({0, 0, 0, 9}), rules_row({1, 5, 2, 2}));
  EXPECT_EQ(out.cost(3, 0), 0u);
  EXPECT_EQ(out.before(3, 0), 5u);
  EXPECT_EQ(out.after(3, 0), 10u);
  EXPECT_EQ(out.disparity(3, 0), 29);  // 32 + 8 * -5 / 15 = -2.67 -> -3
}

TEST(MatchRules, NoSubpixelAtTheEndsOfTheRange) {
  EXPECT_EQ(outcome({4, 7, 10}, refined()), (Outcome{0, 153, 4, 10, none, none}));
  EXPECT_EQ(outcome({10, 7, 4}, refined()), (Outcome{32, 153, 4, 10, none, none}));
}

TEST(MatchRules, NeighbourCostsAreTheSameWithoutSubpixel) {
  EXPECT_EQ(outcome({10, 4, 7, 20}, plain(1)), (Outcome{16, 204, 4, 20, 10, 7}));
}

TEST(MatchRules, NoSubpixelBesideASkippedCandidate) {
  // x = 2 of W = 4 has d = 0, 1, 2 (costs 9, 5, 0); d = 3 is outside.
  StereoOptions options = refined();
  options.disparities = 4;
  const Matched out = reference_match(options, rules_row({0, 0, 0, 0}), rules_row({0, 5, 9, 9}));
  EXPECT_EQ(out.disparity(2, 0), 32);
  EXPECT_EQ(out.before(2, 0), none);
  EXPECT_EQ(out.after(2, 0), none);
}

TEST(MatchRules, NoSubpixelBesideACandidateOfOtherTapCount) {
  // Window 3x1, x = 2: d = 0 and 1 have three taps, d = 2 has two. Costs 9, 1, 1: 1 / 3 is the smallest mean.
  StereoOptions options = refined();
  options.window = {3, 1};
  options.disparities = 3;
  const Image<std::uint8_t> left(5, 1, 0);
  Matched out = reference_match(options, left, rules_row({1, 0, 0, 9, 9}));
  EXPECT_EQ(out.disparity(2, 0), 16);
  EXPECT_EQ(out.cost(2, 0), 1u);
  EXPECT_EQ(out.before(2, 0), none);
  EXPECT_EQ(out.after(2, 0), none);
  // x = 3: costs 18, 9, 1 of three taps and 1 of two.
  options.disparities = 4;
  out = reference_match(options, left, rules_row({1, 0, 0, 9, 9}));
  EXPECT_EQ(out.disparity(3, 0), 32);
  EXPECT_EQ(out.after(3, 0), none);
}

TEST(MatchRules, NoSubpixelBesideACandidateOfOtherTapCountOnTheOtherSide) {
  // d = -2 reaches over the right edge: two taps. Costs of -2, -1, 0: 1, 1, 9.
  StereoOptions options = refined();
  options.window = {3, 1};
  options.disparities = 3;
  options.min_disparity = -2;
  const Matched out = reference_match(options, Image<std::uint8_t>(5, 1, 0), rules_row({9, 9, 0, 0, 1}));
  EXPECT_EQ(out.disparity(2, 0), -16);
  EXPECT_EQ(out.cost(2, 0), 1u);
  EXPECT_EQ(out.before(2, 0), none);
  EXPECT_EQ(out.after(2, 0), none);
}

TEST(MatchRules, SubpixelOfNegativeDisparities) {
  // Candidates -2, -1, 0 of pixel 0: costs |0 - R(2)|, |0 - R(1)|, |0 - R(0)| = 7, 4, 10: -1.25 px.
  StereoOptions options = refined();
  options.disparities = 3;
  options.min_disparity = -2;
  const Matched out = reference_match(options, rules_row({0, 0, 0}), rules_row({10, 4, 7}));
  EXPECT_EQ(out.disparity(0, 0), -20);  // (-256 - 64 + 15) >> 4 = -19.06 -> -20
}

TEST(MatchRules, UniquenessRejectsASecondBestWithinThePercentage) {
  StereoOptions options = plain(1);
  options.uniqueness_ratio = 14;  // 46 is 15 % above 40; the neighbour 41 does not count
  EXPECT_EQ(outcome({100, 41, 40, 50, 46}, options), (Outcome{32, 33, 40, 46, 41, 50}));
  options.uniqueness_ratio = 15;
  EXPECT_EQ(outcome({100, 41, 40, 50, 46}, options), (Outcome{-16, 0, 40, 46, 41, 50}));
}

TEST(MatchRules, UniquenessAlsoRejectsExactTies) {
  StereoOptions options = plain(1);
  options.uniqueness_ratio = 1;
  EXPECT_EQ(outcome({0, 5, 0}, options).disparity, -16);
  EXPECT_EQ(outcome({0, 0, 5}, options).disparity, 0);
  options.uniqueness_ratio = 0;
  EXPECT_EQ(outcome({0, 5, 0}, options).disparity, 0);
}

TEST(MatchRules, UniquenessComparesMeans) {
  // As in SecondBestTies: at x = 3 the winner's mean is 2 / 3, d = 2 has 6 / 3 and d = 3 has 4 / 2: 200 % more.
  StereoOptions options = plain(4, {3, 1});
  const Image<std::uint8_t> left(6, 1, 0);
  options.uniqueness_ratio = 199;
  EXPECT_EQ(reference_match(options, left, rules_row({2, 2, 2, 0, 0, 0})).disparity(3, 0), 0);
  options.uniqueness_ratio = 200;
  EXPECT_EQ(reference_match(options, left, rules_row({2, 2, 2, 0, 0, 0})).disparity(3, 0), -16);
}

TEST(MatchRules, Confidence) {
  EXPECT_EQ(outcome({100, 41, 40, 50, 46}, plain(1)).confidence, 33);  // 255 * 6 / 46
  EXPECT_EQ(outcome({0, 9, 7}, plain(1)).confidence, 255);
  EXPECT_EQ(outcome({5, 4, 5}, plain(1)).confidence, 255);  // no second best
  EXPECT_EQ(outcome({0, 9, 0}, plain(1)).confidence, 0);
  // Means 2 / 3 and 2: 255 * (2 - 2 / 3) / 2 = 170.
  const Matched out = reference_match(plain(4, {3, 1}), Image<std::uint8_t>(6, 1, 0), rules_row({2, 2, 2, 0, 0, 0}));
  EXPECT_EQ(out.confidence(3, 0), 170);
}

TEST(MatchRules, TextureRejectsBelowTheThreshold) {
  // One row: the derivative is 4 (right - left): 20 at x = 1 and 2, else 0. Sums of 3x1: 20 40 40 20 0.
  const Image<std::uint8_t> textured = rules_row({0, 0, 5, 5, 5});
  const Image<std::uint8_t> flat(5, 1, 5);
  StereoOptions options = plain(1, {3, 1});
  options.texture_threshold = 40;
  EXPECT_EQ(values_of(reference_match(options, textured, flat).disparity), (Values{-16, 0, 0, -16, -16}));
  options.texture_threshold = 41;
  EXPECT_EQ(values_of(reference_match(options, textured, flat).disparity), (Values{-16, -16, -16, -16, -16}));
  options.texture_threshold = 20;
  options.prefilter_cap = 10;  // clips the derivative: 10 20 20 10 0
  EXPECT_EQ(values_of(reference_match(options, textured, flat).disparity), (Values{-16, 0, 0, -16, -16}));
  options.reference = StereoView::right;  // the matched picture counts
  EXPECT_EQ(values_of(reference_match(options, textured, flat).disparity), (Values{-16, -16, -16, -16, -16}));
  EXPECT_EQ(values_of(reference_match(options, flat, textured).disparity), (Values{-16, 0, 0, -16, -16}));
}

TEST(MatchRules, TextureIsThatOfTheUnfilteredPicture) {
  // The prefilter turns 0 0 5 5 5 into 31 51 51 31 31, whose own derivative would be another one.
  StereoOptions options = plain(1, {1, 1});
  options.prefilter = StereoPrefilter::xsobel;
  options.texture_threshold = 20;
  EXPECT_EQ(values_of(reference_match(options, rules_row({0, 0, 5, 5, 5}), rules_row({1, 1, 1, 1, 1})).disparity),
            (Values{-16, 0, 0, -16, -16}));
  options.prefilter = StereoPrefilter::xsobel_opencv;  // the only row is the last of an odd number: no texture
  EXPECT_EQ(values_of(reference_match(options, rules_row({0, 0, 5, 5, 5}), rules_row({1, 1, 1, 1, 1})).disparity),
            (Values{-16, -16, -16, -16, -16}));
}

TEST(MatchRules, RejectionsLeaveTheCostMapsAlone) {
  StereoOptions options = plain(1);
  options.texture_threshold = 1;
  EXPECT_EQ(outcome({10, 4, 7, 20}, options), (Outcome{-16, 0, 4, 20, 10, 7}));
}

// Left winners 0 1 1 1, right winners 1 1 0 0 (R(2) = 31 is nearest to L(2), R(3) has d = 0 alone).
const std::vector<int> checked_left{10, 20, 30, 40};
const std::vector<int> checked_right{20, 30, 31, 99};

Values checked(StereoOptions options) {
  return values_of(reference_match(options, rules_row(checked_left), rules_row(checked_right)).disparity);
}

TEST(MatchRules, LeftRightCheckFollowsTheDisparity) {
  StereoOptions options = plain(3);
  EXPECT_EQ(checked(options), (Values{0, 16, 16, 16}));
  // Pixel 0 meets R(0), which says 1; pixels 1 and 2 meet R(0) and R(1), which agree; pixel 3 meets R(2), which says 0.
  options.left_right = 0;
  EXPECT_EQ(checked(options), (Values{-16, 16, 16, -16}));
  options.left_right = 1;
  EXPECT_EQ(checked(options), (Values{0, 16, 16, 16}));
  options.reference = StereoView::right;
  EXPECT_EQ(checked(options), (Values{16, 16, 0, 0}));
  // R(2) meets L(2) and R(3) meets L(3): both say 1.
  options.left_right = 0;
  EXPECT_EQ(checked(options), (Values{16, 16, -16, -16}));
}

TEST(MatchRules, LeftRightCheckInGreyUnits) {
  StereoOptions options = plain(3);
  options.left_right_unit = StereoCheckUnit::grey;
  options.left_right = 84;  // one level of three is 85
  EXPECT_EQ(checked(options), (Values{-16, 16, 16, -16}));
  options.left_right = 85;
  EXPECT_EQ(checked(options), (Values{0, 16, 16, 16}));
}

TEST(MatchRules, LeftRightCheckKnowsPartnersOutsideTheRegion) {
  StereoOptions options = plain(3);
  options.left_right = 0;
  options.roi = Rect{2, 0, 2, 1};  // pixel 2 meets R(1)
  EXPECT_EQ(checked(options), (Values{-16, -16, 16, -16}));
}

TEST(MatchRules, LeftRightCheckUsesWholePixelsAndKeepsTheRefinedValue) {
  // x = 2 has costs 1, 0, 10: winner 1, refined to (256 - 115 + 15) >> 4 = 9.75 -> 9; the check compares 1 with 1.
  StereoOptions options = plain(3);
  options.subpixel = true;
  options.left_right = 0;
  EXPECT_EQ(checked(options)[2], 9);
}

TEST(MatchRules, CheckedPixelsLoseTheirConfidence) {
  StereoOptions options = plain(3);
  options.left_right = 0;
  const Matched out = reference_match(options, rules_row(checked_left), rules_row(checked_right));
  EXPECT_EQ(out.confidence(0, 0), 0);
  EXPECT_EQ(out.confidence(1, 0), 255);
  EXPECT_EQ(out.confidence(3, 0), 0);
  EXPECT_EQ(values_of(out.cost), (Values{10, 0, 0, 9}));
}

}  // namespace
}  // namespace vergence::test

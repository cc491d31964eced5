// SPDX-License-Identifier: Apache-2.0
// The reference match where pictures show nothing in places, worked out by hand.
#include <gtest/gtest.h>

#include <vector>

#include "reference/stereo/sgm.hpp"
#include "support/reference_match.hpp"

namespace vergence::test {
namespace {

constexpr int check_off = -16;  ///< An invalid pixel where the least disparity is 0.

Image<std::uint8_t> sources_row(const std::vector<int>& values) {
  return map_of<std::uint8_t>(static_cast<int>(values.size()), values);
}

/// L(x) = R(x - 1).
const std::vector<int> left{10, 20, 30, 40, 50, 60}, right{20, 30, 40, 50, 60, 70};

struct Holes {
  std::vector<int> left = {1, 1, 1, 1, 1, 1}, right = {1, 1, 1, 1, 1, 1};
};
Matched matched(const StereoOptions& options, const Holes& holes) {
  const Image<std::uint8_t> left_mask = sources_row(holes.left), right_mask = sources_row(holes.right);
  return reference_match(options, sources_row(left), sources_row(right), {left_mask, right_mask});
}

TEST(MatchSources, APartnerThatShowsNothingIsNoCandidate) {
  // Pixels 1, 2 and 3 lose d = 0, 1 and 2; those of pixel 2 cost 10, none, 10.
  const Matched out = matched(plain(3), {.right = {1, 0, 1, 1, 1, 1}});
  EXPECT_EQ(values_of(out.disparity), (Values{0, 16, 0, 16, 16, 16}));
  EXPECT_EQ(values_of(out.cost), (Values{10, 0, 10, 0, 0, 0}));
  EXPECT_EQ(values_of(out.second_cost), (Values{none, none, 10, none, none, none}));
  // A fit needs both neighbours.
  EXPECT_EQ(values_of(out.before), (Values{none, none, none, none, 10, 10}));
  EXPECT_EQ(values_of(out.after), (Values{none, none, none, none, 10, 10}));
}

TEST(MatchSources, APixelThatShowsNothingHasNoCandidates) {
  const Matched out = matched(plain(3), {.left = {1, 1, 1, 1, 0, 1}});
  EXPECT_EQ(values_of(out.disparity), (Values{0, 16, 16, 16, check_off, 16}));
  EXPECT_EQ(values_of(out.cost), (Values{10, 0, 0, 0, none, 0}));
}

TEST(MatchSources, OfTheRightPictureTheLeftOneIsTheOther) {
  StereoOptions options = plain(3);
  options.reference = StereoView::right;
  // Right pixels 1, 2 and 3 lose d = 2, 1 and 0.
  const Matched out = matched(options, {.left = {1, 1, 1, 0, 1, 1}, .right = {0, 1, 1, 1, 1, 1}});
  EXPECT_EQ(values_of(out.disparity), (Values{check_off, 16, 0, 16, 16, 0}));
}

TEST(MatchSources, TooFewCandidatesOrATieAreRejected) {
  StereoOptions options = plain(3);
  options.reject_ties = true;
  // Pixels 0, 1 and 3 have no candidate more than 1 px from the winner, and fewer than three; those of 2 tie.
  const Matched out = matched(options, {.right = {1, 0, 1, 1, 1, 1}});
  EXPECT_EQ(values_of(out.disparity), (Values{check_off, check_off, check_off, check_off, 16, 16}));
}

TEST(MatchSources, WhateverOutsideSays) {
  for (const StereoOutside outside : {StereoOutside::zero, StereoOutside::clamp}) {
    StereoOptions options = plain(3);
    options.outside = outside;
    // The hole is d = 0 of pixel 0; d = 1 and d = 2 lie outside, where 0 or the edge's 20 cost 10.
    const Matched out = matched(options, {.right = {0, 1, 1, 1, 1, 1}});
    EXPECT_EQ(out.disparity(0, 0), 16);
    EXPECT_EQ(out.cost(0, 0), 10u);
  }
}

TEST(MatchSources, WindowsReadAllPixels) {
  // The window of pixel 3 and d = 1 holds the hole, where 30 meets 30.
  const Matched out = matched(plain(3, {3, 1}), {.right = {1, 0, 1, 1, 1, 1}});
  EXPECT_EQ(out.disparity(3, 0), 16);
  EXPECT_EQ(out.cost(3, 0), 0u);
}

TEST(MatchSources, TheOtherViewsWinnersKnowThem) {
  StereoOptions options = plain(3);
  options.left_right = 0;
  const Image<std::uint8_t> one = sources_row({10, 20, 41, 40, 50, 60}), mask = sources_row({1, 1, 1, 0, 1, 1});
  // Left pixel 3 shows nothing, but would take right pixel 2 from left pixel 2, which costs 1 there and keeps it.
  EXPECT_EQ(values_of(reference_match(options, one, sources_row(right), {mask, {}}).disparity),
            (Values{check_off, 16, 0, check_off, 16, 16}));
  EXPECT_EQ(reference_match(options, one, sources_row(right)).disparity(2, 0), check_off);
}

TEST(MatchSources, PathsBeginBehindThem) {
  StereoOptions options = plain(2, {0, 0});
  options.aggregate = StereoAggregate::sgm;
  options.paths = 2;
  options.p1 = 2;
  options.p2 = 5;
  const Image<std::uint8_t> one = sources_row({10, 20, 30}), other = sources_row({20, 30, 37}),
                            all = sources_row({1, 1, 1});
  const auto sums = [&](const std::vector<int>& own, const std::vector<int>& others) {
    const Image<std::uint8_t> own_mask = sources_row(own), other_mask = sources_row(others);
    const StereoPlan plan = make_stereo_plan(one.size(), options, {own_mask, other_mask});
    return reference::path_sums<std::uint8_t>(reference::make_scene<std::uint8_t>(plan, one, other), one);
  };
  constexpr std::uint32_t absent = reference::CostVolume::absent;
  // Right pixel 1 shows nothing: no candidate has one before it on either path, so each costs twice itself.
  const auto partner = sums({1, 1, 1}, {1, 0, 1});
  EXPECT_EQ(partner.at(0, 0, 0), 20u);
  EXPECT_EQ(partner.at(1, 0, 0), absent);
  EXPECT_EQ(partner.at(1, 0, 1), 0u);
  EXPECT_EQ(partner.at(2, 0, 0), 14u);
  EXPECT_EQ(partner.at(2, 0, 1), absent);
  // Left pixel 1 shows nothing: both paths begin again behind it.
  const auto own = sums({1, 0, 1}, {1, 1, 1});
  EXPECT_EQ(own.at(0, 0, 0), 20u);
  EXPECT_EQ(own.at(1, 0, 0), absent);
  EXPECT_EQ(own.at(1, 0, 1), absent);
  EXPECT_EQ(own.at(2, 0, 0), 14u);
  EXPECT_EQ(own.at(2, 0, 1), 0u);
}

}  // namespace
}  // namespace vergence::test

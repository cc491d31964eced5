// SPDX-License-Identifier: Apache-2.0
// The reference of semi-global matching: cases worked out by hand, symmetries, and paths of one row against the
// cheapest of all assignments of disparities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/random.hpp"
#include "reference/stereo/sgm.hpp"
#include "support/reference_match.hpp"

namespace vergence::test {
namespace {

constexpr int sgm_off = -16;  ///< An invalid pixel where the least disparity is 0.

Image<std::uint8_t> sgm_row(const std::vector<int>& values) {
  return map_of<std::uint8_t>(static_cast<int>(values.size()), values);
}

StereoOptions sgm(int disparities, int paths, int p1, int p2) {
  StereoOptions options = plain(disparities, {0, 0});
  options.aggregate = StereoAggregate::sgm;
  options.paths = paths;
  options.p1 = p1;
  options.p2 = p2;
  return options;
}

reference::CostVolume sums_of(const StereoOptions& options, const Image<std::uint8_t>& left,
                              const Image<std::uint8_t>& right) {
  const StereoPlan plan = make_stereo_plan(left.size(), options);
  const reference::Scene scene = reference::make_scene<std::uint8_t>(plan, left, right);
  return reference::path_sums<std::uint8_t>(scene, plan.matches_left() ? left : right);
}

Image<std::uint8_t> noise(Random& random, Size size, int levels) {
  Image<std::uint8_t> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      picture(x, y) = static_cast<std::uint8_t>(random.within(0, levels - 1) * 255 / (levels - 1));
  return picture;
}

TEST(Sgm, TheExampleOfThePage) {
  const auto sums = sums_of(sgm(2, 2, 2, 5), sgm_row({10, 20, 30}), sgm_row({20, 30, 37}));
  EXPECT_EQ(sums.at(0, 0, 0), 22u);
  EXPECT_EQ(sums.at(0, 0, 1), reference::CostVolume::absent);
  EXPECT_EQ(sums.at(1, 0, 0), 22u);
  EXPECT_EQ(sums.at(1, 0, 1), 0u);
  EXPECT_EQ(sums.at(2, 0, 0), 16u);
  EXPECT_EQ(sums.at(2, 0, 1), 0u);
  const Matched matched = reference_match(sgm(2, 2, 2, 5), sgm_row({10, 20, 30}), sgm_row({20, 30, 37}));
  EXPECT_EQ(values_of(matched.disparity), (Values{0, 16, 16}));
  EXPECT_EQ(values_of(matched.cost), (Values{22, 0, 0}));
  EXPECT_EQ(values_of(matched.second_cost), (Values{none, none, none}));
}

TEST(Sgm, LargeChangesCostP2) {
  // Candidates d = 0, 1, 2 at x = 2 cost 20, 10, 0, at x = 3 they cost 0, 10, 20.
  const auto left = sgm_row({90, 90, 30, 50}), right = sgm_row({30, 40, 50, 50});
  const auto at = [&](int x, int d, int p1, int p2) { return sums_of(sgm(3, 2, p1, p2), left, right).at(x, 0, d); };
  // From the left at x = 3: before it 20, 10, 0 and what the path brought there. From the right the path starts.
  EXPECT_EQ(at(3, 2, 3, 7), 2 * 0u + (0 + 0) + 10 + 10);  // d = 2: |50 - 40| twice, nothing changes
  EXPECT_EQ(at(3, 0, 3, 7), 0u + 7);                      // from d = 2 to d = 0: P2
  EXPECT_EQ(at(3, 1, 3, 7), 0u + 3);                      // from d = 2 to d = 1: P1
}

TEST(Sgm, EdgesOfThePictureLowerP2) {
  const auto left = sgm_row({90, 90, 30, 50}), right = sgm_row({30, 40, 50, 50});
  StereoOptions options = sgm(3, 2, 3, 9);
  options.p2_slope = 51;  // 20 grey levels between x = 2 and 3: floor(20 * 51 / 256) = 3
  EXPECT_EQ(sums_of(options, left, right).at(3, 0, 0), 6u);
  options.p2_slope = 65535;  // never below P1 + 1
  EXPECT_EQ(sums_of(options, left, right).at(3, 0, 0), 4u);
}

TEST(Sgm, PathsComeFromTheirDirections) {
  // One candidate, and costs that are the pictures' difference: each path costs the same, so S counts the paths.
  for (const int paths : {2, 4, 5, 8}) {
    const Image<std::uint8_t> left({3, 3}, 9), right({3, 3}, 2);
    EXPECT_EQ(sums_of(sgm(1, paths, 1, 2), left, right).at(1, 1, 0), 7u * static_cast<unsigned>(paths));
  }
  // A change of disparity in one neighbour, seen from the centre: only paths that come through it pay.
  const auto penalties = [](int paths, int x, int y) {
    Image<std::uint8_t> left({3, 3}, 100), right({3, 3}, 100);
    StereoOptions options = sgm(2, paths, 3, 50);
    options.outside = StereoOutside::clamp;
    const auto flat = sums_of(options, left, right).at(1, 1, 0);
    left(x, y) = 110;
    right(x, y) = 130;  // d = 0 costs 20 there, d = 1 costs 10, or 0 where the partner is darker
    return sums_of(options, left, right).at(1, 1, 0) - flat;
  };
  EXPECT_GT(penalties(4, 1, 0), 0u);
  EXPECT_EQ(penalties(2, 1, 0), 0u);
  EXPECT_GT(penalties(8, 2, 2), 0u);
  EXPECT_EQ(penalties(5, 2, 2), 0u);
  EXPECT_GT(penalties(5, 2, 0), 0u);
  EXPECT_EQ(penalties(4, 2, 0), 0u);
}

// The sum of both paths less one cost is the least energy of all assignments in which the pixel has that disparity,
// but for a constant of the pixel.
TEST(Sgm, BothPathsOfARowFindTheCheapestAssignment) {
  constexpr int width = 6, count = 3, p1 = 4, p2 = 11;
  Random random(20261123);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto left = noise(random, {width, 1}, 30), right = noise(random, {width, 1}, 30);
    StereoOptions options = sgm(count, 2, p1, p2);
    options.outside = StereoOutside::clamp;  // every candidate is considered
    const auto sums = sums_of(options, left, right);
    const auto cost = [&](int x, int d) { return std::abs(left(x, 0) - right(std::max(0, x - d), 0)); };
    std::vector<int> best(width * count, std::numeric_limits<int>::max()), d(width, 0);
    for (int code = 0; code < 729; ++code) {  // 3^6
      int energy = 0;
      for (int x = 0, rest = code; x < width; ++x, rest /= count) {
        d[static_cast<std::size_t>(x)] = rest % count;
        energy += cost(x, rest % count);
        if (x == 0) continue;
        const int change = std::abs(rest % count - d[static_cast<std::size_t>(x) - 1]);
        energy += change == 0 ? 0 : change == 1 ? p1 : p2;
      }
      for (int x = 0; x < width; ++x) {
        int& least = best[static_cast<std::size_t>(x * count + d[static_cast<std::size_t>(x)])];
        least = std::min(least, energy);
      }
    }
    for (int x = 0; x < width; ++x)
      for (int k = 1; k < count; ++k) {
        const auto marginal = [&](int i) { return static_cast<int>(sums.at(x, 0, i)) - cost(x, i); };
        const auto least = [&](int i) { return best[static_cast<std::size_t>(x * count + i)]; };
        EXPECT_EQ(marginal(k) - marginal(0), least(k) - least(0)) << "x " << x << ", d " << k << ", repeat " << repeat;
      }
  }
}

TEST(Sgm, MirroredPicturesGiveTheMirroredMap) {
  Random random(5);
  const Size size{17, 9};
  const auto left = noise(random, size, 6), right = noise(random, size, 6);
  const auto mirror = [&](const Image<std::uint8_t>& picture) {
    Image<std::uint8_t> out(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) out(x, y) = picture(size.width - 1 - x, y);
    return out;
  };
  for (const int paths : {2, 4, 5, 8}) {
    StereoOptions options = sgm(6, paths, 20, 70);
    options.p2_slope = 100;
    options.left_right = 1;
    const auto map = reference_match(options, left, right);
    options.reference = StereoView::right;
    const auto mirrored = reference_match(options, mirror(right), mirror(left));
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        ASSERT_EQ(map.disparity(x, y), mirrored.disparity(size.width - 1 - x, y))
            << paths << " paths at " << x << ' ' << y;
        ASSERT_EQ(map.cost(x, y), mirrored.cost(size.width - 1 - x, y));
      }
  }
}

TEST(Sgm, TapsOutsideAreTakenFromTheEdge) {
  // Window 3x1, d = 0, flat but for the last pixel of the right picture, which the edge repeats.
  StereoOptions options = sgm(1, 2, 1, 2);
  options.window = {3, 1};
  const auto sums = sums_of(options, sgm_row({10, 10, 10}), sgm_row({10, 10, 14}));
  EXPECT_EQ(sums.at(0, 0, 0), 0u);
  EXPECT_EQ(sums.at(1, 0, 0), 2 * 4u);
  EXPECT_EQ(sums.at(2, 0, 0), 2 * 8u);
}

TEST(Sgm, BorderInvalidOnlyHidesPixels) {
  Random random(7);
  const Size size{14, 8};
  const auto left = noise(random, size, 9), right = noise(random, size, 9);
  StereoOptions options = sgm(4, 8, 10, 60);
  options.window = {5, 3};
  const auto all = reference_match(options, left, right);
  options.border = StereoBorder::invalid;
  const auto inner = reference_match(options, left, right);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const bool hidden = x < 2 || x >= size.width - 2 || y < 1 || y >= size.height - 1;
      ASSERT_EQ(inner.disparity(x, y), hidden ? sgm_off : all.disparity(x, y));
      ASSERT_EQ(inner.cost(x, y), hidden ? no_cost : all.cost(x, y));
    }
}

TEST(Sgm, FlatPicturesAreTied) {
  const Image<std::uint8_t> flat({12, 6}, 80);
  StereoOptions options = sgm(5, 8, 3, 9);
  options.reject_ties = true;
  EXPECT_EQ(values_of(reference_match(options, flat, flat).disparity), Values(72, sgm_off));
}

TEST(Sgm, TheOtherViewUsesTheSameSums) {
  // Right pixel 0 may be left pixel 0 (d = 0) or 1 (d = 1): S 22 and 0. Right pixel 1: left 1 (22) or 2 (0). Right
  // pixel 2: left 2, 16.
  const auto left = sgm_row({10, 20, 30}), right = sgm_row({20, 30, 37});
  const StereoPlan plan = make_stereo_plan({3, 1}, sgm(2, 2, 2, 5)), other = make_other_plan(plan);
  EXPECT_EQ(other.sums_view, StereoView::left);
  EXPECT_EQ(other.options.reference, StereoView::right);
  Image<std::int16_t> map(3, 1);
  Image<std::uint32_t> cost(3, 1);
  MatchMaps<std::int16_t> maps{};
  maps.disparity = map;
  maps.cost = cost;
  reference::match<std::uint8_t, std::int16_t>(other, left, right, maps);
  EXPECT_EQ(values_of(map), (Values{16, 16, 0}));
  EXPECT_EQ(values_of(cost), (Values{0, 0, 16}));
}

TEST(Sgm, CheckComparesWithTheDiagonalWinners) {
  // From above: left winners 0 1 1, right winners 1 1 0. Left pixel 0 means right pixel 0, whose winner is 1.
  StereoOptions options = sgm(2, 2, 2, 5);
  options.left_right = 0;
  EXPECT_EQ(values_of(reference_match(options, sgm_row({10, 20, 30}), sgm_row({20, 30, 37})).disparity),
            (Values{sgm_off, 16, 16}));
}

}  // namespace
}  // namespace vergence::test

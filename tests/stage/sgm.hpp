// SPDX-License-Identifier: Apache-2.0
// Semi-global matching of a backend gives the bytes of the reference: every map, of either view. Each failure prints
// the case; seeds are printed too. SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "stage/match_cases.hpp"
#include "stage/match_compare.hpp"

namespace vergence::test {
namespace {

constexpr int path_counts[] = {2, 4, 5, 8};
constexpr int costs = 5;

/// Settings that a test does not name, from a number. Pictures are at least as large as the window.
StereoOptions vary_paths(std::uint64_t number, Size size) {
  Random random(number + 1'000'000);
  StereoOptions o = vary(number);
  o.aggregate = StereoAggregate::sgm;
  o.paths = path_counts[random.within(0, 3)];
  o.cost = static_cast<StereoCost>(number % costs);
  const auto side = [&](int most) { return 2 * random.within(0, std::min(2, (most - 1) / 2)) + 1; };
  if (random.once_in(2)) o.window = {side(size.width), side(size.height)};
  if (random.once_in(2)) {
    o.p1 = random.within(1, random.once_in(4) ? 100'000 : 40);
    o.p2 = o.p1 + random.within(1, random.once_in(4) ? 100'000 : 200);
  }
  if (random.once_in(2)) o.p2_slope = random.once_in(4) ? 65535 : random.within(1, 600);
  if (random.once_in(3)) o.border = StereoBorder::invalid;
  if (random.once_in(3)) without_check(o, static_cast<StereoOutside>(random.within(0, 2)));
  if (random.once_in(4)) o.prefilter = static_cast<StereoPrefilter>(random.within(1, 2));
  if (random.once_in(4)) {
    o.depth = Depth::u16;
    o.max_value = o.cost == StereoCost::ssd ? 4095 : 65535;
  }
  return o;
}

Pictures pictures_of(std::uint64_t number) {
  constexpr Pictures kinds[] = {Pictures::texture, Pictures::noise, Pictures::stripes, Pictures::texture,
                                Pictures::pairs,   Pictures::flat,  Pictures::extremes};
  return kinds[number % 7];
}

StereoCase make_paths_case(std::uint64_t number, Size size, int disparities, int minimum) {
  StereoOptions options = vary_paths(number, size);
  options.disparities = std::min(disparities, size.width);
  options.min_disparity = minimum;
  return make_case(number, size, options, pictures_of(number));
}

/// The same, with everything from the number.
StereoCase make_paths_case(std::uint64_t number) {
  Random random(number + 2'000'000);
  const Size size{random.within(1, 90), random.within(1, 24)};
  StereoCase one = make_paths_case(number, size, random.within(1, random.once_in(3) ? 90 : 20),
                                   random.once_in(2) ? 0 : random.within(-size.width - 1, size.width + 1));
  if (!random.once_in(4)) return one;
  Rect roi{0, 0, random.within(1, size.width), random.within(1, size.height)};
  roi.x = random.within(0, size.width - roi.width);
  roi.y = random.within(0, size.height - roi.height);
  one.options.roi = roi;
  return one;
}

class SUITE_OF_SEEDS : public testing::TestWithParam<std::pair<int, int>> {};
TEST_P(SUITE_OF_SEEDS, EqualReference) {
  check_seeds(GetParam(), [](int seed) { return make_paths_case(static_cast<std::uint64_t>(seed)); });
}
VERGENCE_INSTANTIATE_SUITE(Seed, SUITE_OF_SEEDS, testing::ValuesIn(match_seeds()),
                           [](const auto& range) { return std::to_string(range.param.first); });

TEST_F(SUITE, EqualsTheReferenceForEveryNumberOfDisparities) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 30'000;
  for (const int disparities : {129, 130, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 65, 128, 64})
    for (const int wider : {21, 0})
      for (const int minimum : {0, -disparities / 2, 7})
        cases.push_back(make_paths_case(++number, {disparities + wider, 6}, disparities, minimum));
  check(cases);
}

TEST_F(SUITE, EqualsTheReferenceForEveryCostAndWindow) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 31'000;
  for (const Size window : {Size{1, 1}, Size{3, 3}, Size{5, 5}, Size{5, 1}, Size{1, 5}, Size{13, 7}})
    for (int cost = 0; cost < costs; ++cost)
      for (const StereoOutside outside : {StereoOutside::skip, StereoOutside::zero, StereoOutside::clamp}) {
        ++number;
        StereoCase one = make_paths_case(number, {34, 9}, 12, number % 3 == 0 ? -5 : 0);
        one.options.window = window;
        one.options.cost = static_cast<StereoCost>(cost);
        one.options.depth = Depth::u8;
        one.options.left_right = number % 2 == 0 ? 1 : -1;
        without_check(one.options, outside);
        cases.push_back(make_case(number, one.size, one.options, pictures_of(number)));
      }
  check(cases);
}

/// Paths that end where they start, and census windows that are larger than the picture.
TEST_F(SUITE, EqualsTheReferenceInSmallPictures) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 32'000;
  for (const Size size : {Size{1, 1}, Size{2, 2}, Size{1, 40}, Size{3, 40}, Size{40, 1}, Size{40, 3}, Size{2, 5},
                          Size{5, 2}, Size{8, 6}, Size{65, 1}})
    for (const int paths : path_counts)
      for (const int disparities : {1, 2, 40}) {
        ++number;
        StereoCase one = make_paths_case(number, size, disparities, number % 4 == 0 ? -1 : 0);
        one.options.paths = paths;
        cases.push_back(make_case(number, size, one.options, pictures_of(number)));
      }
  check(cases);
}

/// Costs at the ends of paths just below and above what 8, 15, 16 and 31 bits hold, and the largest of all.
TEST_F(SUITE, EqualsTheReferenceAtTheLargestSums) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 33'000;
  for (const std::int64_t most : {254, 255, 256, 257, 32766, 32767, 32768, 32769, 65534, 65535, 65536, 65537,
                                  (1 << 29) - 1, (1 << 30) - 1, 2147483647})
    for (const int paths : path_counts)
      for (const int width : {1, 3}) {
        if (paths * most >= 0xFFFFFFFF) continue;
        StereoOptions options = vary(++number);
        options.aggregate = StereoAggregate::sgm;
        options.cost = StereoCost::census_9x7;
        options.window = {width, 1};
        options.paths = paths;
        options.disparities = 11;
        options.p2 = static_cast<int>(most - 62 * width);
        options.p1 = options.p2 - 1;
        cases.push_back(make_case(number, {37, 10}, options, number % 2 == 0 ? Pictures::extremes : Pictures::noise));
      }
  check(cases);
}

TEST_F(SUITE, EqualsTheReferenceWhereCandidatesTie) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 34'000;
  for (const int disparities : {1, 2, 3, 4, 17, 64, 65})
    for (const Pictures kind : {Pictures::flat, Pictures::pairs, Pictures::extremes, Pictures::stripes})
      for (const int minimum : {0, -2}) {
        StereoCase one = make_paths_case(++number, {disparities + 21, 6}, disparities, minimum);
        one.options.reject_ties = true;
        cases.push_back(make_case(number, one.size, one.options, kind));
      }
  check(cases);
}

/// Wide enough for several threads to share the columns of a row, whose diagonal paths cross from strip to strip.
TEST_F(SUITE, EqualsTheReferenceInWidePictures) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 36'000;
  for (const int width : {129, 193, 260})
    for (const int paths : path_counts) {
      ++number;
      cases.push_back(make_paths_case(number, {width, 19}, 24, number % 2 == 0 ? 0 : -9));
      cases.back().options.paths = paths;
    }
  check(cases);
}

/// So large that most pixels have all candidates, as those before them.
TEST_F(SUITE, EqualsTheReferenceFarFromEdges) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 37'001;
  for (const Size size : {Size{150, 40}, Size{83, 68}, Size{64, 37}, Size{33, 100}})
    for (const int paths : path_counts)
      for (const int disparities : {16, 21, 64}) {
        ++number;
        StereoCase one = make_paths_case(number, size, std::min(disparities, size.width / 2), 0);
        one.options.paths = paths;
        one.options.cost = number % 4 == 0 ? one.options.cost : StereoCost::census_9x7;
        cases.push_back(make_case(number, size, one.options, pictures_of(number)));
      }
  check(cases);
}

/// Pixels near the picture's edge lack their first candidates, which lie beside others in a word.
TEST_F(SUITE, EqualsTheReferenceWherePixelsLackCandidates) {
  StereoCase one = make_paths_case(38'001, {60, 20}, 16, -5);
  one.options.cost = StereoCost::census_9x7;
  one.options.window = {3, 3};
  one.options.p1 = one.options.p2 = 0;
  one.options.depth = Depth::u8;
  one.options.reference = StereoView::left;
  one.options.outside = StereoOutside::skip;
  one.options.roi.reset();
  expect_equal(make_case(38'001, one.size, one.options, Pictures::noise));
}

/// Two costs in a word: few candidates lie in places that are half of all places apart.
TEST_F(SUITE, EqualsTheReferenceForFewCandidates) {
  std::uint64_t number = 39'001;
  for (const int disparities : {5, 9}) {
    StereoCase one = make_paths_case(number, {67, 24}, disparities, 0);
    one.options.cost = StereoCost::census_9x7;
    one.options.window = {1, 1};
    one.options.depth = Depth::u8;
    one.options.p1 = 15;
    one.options.p2 = 205;
    expect_equal(make_case(number, one.size, one.options, Pictures::texture));
    number += 4;  // the same launch configuration
  }
}

/// Texture at the edges, nothing inside: what paths bring along is kept over many pixels, also where lines are walked
/// in parts that begin without it.
TEST_F(SUITE, EqualsTheReferenceWherePathsForgetNothing) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 39'001;  // and every fourth: in parts on GPU devices
  for (const Size size : {Size{90, 21}, Size{40, 70}, Size{131, 64}})
    for (const int paths : path_counts) {
      StereoOptions options = vary(number);
      options.aggregate = StereoAggregate::sgm;
      options.cost = StereoCost::census_9x7;
      options.paths = paths;
      options.disparities = 19;
      options.window = {paths == 5 ? 3 : 1, 1};
      StereoCase one = make_case(number, size, options, Pictures::noise);
      for (Image<std::uint8_t>* const picture : {&one.left8, &one.right8})
        for (int y = 8; y < size.height; ++y)
          for (int x = 12; x < size.width - 5; ++x) (*picture)(x, y) = 77;
      cases.push_back(std::move(one));
      number += 4;
    }
  check(cases);
}

/// The map of the view whose paths were not summed.
TEST_F(SUITE, EqualsTheReferenceInTheOtherView) {
  const int all = 60, count = cases_to_run(2, all);
  for (int i = 0; i < count && !HasFailure(); ++i) {
    const std::uint64_t number = 35'000 + static_cast<std::uint64_t>(i);
    const StereoCase one = make_paths_case(number);
    expect_equal({one, make_other_plan(make_stereo_plan(one.size, one.options, one.masks()))});
  }
}

}  // namespace
}  // namespace vergence::test

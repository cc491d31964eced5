// SPDX-License-Identifier: Apache-2.0
// The matcher of a backend gives the bytes of the reference: every map, seeded cases and cases that a seed would rarely
// meet. Each failure prints the case; seeds are printed too. SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stage/match_cases.hpp"
#include "stage/match_compare.hpp"
#include "stage/suite.hpp"

namespace vergence::test {
namespace {

/// The parameter is a range of seeds: see match_seeds().
class SUITE_OF_SEEDS : public testing::TestWithParam<std::pair<int, int>> {};
TEST_P(SUITE_OF_SEEDS, EqualReference) {
  check_seeds(GetParam(),
              [](int seed) { return make_stereo_case(static_cast<std::uint64_t>(seed), largest_of_seed(seed)); });
}
VERGENCE_INSTANTIATE_SUITE(Seed, SUITE_OF_SEEDS, testing::ValuesIn(match_seeds()),
                           [](const auto& range) { return std::to_string(range.param.first); });

TEST_F(SUITE, EqualsTheReferenceAroundTheBordersOfChunks) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 0;
  for (const int width : {1, 2, 31, 32, 33, 63, 64, 65, 100})
    for (const int minimum : {0, -3, 5, -width, width})
      for (const Size window : {Size{1, 1}, Size{5, 3}, Size{31, 1}, Size{width | 1, 5}})
        for (const StereoOutside outside : {StereoOutside::skip, StereoOutside::zero, StereoOutside::clamp}) {
          StereoOptions options = vary(++number);
          options.cost = static_cast<StereoCost>(number % 5);
          options.border = number % 3 == 0 ? StereoBorder::invalid : StereoBorder::partial;
          options.window = {std::min(window.width, width % 2 == 1 ? width : width - 1), window.height};
          if (options.window.width < 1) options.window.width = 1;
          options.disparities = std::min(width, number % 5 == 0 ? 40 : 18);
          options.min_disparity = minimum;
          without_check(options, outside);
          cases.push_back(make_case(number, {width, 5 + static_cast<int>(number % 4)}, options, Pictures::texture));
        }
  check(cases);
}

TEST_F(SUITE, EqualsTheReferenceForEveryNumberOfDisparities) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 1000;
  for (const int disparities : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 96, 127, 128, 129, 192, 255, 256, 257})
    for (const bool wider : {false, true}) {  // as many candidates as columns, and fewer
      StereoOptions options = vary(++number);
      options.cost = static_cast<StereoCost>(number % 5);
      options.window = {3, 3};
      options.disparities = disparities;
      options.min_disparity = number % 5 == 0 ? -disparities / 2 : 0;
      if (options.left_right < 0) without_check(options, static_cast<StereoOutside>(number % 3));
      const Size size{std::max(3, disparities + (wider ? 37 : 0)), 4};
      cases.push_back(make_case(number, size, options, number % 2 == 0 ? Pictures::noise : Pictures::texture));
    }
  check(cases);
}

/// Ties at every distance, at the ends of rows too. The seeds ask for the disparities alone, or with the neighbours.
TEST_F(SUITE, EqualsTheReferenceWhereStripesTie) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 6000;
  for (const int disparities : {2, 3, 4, 17, 33, 64, 65, 100, 130, 256})
    for (const StereoCost cost : {StereoCost::sad, StereoCost::ssd, StereoCost::census_5x5, StereoCost::census_9x7})
      for (const Size window : {Size{1, 1}, Size{7, 3}}) {
        StereoOptions options = vary(number += 8);
        options.cost = cost;
        options.window = window;
        options.disparities = disparities;
        options.min_disparity = number % 3 == 0 ? -disparities / 2 : 0;
        options.border = number % 5 == 0 ? StereoBorder::invalid : StereoBorder::partial;
        options.reject_ties = true;
        options.uniqueness_ratio = 0;
        cases.push_back(make_case(number, {disparities + 37, 4}, options, Pictures::stripes));
      }
  check(cases);
}

struct SumKind {
  StereoCost cost;
  Size window;
  Depth depth = Depth::u8;
  int max_value = 65535;
  StereoPrefilter prefilter = StereoPrefilter::none;
};

/// Both sides of each border between sums of 16, 32 and 64 bits, with costs as large as they get.
TEST_F(SUITE, EqualsTheReferenceForEveryWidthOfSums) {
  std::vector<StereoCase> cases;
  const SumKind kinds[] = {
      {StereoCost::sad, {17, 15}},                                             // the largest SAD of 16 bits
      {StereoCost::sad, {257, 1}},                                             // the smallest SAD of 32 bits
      {StereoCost::sad, {17, 17}},                                             // a SAD of 32 bits
      {StereoCost::sad, {17, 15}, Depth::u8, 65535, StereoPrefilter::xsobel},  // a SAD of 16 bits of x-Sobel
      {StereoCost::census_9x7, {151, 7}},                                      // census of 16 bits
      {StereoCost::census_9x7, {33, 33}},                                      // census of 32 bits
      {StereoCost::census_5x5, {53, 53}},                                      // the small census of 32 bits
      {StereoCost::ssd, {9, 9}},                                               // SSD of bytes
      {StereoCost::sad, {9, 9}, Depth::u16},                                   // SAD of words, 32 bits
      {StereoCost::ssd, {3, 3}, Depth::u16, 15446},                            // the largest SSD of 32 bits
      {StereoCost::ssd, {3, 3}, Depth::u16, 15447},                            // the smallest SSD of 64 bits
      {StereoCost::ssd, {1, 1}, Depth::u16},                                   // SSD beyond 32 bits in one pixel
      {StereoCost::ssd, {21, 21}, Depth::u16},                                 // SSD of 64 bits
      {StereoCost::ssd, {5, 5}, Depth::u16, 65535, StereoPrefilter::xsobel},   // words through x-Sobel
      {StereoCost::census_9x7, {5, 5}, Depth::u16},                            // census of words
      {StereoCost::census_9x7, {35, 33}, Depth::u16},                          // census of words, 32 bits
  };
  std::uint64_t number = 2000;
  for (const SumKind& kind : kinds)
    for (const Pictures pictures : {Pictures::noise, Pictures::opposite, Pictures::extremes}) {
      StereoOptions options = vary(++number);
      options.cost = kind.cost;
      options.window = kind.window;
      options.depth = kind.depth;
      options.max_value = kind.max_value;
      options.prefilter = kind.prefilter;
      options.prefilter_cap = 127;
      options.disparities = 6;
      options.border = number % 2 == 0 ? StereoBorder::partial : StereoBorder::invalid;
      if (options.left_right < 0) without_check(options, static_cast<StereoOutside>(number % 3));
      const Size size{std::max(kind.window.width + 9, 40), std::max(kind.window.height + 2, 8)};
      cases.push_back(make_case(number, size, options, pictures));
    }
  check(cases);
}

/// Both sides of the border between texture sums of 16 bits and wider ones, matched after x-Sobel or not.
TEST_F(SUITE, EqualsTheReferenceForEveryWidthOfTextureSums) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 7000;
  for (const Size window : {Size{17, 29}, Size{21, 31}})
    for (const StereoPrefilter prefilter :
         {StereoPrefilter::none, StereoPrefilter::xsobel, StereoPrefilter::xsobel_opencv})
      for (const StereoCost cost : {StereoCost::sad, StereoCost::ssd, StereoCost::census_5x5})
        for (const int percent : {79, 82, 85, 200}) {  // of the largest sum; 82 % are usual here
          StereoOptions options = vary(++number);
          options.cost = cost;
          options.window = window;
          options.prefilter = prefilter;
          options.prefilter_cap = 127;
          options.texture_threshold = window.width * window.height * 127 / 100 * percent;
          options.disparities = 3;
          options.border = number % 2 == 0 ? StereoBorder::partial : StereoBorder::invalid;
          options.uniqueness_ratio = 0;
          options.reject_ties = false;
          options.left_right = -1;
          cases.push_back(make_case(number, {45, 36}, options, Pictures::extremes));
        }
  check(cases);
}

TEST_F(SUITE, EqualsTheReferenceForBytesThatNeed64Bits) {
  std::vector<StereoCase> cases;
  StereoOptions options = vary(3000);
  options.cost = StereoCost::ssd;
  options.window = {183, 181};  // 33123 x 255^2 is over 2^31
  options.disparities = 3;
  options.border = StereoBorder::invalid;
  cases.push_back(make_case(3000, {187, 183}, options, Pictures::extremes));
  check(cases);
}

TEST_F(SUITE, EqualsTheReferenceForRowsLongerThan16BitsCount) {
  std::vector<StereoCase> cases;
  for (const int width : {0x7FFF, 0x8000, 70000}) {
    StereoOptions options;
    options.window = {3, 1};
    options.disparities = 4;
    options.min_disparity = width == 70000 ? 66000 : 0;
    cases.push_back(make_case(4000, {width, 1}, options, Pictures::texture));
  }
  check(cases);
}

TEST_F(SUITE, EqualsTheReferenceWhereTheWindowIsThePicture) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 5000;
  for (const Size size : {Size{1, 1}, Size{1, 9}, Size{9, 1}, Size{13, 7}, Size{33, 5}, Size{65, 3}})
    for (int cost = 0; cost < 5; ++cost)
      for (const StereoBorder border : {StereoBorder::partial, StereoBorder::invalid})
        for (const StereoOutside outside : {StereoOutside::skip, StereoOutside::zero, StereoOutside::clamp}) {
          StereoOptions options = vary(++number);
          options.cost = static_cast<StereoCost>(cost);
          options.window = size;
          options.disparities = std::max(1, size.width / 2);
          options.min_disparity = -options.disparities / 2;
          options.border = border;
          without_check(options, outside);
          cases.push_back(make_case(number, size, options, Pictures::noise));
        }
  check(cases);
}

/// Settings that reject ties: numbers from `first` on. Every other case wants nothing but disparities.
class TieCases {
 public:
  explicit TieCases(std::uint64_t first) : number_(first) {}
  void add(Size size, Size window, int disparities, int minimum, Pictures pictures) {
    number_ += number_ % 6 == 3 ? 1 : (9 - number_ % 6) % 6;  // match_backend() wants no more of a seed 6 n + 3
    StereoOptions options = vary(number_);
    options.reject_ties = true;
    options.cost = static_cast<StereoCost>(count_ % 5);
    options.window = window;
    options.border = count_ % 3 == 0 ? StereoBorder::invalid : StereoBorder::partial;
    options.disparities = disparities;
    options.min_disparity = minimum;
    if (count_ % 5 > 1) options.uniqueness_ratio = 0;
    without_check(options, count_ % 7 > 2 ? StereoOutside::skip : static_cast<StereoOutside>(count_ % 3));
    cases_.push_back(make_case(number_, size, options, pictures));
    ++count_;
  }
  const std::vector<StereoCase>& all() const { return cases_; }

 private:
  std::uint64_t number_;
  int count_ = 0;
  std::vector<StereoCase> cases_;
};

TEST_F(SUITE, EqualsTheReferenceWhereAllCandidatesTie) {
  TieCases cases(7000);
  for (const int disparities : {1, 2, 3, 4, 17, 64, 65, 130})
    for (const Size window : {Size{1, 1}, Size{5, 3}, Size{9, 9}})
      for (const int minimum : {0, -1, 4})
        cases.add({disparities + 41, 6}, {window.width, std::min(window.height, 5)}, disparities, minimum,
                  Pictures::flat);
  check(cases.all());
}

TEST_F(SUITE, EqualsTheReferenceWhereFewCandidatesTie) {
  TieCases cases(7200);
  for (const int disparities : {2, 5, 18, 19, 20, 21, 36, 40, 64, 100, 200})
    for (const Size window : {Size{1, 1}, Size{3, 3}, Size{7, 5}})
      for (const Pictures pictures : {Pictures::pairs, Pictures::extremes})
        cases.add({disparities + 30, 6}, window, disparities, disparities % 3 - 1, pictures);
  check(cases.all());
}

/// Kernels round the number of candidates up; what is beyond the last one is none.
TEST_F(SUITE, EqualsTheReferenceWhereTiesLieBeyondTheLastCandidate) {
  std::vector<StereoCase> cases;
  for (const int disparities : {15, 33, 66, 130, 65})
    for (const StereoView reference : {StereoView::right, StereoView::left}) {
      StereoOptions options;
      options.speckle_size = 0;
      options.reference = reference;
      options.disparities = disparities;
      options.border = StereoBorder::invalid;
      cases.push_back(make_case(7803, {disparities + 40, 9}, options, Pictures::beyond));
    }
  check(cases);
}

/// Pixels with no candidate, with one, and with as many as the winner and its neighbours.
TEST_F(SUITE, EqualsTheReferenceWhereTheEdgeCutsCandidates) {
  TieCases cases(7500);
  for (const int disparities : {1, 2, 3, 4, 5, 12})
    for (const int width : {disparities, disparities + 1, disparities + 6, 40})
      for (const int minimum : {0, 1, -1, -3, width - 2, 2 - width})
        cases.add({width, 3}, {width > 3 ? 3 : 1, 3}, disparities, minimum,
                  minimum == 0 ? Pictures::texture : Pictures::noise);
  check(cases.all());
}

TEST_F(SUITE, EqualsTheReferenceInRegionsOfInterest) {
  std::vector<StereoCase> cases;
  std::uint64_t number = 6000;
  const Size size{70, 40};
  for (const Rect& roi :
       {Rect{0, 0, 1, 1}, Rect{69, 39, 1, 1}, Rect{31, 0, 3, 40}, Rect{0, 17, 70, 1}, Rect{33, 9, 31, 23}})
    for (const StereoBorder border : {StereoBorder::partial, StereoBorder::invalid}) {
      StereoOptions options = vary(++number);
      options.window = {7, 9};
      options.disparities = 24;
      options.roi = roi;
      options.border = border;
      cases.push_back(make_case(number, size, options, Pictures::texture));
    }
  check(cases);
}

}  // namespace
}  // namespace vergence::test

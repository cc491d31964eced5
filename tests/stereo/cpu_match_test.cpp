// SPDX-License-Identifier: Apache-2.0
// The matcher on the CPU gives the bytes of the reference: every map, every SIMD target of this machine, one to three
// threads, seeded cases and cases that a seed would rarely meet. Each failure prints the case; seeds are printed too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/stages.hpp"
#include "plan/stereo/plan.hpp"
#include "reference/stereo/stages.hpp"
#include "verify/random.hpp"
#include "verify/stereo_cases.hpp"
#include "verify/stereo_run.hpp"

namespace vergence {
namespace {

/// Everything `match` writes, in memory that notices writes outside the maps.
template <class T>
struct Maps {
  GuardedMap<T> disparity;
  GuardedMap<std::uint8_t> confidence;
  GuardedMap<std::uint32_t> cost, second_cost, before, after;

  explicit Maps(Size size)
      : disparity(size, 3), confidence(size, 5), cost(size, 1), second_cost(size, 0), before(size, 2), after(size, 7) {}
  MatchMaps<T> views() {
    return {disparity.view(), confidence.view(), cost.view(), second_cost.view(), before.view(), after.view()};
  }
};

/// Which maps a run asks for: what is not asked for takes other paths through the code.
enum Wanted : unsigned { disparity_alone = 0, confidence = 1, cost = 2, second = 4, neighbours = 8, all = 15 };

template <class T>
MatchMaps<T> choose(MatchMaps<T> views, unsigned wanted) {
  if ((wanted & confidence) == 0) views.confidence = {};
  if ((wanted & cost) == 0) views.cost = {};
  if ((wanted & second) == 0) views.second_cost = {};
  if ((wanted & neighbours) == 0) views.cost_before = views.cost_after = {};
  return views;
}

template <class V>
std::string difference_of(const char* name, const GuardedMap<V>& expected, const GuardedMap<V>& got) {
  if (!got.intact()) return std::string("memory around map ") + name + " was changed";
  const auto a = expected.view(), b = got.view();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a(x, y) != b(x, y))
        return std::string("map ") + name + " at x " + std::to_string(x) + ", y " + std::to_string(y) + " is " +
               std::to_string(b(x, y)) + ", must be " + std::to_string(a(x, y));
  return {};
}

template <class T>
std::string first_difference(const Maps<T>& expected, const Maps<T>& got, unsigned wanted) {
  std::string text = difference_of("disparity", expected.disparity, got.disparity);
  const auto add = [&](unsigned bit, const char* name, const auto& one, const auto& two) {
    if (text.empty() && (wanted & bit) != 0) text = difference_of(name, one, two);
  };
  add(confidence, "confidence", expected.confidence, got.confidence);
  add(cost, "cost", expected.cost, got.cost);
  add(second, "second_cost", expected.second_cost, got.second_cost);
  add(neighbours, "cost_before", expected.before, got.before);
  add(neighbours, "cost_after", expected.after, got.after);
  return text;
}

template <class P, class T>
void compare(const StereoCase& stereo_case, const Image<P>& left_picture, const Image<P>& right_picture) {
  const Size size = stereo_case.size;
  const StereoPlan plan = make_stereo_plan(size, stereo_case.options);
  const unsigned costs_fit = plan.max_cost < no_cost ? all : unsigned{confidence};
  const GuardedMap<P> left(left_picture.view(), 1), right(right_picture.view(), 4);
  Maps<T> expected(size), swapped(size);
  reference::match<P, T>(plan, left.view(), right.view(), choose(expected.views(), costs_fit));
  reference::match<P, T>(plan, right.view(), left.view(), choose(swapped.views(), costs_fit));
  const unsigned some = static_cast<unsigned>(stereo_case.seed) & costs_fit;
  // The last run of each target asks for less, on as many threads as the seed says.
  const std::pair<int, unsigned> runs[] = {
      {1, costs_fit}, {2, costs_fit}, {3, costs_fit}, {static_cast<int>(stereo_case.seed % 3) + 1, some}};
  for (const std::int64_t target : cpu::simd_targets())
    for (const auto& [threads, wanted] : runs) {
      cpu::Context context(threads, target);
      cpu::MatchScratch scratch;
      Maps<T> got(size), got_swapped(size);
      cpu::match<P, T>(plan, context, scratch, left.view(), right.view(), choose(got.views(), wanted));
      // Again with the same scratch memory: nothing of the first pair may be left in it.
      cpu::match<P, T>(plan, context, scratch, right.view(), left.view(), choose(got_swapped.views(), wanted));
      std::string text = first_difference(expected, got, wanted);
      if (text.empty()) text = first_difference(swapped, got_swapped, wanted);
      if (text.empty()) continue;
      ADD_FAILURE() << describe(stereo_case) << "; target " << cpu::simd_name(target) << ", threads " << threads
                    << ", maps " << wanted << ": " << text;
      return;
    }
}

void expect_equal(const StereoCase& stereo_case) {
  const bool wide = make_stereo_plan(stereo_case.size, stereo_case.options).wide || stereo_case.seed % 4 == 3;
  if (stereo_case.options.depth == Depth::u8) {
    if (wide)
      compare<std::uint8_t, std::int32_t>(stereo_case, stereo_case.left8, stereo_case.right8);
    else
      compare<std::uint8_t, std::int16_t>(stereo_case, stereo_case.left8, stereo_case.right8);
  } else {
    if (wide)
      compare<std::uint16_t, std::int32_t>(stereo_case, stereo_case.left16, stereo_case.right16);
    else
      compare<std::uint16_t, std::int16_t>(stereo_case, stereo_case.left16, stereo_case.right16);
  }
}

/// What the pictures of a hand-picked case show.
enum class Pictures {
  noise,     ///< no order
  texture,   ///< a match with noise of a few levels, so that ties are frequent
  opposite,  ///< 0 against the largest value: the largest cost in every window
  extremes,  ///< 0 and the largest value at random: costs near the largest, and ties
};

template <class P>
void paint(Random& random, Pictures kind, int largest, const StereoOptions& options, Image<P>& left, Image<P>& right) {
  const int shift = options.min_disparity + options.disparities / 2;
  for (int y = 0; y < left.height(); ++y)
    for (int x = 0; x < left.width(); ++x) {
      const auto value = [&](bool other) {
        if (kind == Pictures::opposite) return other ? largest : 0;
        if (kind == Pictures::extremes) return random.within(0, 1) * largest;
        if (kind == Pictures::noise) return random.within(0, largest);
        const int column = other ? x + shift : x;
        return ((column * 7 + y * 13 + column / 5 * 31) % 23 + random.within(0, 1)) * largest / 24;
      };
      left(x, y) = static_cast<P>(value(false));
      right(x, y) = static_cast<P>(value(true));
    }
}

StereoCase make_case(std::uint64_t seed, Size size, const StereoOptions& options, Pictures kind) {
  Random random(seed);
  StereoCase result;
  result.size = size;
  result.options = options;
  result.seed = seed;
  if (options.depth == Depth::u8) {
    result.left8 = Image<std::uint8_t>(size);
    result.right8 = Image<std::uint8_t>(size);
    paint(random, kind, 255, options, result.left8, result.right8);
  } else {
    result.left16 = Image<std::uint16_t>(size);
    result.right16 = Image<std::uint16_t>(size);
    paint(random, kind, options.max_value, options, result.left16, result.right16);
  }
  return result;
}

/// The fields that a test does not name, from a number.
StereoOptions vary(std::uint64_t number) {
  Random random(number);
  StereoOptions options;
  options.speckle_size = 0;
  options.reference = random.once_in(2) ? StereoView::right : StereoView::left;
  options.tie = random.once_in(2) ? StereoTie::highest : StereoTie::lowest;
  options.subpixel = !random.once_in(4);
  options.left_right = random.once_in(2) ? -1 : random.within(0, 2);
  if (random.once_in(3)) options.uniqueness_ratio = random.within(1, 30);
  if (random.once_in(4)) options.texture_threshold = random.within(1, 500);
  return options;
}

void without_check(StereoOptions& options, StereoOutside outside) {
  options.outside = outside;
  if (outside != StereoOutside::skip) options.left_right = -1;
}

TEST(CpuMatch, EqualsTheReferenceOnSeededCases) {
  constexpr std::uint64_t first = 20000;
  constexpr int count = 240;
  std::printf("seeds %llu .. %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1));
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed)
    expect_equal(make_stereo_case(seed, {72, 30}));
}

TEST(CpuMatch, EqualsTheReferenceOnWiderSeededCases) {
  for (std::uint64_t seed = 500; seed < 560 && !HasFailure(); ++seed) expect_equal(make_stereo_case(seed, {200, 12}));
}

TEST(CpuMatch, EqualsTheReferenceAroundTheBordersOfChunks) {
  std::uint64_t number = 0;
  for (const int width : {1, 2, 31, 32, 33, 63, 64, 65, 100})
    for (const int minimum : {0, -3, 5, -width, width})
      for (const Size window : {Size{1, 1}, Size{5, 3}, Size{31, 1}, Size{width | 1, 5}})
        for (const StereoOutside outside : {StereoOutside::skip, StereoOutside::zero, StereoOutside::clamp}) {
          StereoOptions options = vary(++number);
          options.cost = static_cast<StereoCost>(number % 4);
          options.border = number % 3 == 0 ? StereoBorder::invalid : StereoBorder::partial;
          options.window = {std::min(window.width, width % 2 == 1 ? width : width - 1), window.height};
          if (options.window.width < 1) options.window.width = 1;
          options.disparities = std::min(width, number % 5 == 0 ? 40 : 18);
          options.min_disparity = minimum;
          without_check(options, outside);
          if (!HasFailure())
            expect_equal(make_case(number, {width, 5 + static_cast<int>(number % 4)}, options, Pictures::texture));
        }
}

TEST(CpuMatch, EqualsTheReferenceForEveryNumberOfDisparities) {
  std::uint64_t number = 1000;
  for (const int disparities : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 96, 127, 128, 129, 192, 255, 256, 257})
    for (const bool wider : {false, true}) {  // as many candidates as columns, and fewer
      StereoOptions options = vary(++number);
      options.cost = static_cast<StereoCost>(number % 4);
      options.window = {3, 3};
      options.disparities = disparities;
      options.min_disparity = number % 5 == 0 ? -disparities / 2 : 0;
      if (options.left_right < 0) without_check(options, static_cast<StereoOutside>(number % 3));
      const Size size{std::max(3, disparities + (wider ? 37 : 0)), 4};
      if (!HasFailure())
        expect_equal(make_case(number, size, options, number % 2 == 0 ? Pictures::noise : Pictures::texture));
    }
}

struct SumKind {
  const char* name;
  StereoCost cost;
  Size window;
  Depth depth = Depth::u8;
  int max_value = 65535;
  StereoPrefilter prefilter = StereoPrefilter::none;
};

/// Both sides of each border between sums of 16, 32 and 64 bits, with costs as large as they get.
TEST(CpuMatch, EqualsTheReferenceForEveryWidthOfSums) {
  const SumKind kinds[] = {
      {"the largest SAD of 16 bits", StereoCost::sad, {17, 15}},
      {"the smallest SAD of 32 bits", StereoCost::sad, {257, 1}},
      {"a SAD of 32 bits", StereoCost::sad, {17, 17}},
      {"a SAD of 16 bits of x-Sobel", StereoCost::sad, {17, 15}, Depth::u8, 65535, StereoPrefilter::xsobel},
      {"census of 16 bits", StereoCost::census_9x7, {151, 7}},
      {"census of 32 bits", StereoCost::census_9x7, {33, 33}},
      {"the small census of 32 bits", StereoCost::census_5x5, {53, 53}},
      {"SSD of bytes", StereoCost::ssd, {9, 9}},
      {"SAD of words, 32 bits", StereoCost::sad, {9, 9}, Depth::u16},
      {"the largest SSD of 32 bits", StereoCost::ssd, {3, 3}, Depth::u16, 15446},
      {"the smallest SSD of 64 bits", StereoCost::ssd, {3, 3}, Depth::u16, 15447},
      {"SSD beyond 32 bits in one pixel", StereoCost::ssd, {1, 1}, Depth::u16},
      {"SSD of 64 bits", StereoCost::ssd, {21, 21}, Depth::u16},
      {"words through x-Sobel", StereoCost::ssd, {5, 5}, Depth::u16, 65535, StereoPrefilter::xsobel},
      {"census of words", StereoCost::census_9x7, {5, 5}, Depth::u16},
      {"census of words, 32 bits", StereoCost::census_9x7, {35, 33}, Depth::u16},
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
      SCOPED_TRACE(kind.name);
      const Size size{std::max(kind.window.width + 9, 40), std::max(kind.window.height + 2, 8)};
      if (!HasFailure()) expect_equal(make_case(number, size, options, pictures));
    }
}

TEST(CpuMatch, EqualsTheReferenceForBytesThatNeed64Bits) {
  StereoOptions options = vary(3000);
  options.cost = StereoCost::ssd;
  options.window = {183, 181};  // 33123 x 255^2 is over 2^31
  options.disparities = 3;
  options.border = StereoBorder::invalid;
  expect_equal(make_case(3000, {187, 183}, options, Pictures::extremes));
}

TEST(CpuMatch, EqualsTheReferenceForRowsLongerThan16BitsCount) {
  for (const int width : {0x7FFF, 0x8000, 70000}) {
    StereoOptions options;
    options.window = {3, 1};
    options.disparities = 4;
    options.min_disparity = width == 70000 ? 66000 : 0;
    expect_equal(make_case(4000, {width, 1}, options, Pictures::texture));
  }
}

TEST(CpuMatch, EqualsTheReferenceWhereTheWindowIsThePicture) {
  std::uint64_t number = 5000;
  for (const Size size : {Size{1, 1}, Size{1, 9}, Size{9, 1}, Size{13, 7}, Size{33, 5}, Size{65, 3}})
    for (int cost = 0; cost < 4; ++cost)
      for (const StereoBorder border : {StereoBorder::partial, StereoBorder::invalid})
        for (const StereoOutside outside : {StereoOutside::skip, StereoOutside::zero, StereoOutside::clamp}) {
          StereoOptions options = vary(++number);
          options.cost = static_cast<StereoCost>(cost);
          options.window = size;
          options.disparities = std::max(1, size.width / 2);
          options.min_disparity = -options.disparities / 2;
          options.border = border;
          without_check(options, outside);
          if (!HasFailure()) expect_equal(make_case(number, size, options, Pictures::noise));
        }
}

TEST(CpuMatch, EqualsTheReferenceInRegionsOfInterest) {
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
      if (!HasFailure()) expect_equal(make_case(number, size, options, Pictures::texture));
    }
}

}  // namespace
}  // namespace vergence

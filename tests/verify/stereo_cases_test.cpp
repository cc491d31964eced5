// SPDX-License-Identifier: Apache-2.0
// The case generator: every case is valid, the same on every machine, and all settings occur.
#include "verify/stereo_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/random.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence {
namespace {

constexpr std::uint64_t tried = 2000;

TEST(Random, IsSplitmix64) {
  // The first outputs for seed 1234567, as published with the algorithm.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, StaysWithinItsBounds) {
  Random random(1);
  std::set<int> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.within(-2, 3));
  EXPECT_EQ(seen, (std::set<int>{-2, -1, 0, 1, 2, 3}));
  EXPECT_EQ(random.within(7, 7), 7);
}

template <class P>
int largest_pixel(const Image<P>& a, const Image<P>& b) {
  int largest = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) largest = std::max({largest, int{a(x, y)}, int{b(x, y)}});
  return largest;
}

TEST(StereoCases, EveryCaseIsValid) {
  for (std::uint64_t seed = 0; seed < tried; ++seed) {
    const StereoCase one = make_stereo_case(seed);
    ASSERT_NO_THROW(make_stereo_plan(one.size, one.options)) << describe(one);
    ASSERT_LE(one.size.width, 80);
    ASSERT_LE(one.size.height, 60);
    const bool narrow = one.options.depth == Depth::u8;
    ASSERT_EQ(one.left8.size(), narrow ? one.size : Size{});
    ASSERT_EQ(one.right8.size(), one.left8.size());
    ASSERT_EQ(one.left16.size(), narrow ? Size{} : one.size);
    ASSERT_EQ(one.right16.size(), one.left16.size());
    if (!narrow) {
      ASSERT_LE(largest_pixel(one.left16, one.right16), one.options.max_value) << describe(one);
    }
  }
}

TEST(StereoCases, OtherLimitsHold) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const StereoCase tiny = make_stereo_case(seed, {1, 1});
    ASSERT_EQ(tiny.size, (Size{1, 1}));
    ASSERT_NO_THROW(make_stereo_plan(tiny.size, tiny.options)) << describe(tiny);
    const StereoCase row = make_stereo_case(seed, {200, 1});
    ASSERT_NO_THROW(make_stereo_plan(row.size, row.options)) << describe(row);
  }
}

/// FNV-1a over the pixels, which are drawn after, and with, all settings.
std::uint64_t fingerprint(std::uint64_t seeds) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001B3u; };
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const StereoCase one = make_stereo_case(seed);
    add(static_cast<std::uint64_t>(one.size.width));
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < one.size.width; ++x)
        if (one.options.depth == Depth::u8) {
          add(one.left8(x, y));
          add(one.right8(x, y));
        } else {
          add(one.left16(x, y));
          add(one.right16(x, y));
        }
  }
  return hash;
}

// A reported seed must mean the same case everywhere. Whoever changes the generator on purpose changes this number.
TEST(StereoCases, AreTheSameEverywhere) { EXPECT_EQ(fingerprint(100), 10561389482670513547u); }

TEST(StereoCases, AllSettingsOccur) {
  // Values by field: an enumeration must show each of its words, a number at least a few values.
  std::map<std::string, std::set<std::string>> seen;
  for (std::uint64_t seed = 0; seed < tried; ++seed) {
    const StereoCase one = make_stereo_case(seed);
    for (const Field& field : stereo_fields())
      seen[std::string(field.name)].insert(stereo_get(one.options, field.name));
  }
  const std::map<std::string, std::size_t> words{
      {"cost", 5},        {"aggregate", 2}, {"paths", 4},       {"reference", 2},      {"border", 2},
      {"outside", 3},     {"tie", 2},       {"prefilter", 3},   {"subpixel", 2},       {"median", 3},
      {"reject-ties", 2}, {"fill", 5},      {"pixel-depth", 2}, {"left-right-unit", 2}};
  for (const Field& field : stereo_fields()) {
    const auto found = words.find(std::string(field.name));
    const std::size_t values = seen[std::string(field.name)].size();
    if (found != words.end())
      EXPECT_EQ(values, found->second) << field.name;
    else
      EXPECT_GE(values, 8u) << field.name;
  }
}

TEST(StereoCases, RareSituationsOccur) {
  int bytes_of_paths = 0, words_of_paths = 0, long_paths = 0;  // sizes of a cost along a path
  int wide = 0, one_row = 0, one_column = 0, whole_window = 0, no_candidates_left = 0;
  for (std::uint64_t seed = 0; seed < tried; ++seed) {
    const StereoCase one = make_stereo_case(seed);
    const StereoPlan plan = make_stereo_plan(one.size, one.options);
    wide += plan.wide ? 1 : 0;
    if (plan.sums_paths()) {
      const std::uint64_t path = plan.max_window_cost + static_cast<std::uint64_t>(plan.options.p2);
      bytes_of_paths += path < 255 ? 1 : 0;
      words_of_paths += path >= 255 && path < 65535 ? 1 : 0;
      long_paths += path >= 65535 ? 1 : 0;
    }
    one_row += one.size.height == 1 ? 1 : 0;
    one_column += one.size.width == 1 ? 1 : 0;
    whole_window += one.options.window == one.size ? 1 : 0;
    no_candidates_left += one.options.min_disparity >= one.size.width ? 1 : 0;
  }
  EXPECT_GT(wide, 5);
  EXPECT_GT(bytes_of_paths, 20);
  EXPECT_GT(words_of_paths, 20);
  EXPECT_GT(long_paths, 20);
  EXPECT_GT(one_row, 20);
  EXPECT_GT(one_column, 20);
  EXPECT_GT(whole_window, 20);
  EXPECT_GT(no_candidates_left, 5);
}

}  // namespace
}  // namespace vergence

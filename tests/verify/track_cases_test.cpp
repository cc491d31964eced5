// SPDX-License-Identifier: Apache-2.0
// Seeded cases of tracks and filters: the same on every machine, covering all settings; and their comparison notices a
// difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>
#include <string>

#include "vergence/verify.hpp"
#include "verify/filter_run.hpp"
#include "verify/track_run.hpp"

namespace vergence {
namespace {

std::uint64_t fingerprint(int cases) {
  std::uint64_t hash = 0;
  for (int i = 0; i < cases; ++i) {
    const TrackCase one = make_track_case(static_cast<std::uint64_t>(i), {60, 50});
    for (const char c : describe(one)) hash = hash_value(hash, static_cast<unsigned char>(c));
    const TrackFrames<std::uint16_t> frames = make_track_frames<std::uint16_t>(one);
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < one.size.width; ++x)
        hash = hash_value(hash, frames.current(x, y) * 65536u + frames.previous(x, y));
    for (const TrackPosition at : make_track_points(one).guesses)
      hash = hash_value(hash, static_cast<std::uint64_t>(at.x * 65537LL + at.y));
    const FilterCase filter = make_filter_case(static_cast<std::uint64_t>(i), {40, 30});
    for (int y = 0; y < filter.size.height; ++y)
      for (int x = 0; x < filter.size.width; ++x)
        hash = hash_value(hash, filter.bytes(x, y) + std::uint64_t{std::bit_cast<std::uint32_t>(filter.floats(x, y))});
  }
  return hash;
}

// A reported seed must mean the same case everywhere. Whoever changes the generator on purpose changes this number.
TEST(TrackCases, AreTheSameEverywhere) { EXPECT_EQ(fingerprint(100), 18426595587165123797u); }

TEST(TrackCases, AllSettingsOccur) {
  std::map<std::string, std::set<std::string>> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    for (const Field& field : track_fields())
      seen[std::string(field.name)].insert(track_get(make_track_case(seed).options, field.name));
  const std::map<std::string, std::size_t> few{{"corner", 2}, {"corner-block", 3},  {"levels", 5},  {"gain-offset", 2},
                                               {"guess", 2},  {"must-converge", 2}, {"history", 5}, {"pixel-depth", 2}};
  for (const Field& field : track_fields()) {
    const auto found = few.find(std::string(field.name));
    const std::size_t values = seen[std::string(field.name)].size();
    if (found != few.end())
      EXPECT_EQ(values, found->second) << field.name;
    else
      EXPECT_GE(values, 8u) << field.name;
  }
}

/// Every list is filled in some case; one changed number in it is found, named, and changes the hash.
TEST(TrackCases, EveryChangedNumberIsFound) {
  TrackCase one = make_track_case(1);
  one.size = {60, 50};
  one.options = {};
  one.options.window = 9;
  one.options.quality = 0.001;
  one.options.min_distance = 4;
  const Device reference("reference");
  const TrackRun expected = run_track(reference, one, 5);
  ASSERT_EQ(expected.lists.size(), 10u);
  for (std::size_t i = 0; i < expected.lists.size(); ++i) {
    const TrackList& list = expected.lists[i];
    ASSERT_FALSE(list.values.empty()) << list.name;
    TrackRun got = run_track(reference, one, 5);
    EXPECT_EQ(first_difference(expected, got), "");
    EXPECT_EQ(hash_run(expected, 0), hash_run(got, 0));
    got.lists[i].values.back() ^= 1;
    EXPECT_THAT(first_difference(expected, got), testing::HasSubstr(list.name + ": " + list.fields.back()));
    EXPECT_NE(hash_run(expected, 0), hash_run(got, 0)) << list.name;
    got.lists[i].values.resize(list.values.size() - list.fields.size());
    EXPECT_THAT(first_difference(expected, got), testing::HasSubstr(list.name + ": there are "));
  }
  TrackRun got = run_track(reference, one, 5);
  got.intact = false;
  EXPECT_THAT(first_difference(expected, got), testing::HasSubstr("was changed"));
}

TEST(FilterCases, EveryChangedBitIsFound) {
  const FilterCase one = make_filter_case(2, {30, 20});
  const Device reference("reference");
  const FilterRun expected = run_filters(reference, one, 3);
  int pictures = 0;
  const auto corrupt = [&](const char* name, auto member) {
    FilterRun got = run_filters(reference, one, 3);
    auto view = (got.*member).view();
    auto& value = view(view.width() - 1, view.height() - 1);
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, float>)
      value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 1u);
    else
      value = static_cast<std::remove_reference_t<decltype(value)>>(value ^ 1);
    EXPECT_THAT(first_difference(expected, got), testing::HasSubstr(std::string(name) + " at x "));
    EXPECT_NE(hash_run(expected, 0), hash_run(got, 0)) << name;
    ++pictures;
  };
  corrupt("blur of bytes", &FilterRun::blur8);
  corrupt("half of bytes", &FilterRun::half8);
  corrupt("sobel dx of bytes", &FilterRun::sobel_dx8);
  corrupt("sobel dy of bytes", &FilterRun::sobel_dy8);
  corrupt("scharr dx of bytes", &FilterRun::scharr_dx8);
  corrupt("scharr dy of bytes", &FilterRun::scharr_dy8);
  corrupt("blur", &FilterRun::blur);
  corrupt("half", &FilterRun::half);
  corrupt("sobel dx", &FilterRun::sobel_dx);
  corrupt("sobel dy", &FilterRun::sobel_dy);
  corrupt("scharr dx", &FilterRun::scharr_dx);
  corrupt("scharr dy", &FilterRun::scharr_dy);
  EXPECT_EQ(pictures, 12);
  FilterRun got = run_filters(reference, one, 3);
  EXPECT_EQ(first_difference(expected, got), "");
  got.intact = false;
  EXPECT_THAT(first_difference(expected, got), testing::HasSubstr("was changed"));
}

TEST(FilterCases, OneGradientAloneIsAskedForToo) {
  const Device reference("reference");
  const FilterRun no_dy = run_filters(reference, make_filter_case(3, {30, 20}), 0);
  const FilterRun no_dx = run_filters(reference, make_filter_case(4, {30, 20}), 0);
  EXPECT_TRUE(no_dy.sobel_dy.empty() && no_dy.scharr_dy8.empty() && !no_dy.sobel_dx.empty());
  EXPECT_TRUE(no_dx.sobel_dx.empty() && no_dx.scharr_dx8.empty() && !no_dx.sobel_dy.empty());
}

TEST(VerifyLeavesOut, NothingOnDevicesThatHaveAll) {
  EXPECT_EQ(verify_leaves_out(Device("reference")), "");
  EXPECT_EQ(verify_leaves_out(Device("cpu")), "");
}

}  // namespace
}  // namespace vergence

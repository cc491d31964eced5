// SPDX-License-Identifier: Apache-2.0
// Seeded motion cases mean the same everywhere and reach every setting; what compares their runs notices a difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "support/zero_vector.hpp"
#include "verify/motion_run.hpp"

namespace vergence {
namespace {

constexpr int motion_tried = 2000;

std::uint64_t motion_fingerprint(int cases) {
  std::uint64_t hash = 0;
  for (int i = 0; i < cases; ++i) {
    MotionCase one = make_motion_case(static_cast<std::uint64_t>(i));
    for (const char c : describe(one)) hash = hash_value(hash, static_cast<unsigned char>(c));
    const MotionFrames<std::uint16_t> frames = make_motion_frames<std::uint16_t>(one);
    for (int y = 0; y < one.size.height; ++y)
      for (int x = 0; x < one.size.width; ++x)
        hash = hash_value(hash, frames.current(x, y) * 65536u + frames.reference(x, y));
    const Image<MotionVector> field = make_previous_field(one, {3, 2});
    hash = hash_value(hash, static_cast<std::uint64_t>(field(2, 1).dx * 65536 + field(2, 1).dy));
  }
  return hash;
}

// A reported seed must mean the same case everywhere. Whoever changes the generator on purpose changes this number.
TEST(MotionCases, AreTheSameEverywhere) { EXPECT_EQ(motion_fingerprint(100), 9018796582275007075u); }

TEST(MotionCases, AllSettingsOccur) {
  std::map<std::string, std::set<std::string>> seen;
  for (std::uint64_t seed = 0; seed < motion_tried; ++seed)
    for (const Field& field : motion_fields())
      seen[std::string(field.name)].insert(motion_get(make_motion_case(seed).options, field.name));
  const std::map<std::string, std::size_t> words{{"search", 6}, {"step-grid", 4}, {"levels", 6},  {"cost", 3},
                                                 {"border", 2}, {"subpel", 3},    {"overlap", 2}, {"pixel-depth", 2}};
  for (const Field& field : motion_fields()) {
    const auto found = words.find(std::string(field.name));
    const std::size_t values = seen[std::string(field.name)].size();
    if (found != words.end())
      EXPECT_EQ(values, found->second) << field.name;
    else
      EXPECT_GE(values, 8u) << field.name;
  }
}

/// One changed value in any map is found, named with place and values, and changes the hash.
TEST(MotionCases, EveryChangedValueIsFound) {
  MotionCase one = make_motion_case(1);
  one.options = {};
  one.options.block = {4, 4};
  one.options.range_x = one.options.range_y = {-4, 4};
  const Device reference("reference");
  const MotionRun expected = run_motion(reference, one, {});
  const auto last = expected.sizes[0].vectors.view().size();
  const std::string place =
      " at x " + std::to_string(last.width - 1) + ", y " + std::to_string(last.height - 1) + " is ";
  int maps = 0;
  const auto corrupt = [&](const char* name, auto member) {
    MotionRun got = run_motion(reference, one, {});
    auto& value = (got.sizes[0].*member).view()(last.width - 1, last.height - 1);
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, MotionVector>)
      value.dy = static_cast<std::int16_t>(value.dy ^ 1);
    else
      value ^= 1;
    EXPECT_THAT(first_difference(expected, got), testing::HasSubstr(std::string("map ") + name + place));
    EXPECT_NE(hash_run(expected, 0), hash_run(got, 0)) << name;
    ++maps;
  };
  corrupt("vectors", &MotionSizeRun::vectors);
  corrupt("cost", &MotionSizeRun::cost);
  corrupt("j", &MotionSizeRun::j);
  corrupt("second_j", &MotionSizeRun::second_j);
  corrupt("confidence", &MotionSizeRun::confidence);
  MotionRun got = run_motion(reference, one, {});
  got.prediction8.view()(0, 0) ^= 1;
  EXPECT_THAT(first_difference(expected, got), testing::HasSubstr("map prediction at x 0, y 0"));
  EXPECT_NE(hash_run(expected, 0), hash_run(got, 0));
  EXPECT_EQ(first_difference(expected, run_motion(reference, one, {})), "");
  got = run_motion(reference, one, {});
  got.intact = false;
  EXPECT_THAT(first_difference(expected, got), testing::HasSubstr("memory outside"));
}

TEST(MotionCases, AVectorWorseThanNoneIsFound) {
  MotionCase one = make_motion_case(1);
  one.options = {};
  one.options.block = {4, 4};
  one.options.range_x = one.options.range_y = {-4, 4};
  one.options.lambda = 4 << 16;
  MotionFrames<std::uint8_t> frames{Image<std::uint8_t>(one.size, 5), Image<std::uint8_t>(one.size, 7)};
  MotionRun run = run_motion(Device("reference"), one, frames, {});
  EXPECT_EQ(test::above_zero(one, frames, run), "");
  run.sizes[0].j.view()(0, 0) += 1000;
  EXPECT_THAT(test::above_zero(one, frames, run), testing::HasSubstr("J at x 0, y 0 is "));
}

}  // namespace
}  // namespace vergence

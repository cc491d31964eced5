// SPDX-License-Identifier: Apache-2.0
// vergence::verify: passes on every device and target, has one hash for all of them, and does notice a difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/expect_error.hpp"
#include "vergence/device.hpp"
#include "vergence/verify.hpp"
#include "verify/stereo_run.hpp"

namespace vergence {
namespace {

constexpr std::uint64_t seed = 7;
constexpr int cases = 12;

TEST(Verify, EveryDeviceAndTargetPassesWithTheSameHash) {
  const VerifyReport expected = verify(Device("reference"), seed, cases);
  EXPECT_EQ(expected.cases, cases);
  EXPECT_EQ(expected.differences, 0);
  EXPECT_EQ(expected.first, "");
  EXPECT_NE(expected.hash, 0u);
  for (const std::string& target : Device::simd_targets()) {
    const VerifyReport report = verify(Device("cpu", {.threads = 2, .simd = target}), seed, cases);
    EXPECT_EQ(report.differences, 0) << target << ": " << report.first;
    EXPECT_EQ(report.hash, expected.hash) << target;
  }
}

TEST(Verify, DifferentSeedsAreDifferentInputs) {
  const Device reference("reference");
  EXPECT_NE(verify(reference, 1, 5).hash, verify(reference, 2, 5).hash);
}

TEST(Verify, NeedsAtLeastOneCase) {
  EXPECT_ERROR(verify(Device("reference"), 1, 0), ErrorCode::invalid_argument, "cases is 0");
}

/// One changed value in any map is found, named with place and values, and changes the hash.
TEST(Verify, EveryChangedValueIsFound) {
  StereoCase stereo_case = make_stereo_case(seed, {40, 24});
  const StereoRunOptions run = usual_run(stereo_case);
  const Device reference("reference");
  const StereoRun expected = run_stereo(reference, stereo_case, run);
  const int x = stereo_case.size.width - 1;
  const int y = stereo_case.size.height - 1;
  int maps = 0;
  const auto corrupt = [&](auto member, const char* name) {
    StereoRun got = run_stereo(reference, stereo_case, run);
    if ((got.*member).empty()) return;
    ++maps;
    auto& value = (got.*member).view()(x, y);
    value = static_cast<std::remove_reference_t<decltype(value)>>(value ^ 1);
    EXPECT_THAT(first_difference(expected, got), testing::HasSubstr(std::string("map ") + name + " at x " +
                                                                    std::to_string(x) + ", y " + std::to_string(y)));
    EXPECT_NE(hash_run(expected, 0), hash_run(got, 0)) << name;
  };
  corrupt(&StereoRun::disparity16, "disparity");
  corrupt(&StereoRun::disparity32, "disparity");
  corrupt(&StereoRun::mask, "mask");
  corrupt(&StereoRun::confidence, "confidence");
  corrupt(&StereoRun::cost, "cost");
  corrupt(&StereoRun::second_cost, "second_cost");
  corrupt(&StereoRun::cost_before, "cost_before");
  corrupt(&StereoRun::cost_after, "cost_after");
  corrupt(&StereoRun::other16, "other_disparity");
  corrupt(&StereoRun::other32, "other_disparity_wide");
  EXPECT_GE(maps, 4);
  EXPECT_EQ(first_difference(expected, run_stereo(reference, stereo_case, run)), "");
}

TEST(GuardedMap, NoticesWritesAroundTheMap) {
  for (const std::ptrdiff_t offset : {-1, 5, 11, 17, -64}) {
    GuardedMap<std::int16_t> map(Size{5, 3}, 1);
    EXPECT_TRUE(map.intact());
    map.view()(4, 2) = 99;
    EXPECT_TRUE(map.intact());
    map.view().data()[offset] = 99;
    EXPECT_FALSE(map.intact()) << offset;
  }
}

}  // namespace
}  // namespace vergence

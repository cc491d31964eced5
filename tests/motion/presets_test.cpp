// SPDX-License-Identifier: Apache-2.0
// The presets of motion: docs/presets.md shows how each differs from the defaults, and every preset can be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "plan/motion/plan.hpp"
#include "support/preset_section.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

TEST(MotionPresets, TheDocumentedDifferencesAreTrue) {
  const std::string document = presets_document();
  for (const auto& preset : motion_presets())
    expect_documented(document, preset_section("### motion ", preset, motion_fields(), motion_get));
}

TEST(MotionPresets, NamesAreThePromisedOnes) {
  std::vector<std::string> names;
  for (const MotionPreset& preset : motion_presets()) names.emplace_back(preset.name);
  EXPECT_THAT(names, testing::ElementsAre("fast", "default", "exhaustive"));
}

TEST(MotionPresets, EveryPresetIsValidAndFound) {
  for (const MotionPreset& preset : motion_presets()) {
    EXPECT_NO_THROW(make_motion_plan({416, 240}, preset.options)) << preset.name;
    EXPECT_EQ(&motion_preset(preset.name), &preset);
    EXPECT_FALSE(preset.summary.empty());
  }
  EXPECT_EQ(motion_preset("default").options, MotionOptions{});
  EXPECT_ERROR(motion_preset("quick"), ErrorCode::not_found, "'quick': there are fast, default, exhaustive");
}

}  // namespace
}  // namespace vergence

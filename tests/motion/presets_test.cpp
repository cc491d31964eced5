// SPDX-License-Identifier: Apache-2.0
// The presets of motion: docs/presets.md shows every field of each as it is, and every preset can be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

/// The section of a preset as docs/presets.md must hold it.
std::string section(const MotionPreset& preset) {
  std::ostringstream text;
  text << "### motion " << preset.name << "\n\n"
       << preset.summary << "\n\n| option | value | unit | differs from `default` |\n|---|---|---|---|\n";
  for (const MotionField& field : motion_fields()) {
    const std::string value = motion_get(preset.options, field.name);
    text << "| `" << field.name << "` | " << value << " | " << field.unit << " | "
         << (value == motion_get(MotionOptions{}, field.name) ? "" : "yes") << " |\n";
  }
  return text.str();
}

TEST(MotionPresets, TheDocumentedTablesAreTrue) {
  const std::string path = VERGENCE_SOURCE_DIR "/docs/presets.md";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  const std::string document((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const MotionPreset& preset : motion_presets()) {
    const std::string expected = section(preset);
    EXPECT_NE(document.find(expected), std::string::npos) << path << " must hold this section:\n\n" << expected;
  }
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

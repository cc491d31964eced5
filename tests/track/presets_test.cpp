// SPDX-License-Identifier: Apache-2.0
// The presets of tracks: docs/presets.md shows every field of each as it is, and every preset can be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "plan/track/plan.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

/// The section of a preset as docs/presets.md must hold it.
std::string section(const TrackPreset& preset) {
  std::ostringstream text;
  text << "### track " << preset.name << "\n\n"
       << preset.summary << "\n\n| option | value | unit | differs from `default` |\n|---|---|---|---|\n";
  for (const TrackField& field : track_fields()) {
    const std::string value = track_get(preset.options, field.name);
    text << "| `" << field.name << "` | " << value << " | " << field.unit << " | "
         << (value == track_get(TrackOptions{}, field.name) ? "" : "yes") << " |\n";
  }
  return text.str();
}

TEST(TrackPresets, TheDocumentedTablesAreTrue) {
  const std::string path = VERGENCE_SOURCE_DIR "/docs/presets.md";
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  const std::string document((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const TrackPreset& preset : track_presets()) {
    const std::string expected = section(preset);
    EXPECT_NE(document.find(expected), std::string::npos) << path << " must hold this section:\n\n" << expected;
  }
}

TEST(TrackPresets, NamesAreThePromisedOnes) {
  std::vector<std::string> names;
  for (const TrackPreset& preset : track_presets()) names.emplace_back(preset.name);
  EXPECT_THAT(names, testing::ElementsAre("fast", "default", "strict"));
}

TEST(TrackPresets, EveryPresetIsValidAndFound) {
  for (const TrackPreset& preset : track_presets()) {
    EXPECT_NO_THROW(make_track_plan({416, 240}, preset.options)) << preset.name;
    EXPECT_EQ(&track_preset(preset.name), &preset);
    EXPECT_FALSE(preset.summary.empty());
  }
  EXPECT_EQ(track_preset("default").options, TrackOptions{});
  EXPECT_ERROR(track_preset("quick"), ErrorCode::not_found, "'quick': there are fast, default, strict");
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// The presets of tracks: docs/presets.md shows how each differs from the defaults, and every preset can be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "plan/track/plan.hpp"
#include "support/preset_section.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

TEST(TrackPresets, TheDocumentedDifferencesAreTrue) {
  const std::string document = presets_document();
  for (const auto& preset : track_presets())
    expect_documented(document, preset_section("### track ", preset, track_fields(), track_get));
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

// SPDX-License-Identifier: Apache-2.0
// The presets: docs/presets.md shows how each differs from the defaults, and every preset can be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/expect_error.hpp"
#include "plan/stereo/plan.hpp"
#include "support/preset_section.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

TEST(StereoPresets, TheDocumentedDifferencesAreTrue) {
  const std::string document = presets_document();
  for (const auto& preset : stereo_presets())
    expect_documented(document, preset_section("## ", preset, stereo_fields(), stereo_get));
  std::size_t sections = 0;
  for (std::size_t at = document.find("\n## "); at != std::string::npos; at = document.find("\n## ", at + 1))
    ++sections;
  EXPECT_EQ(sections, stereo_presets().size()) << "a section of a preset that does not exist";
}

TEST(StereoPresets, NamesAreThePromisedOnes) {
  std::vector<std::string> names;
  for (const StereoPreset& preset : stereo_presets()) names.emplace_back(preset.name);
  EXPECT_THAT(names, testing::ElementsAre("fast", "default", "quality", "quality-window", "sad-2018", "ssd-cross-check",
                                          "opencv-bm"));
}

TEST(StereoPresets, EveryPresetIsValidAndFound) {
  for (const StereoPreset& preset : stereo_presets()) {
    EXPECT_NO_THROW(make_stereo_plan({434, 383}, preset.options)) << preset.name;
    EXPECT_EQ(&stereo_preset(preset.name), &preset);
    EXPECT_FALSE(preset.summary.empty());
  }
  EXPECT_EQ(stereo_preset("default").options, StereoOptions{});
}

TEST(StereoPresets, UnknownNamesAreRefusedWithTheKnownOnes) {
  EXPECT_ERROR(stereo_preset("best"), ErrorCode::not_found, "'best'");
  EXPECT_ERROR(stereo_preset("best"), ErrorCode::not_found,
               "fast, default, quality, quality-window, sad-2018, ssd-cross-check, opencv-bm");
}

/// `fast` shows the bare winner; who wants areas without texture left out asks for it.
TEST(StereoPresets, TiesAreKeptByTheBareWinnerAlone) {
  EXPECT_TRUE(StereoOptions{}.reject_ties);
  EXPECT_TRUE(stereo_preset("quality").options.reject_ties);
  EXPECT_FALSE(stereo_preset("fast").options.reject_ties);
  EXPECT_THAT(std::string(stereo_preset("fast").summary), testing::HasSubstr("Ties are kept"));
}

/// The published set-ups and OpenCV's, from their descriptions: a field that is wrong here is wrong in the library.
TEST(StereoPresets, PublishedSetUps) {
  const StereoOptions a = stereo_preset("sad-2018").options;
  EXPECT_EQ(a.cost, StereoCost::sad);
  EXPECT_EQ(a.window, (Size{5, 5}));
  EXPECT_EQ(a.disparities, 64);
  EXPECT_EQ(a.min_disparity, 0);
  EXPECT_EQ(a.reference, StereoView::right);
  EXPECT_EQ(a.outside, StereoOutside::zero);
  EXPECT_EQ(a.border, StereoBorder::invalid);
  EXPECT_EQ(a.tie, StereoTie::lowest);
  EXPECT_FALSE(a.subpixel);
  EXPECT_EQ(a.left_right, -1);
  EXPECT_FALSE(a.reject_ties);
  EXPECT_EQ(a.speckle_size + a.median + a.uniqueness_ratio + a.texture_threshold, 0);

  const StereoOptions c = stereo_preset("ssd-cross-check").options;
  EXPECT_EQ(c.cost, StereoCost::ssd);
  EXPECT_EQ(c.window, (Size{15, 15}));
  EXPECT_EQ(c.disparities, 90);
  EXPECT_EQ(c.left_right, 125);
  EXPECT_EQ(c.left_right_unit, StereoCheckUnit::grey);
  EXPECT_EQ(c.fill, StereoFill::mean);
  EXPECT_FALSE(c.reject_ties);
  EXPECT_EQ(c.fill_window, 11);

  const StereoOptions bm = stereo_preset("opencv-bm").options;
  EXPECT_EQ(bm.window, (Size{21, 21}));
  EXPECT_EQ(bm.prefilter, StereoPrefilter::xsobel_opencv);
  EXPECT_EQ(bm.prefilter_cap, 31);
  EXPECT_EQ(bm.texture_threshold, 10);
  EXPECT_EQ(bm.uniqueness_ratio, 15);
  EXPECT_EQ(bm.tie, StereoTie::highest);
  EXPECT_TRUE(bm.subpixel);
  EXPECT_FALSE(bm.reject_ties);
}

}  // namespace
}  // namespace vergence

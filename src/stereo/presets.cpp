// SPDX-License-Identifier: Apache-2.0
// The presets: settings that have a name. docs/presets.md shows what differs; a test compares.
#include <array>

#include "core/option_fields.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

StereoOptions fast() {
  StereoOptions o;
  o.window = {5, 5};
  o.subpixel = false;
  o.reject_ties = false;
  o.left_right = -1;
  o.speckle_size = 0;
  return o;
}

StereoOptions quality_window() {
  StereoOptions o;
  o.cost = StereoCost::census_9x7;
  o.window = {9, 9};
  o.left_right = 1;
  o.speckle_size = 200;
  o.median = 5;
  o.fill = StereoFill::background;
  return o;
}

/// The penalties scored best over all pictures of docs/accuracy.md together.
StereoOptions quality() {
  StereoOptions o = quality_window();
  o.aggregate = StereoAggregate::sgm;
  o.window = {3, 3};
  o.p1 = 180;
  o.p2 = 900;
  o.p2_slope = 7200;
  return o;
}

/// Pudpai, Kim, Liu, "Data-streaming SAD stereo in OpenCL", ACCSE 2018: right reference, pictures padded with zeros.
StereoOptions sad_2018() {
  StereoOptions o;
  o.window = {5, 5};
  o.disparities = 64;
  o.reference = StereoView::right;
  o.border = StereoBorder::invalid;
  o.outside = StereoOutside::zero;
  o.subpixel = false;
  o.reject_ties = false;
  o.left_right = -1;
  o.speckle_size = 0;
  return o;
}

/// The SSD stereo with cross-check and occlusion filling as its paper describes it.
StereoOptions ssd_cross_check() {
  StereoOptions o;
  o.cost = StereoCost::ssd;
  o.window = {15, 15};
  o.disparities = 90;
  o.border = StereoBorder::invalid;
  o.subpixel = false;
  o.reject_ties = false;
  o.left_right = 125;
  o.left_right_unit = StereoCheckUnit::grey;
  o.speckle_size = 0;
  o.fill = StereoFill::mean;
  o.fill_window = 11;
  return o;
}

/// What OpenCV's StereoBM computes with its defaults, disp12MaxDiff = -1 and no speckle filter.
StereoOptions opencv_bm() {
  StereoOptions o;
  o.window = {21, 21};
  o.disparities = 64;
  o.border = StereoBorder::invalid;
  o.tie = StereoTie::highest;
  o.prefilter = StereoPrefilter::xsobel_opencv;
  o.prefilter_cap = 31;
  o.uniqueness_ratio = 15;
  o.texture_threshold = 10;
  o.reject_ties = false;
  o.left_right = -1;
  o.speckle_size = 0;
  return o;
}

const std::array<StereoPreset, 7>& presets() {
  static const std::array<StereoPreset, 7> list{{
      {"fast", "Winner-take-all SAD, nothing else: the highest rate. Ties are kept: 0 px without texture.", fast()},
      {"default", "SAD with sub-pixel, left-right check and speckle filter.", StereoOptions{}},
      {"quality", "Semi-global matching of census, checked, refined, every hole filled: the fewest wrong pixels.",
       quality()},
      {"quality-window", "Census windows, checked, refined, every hole filled: few wrong pixels in less time.",
       quality_window()},
      {"sad-2018", "The published SAD 5x5 set-up: right picture as reference, zeros outside.", sad_2018()},
      {"ssd-cross-check", "The published SSD 15x15 set-up: cross-check in grey levels, holes filled by the mean.",
       ssd_cross_check()},
      {"opencv-bm", "The exact values of OpenCV's StereoBM with its defaults, disp12MaxDiff -1 and no speckle filter.",
       opencv_bm()},
  }};
  return list;
}

}  // namespace

std::span<const StereoPreset> stereo_presets() { return presets(); }

const StereoPreset& stereo_preset(std::string_view name) {
  return option_fields::find_preset(presets(), "stereo", name);
}

}  // namespace vergence

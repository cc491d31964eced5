// SPDX-License-Identifier: Apache-2.0
// Validation of stereo options against a picture size, for all devices at once, and what follows from them.
#include "plan/stereo/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/option_checks.hpp"

namespace vergence {
namespace {

using namespace option_checks;  // NOLINT(google-build-using-namespace): this file is made of them

// Limits that no picture changes. Disparities stay below 2^21 px, so that 256 d of the V-fit fits 32 bits with room.
constexpr int largest_min_disparity = 1 << 20;
// An int16 map in 1/16 px: (-2047 - 1) * 16 is the smallest invalid(), 2047 * 16 + 8 the largest refined disparity.
constexpr int widest_narrow_disparity = 2047;

void check_enums(const StereoOptions& o) {
  check_enum("cost", o.cost, StereoCost::census_9x7);
  check_enum("reference", o.reference, StereoView::right);
  check_enum("border", o.border, StereoBorder::invalid);
  check_enum("outside", o.outside, StereoOutside::clamp);
  check_enum("tie", o.tie, StereoTie::highest);
  check_enum("prefilter", o.prefilter, StereoPrefilter::xsobel_opencv);
  check_enum("left-right-unit", o.left_right_unit, StereoCheckUnit::grey);
  check_enum("fill", o.fill, StereoFill::mean_all);
  check_enum("depth", o.depth, Depth::u16);
}

void check_window(Size size, Size window) {
  if (window.width < 1 || window.height < 1 || window.width % 2 == 0 || window.height % 2 == 0)
    refuse(fmt::format("window is {}x{}: width and height must be odd and at least 1", window.width, window.height));
  if (window.width > size.width || window.height > size.height)
    refuse(fmt::format("window is {}x{}, larger than the picture: allowed are odd sizes up to {}x{}", window.width,
                       window.height, size.width, size.height));
}

void check_roi(Size size, const Rect& roi) {
  // Compared without sums: x + width may not fit an int.
  const bool inside = roi.x >= 0 && roi.y >= 0 && roi.width >= 1 && roi.height >= 1 && roi.x < size.width &&
                      roi.y < size.height && roi.width <= size.width - roi.x && roi.height <= size.height - roi.y;
  if (!inside)
    refuse(fmt::format("roi is {},{},{},{}: x,y,width,height must be a non-empty rectangle inside the {}x{} picture",
                       roi.x, roi.y, roi.width, roi.height, size.width, size.height));
}

void check_numbers(Size size, const StereoOptions& o) {
  constexpr int int_max = 0x7FFFFFFF;
  check_range("disparities", o.disparities, 1, size.width, " (the picture's width)");
  check_range("min-disparity", o.min_disparity, -largest_min_disparity, largest_min_disparity);
  check_range("prefilter-cap", o.prefilter_cap, 1, 127);
  check_range("uniqueness", o.uniqueness_ratio, 0, 1000, " (percent, 0 = off)");
  check_range("texture", o.texture_threshold, 0, int_max, " (0 = off)");
  check_range("left-right", o.left_right, -1, 65535, " (-1 = off)");
  check_range("speckle-size", o.speckle_size, 0, int_max, " (0 = off)");
  check_range("speckle-range", o.speckle_range, 0, 65535, " (1/16 px)");
  if (o.median != 0 && o.median != 3 && o.median != 5)
    refuse(fmt::format("median is {}: allowed are 0 (off), 3 and 5", o.median));
  if (o.fill_window < 3 || o.fill_window > 255 || o.fill_window % 2 == 0)
    refuse(fmt::format("fill-window is {}: allowed are odd numbers 3 .. 255", o.fill_window));
  check_range("max-value", o.max_value, 1, 65535);
}

void check_combinations(const StereoOptions& o) {
  if (o.left_right >= 0 && o.outside != StereoOutside::skip)
    refuse(fmt::format("left-right is {} with outside {}: the check needs outside skip, or left-right -1 (off)",
                       o.left_right, stereo_get(o, "outside")));
  // A sum over all pixels of the window, invalid ones counted as 0, may be any value from 0 on; invalid() is one of
  // them where it is not negative.
  if (o.fill == StereoFill::mean_all && o.min_disparity > 0)
    refuse(
        fmt::format("fill is mean-all with min-disparity {}: it counts invalid pixels as disparity 0 and needs "
                    "min-disparity 0 or less; use fill mean",
                    o.min_disparity));
}

void set_cost_limits(StereoPlan& plan) {
  const StereoOptions& o = plan.options;
  if (o.prefilter != StereoPrefilter::none)
    plan.max_pixel = 2 * o.prefilter_cap;
  else
    plan.max_pixel = o.depth == Depth::u8 ? 255 : o.max_value;
  const auto pixel = static_cast<std::uint64_t>(plan.max_pixel);
  switch (o.cost) {
    case StereoCost::sad:
      plan.max_tap_cost = pixel;
      break;
    case StereoCost::ssd:
      plan.max_tap_cost = pixel * pixel;
      break;
    case StereoCost::census_5x5:
      plan.max_tap_cost = 24;
      break;
    case StereoCost::census_9x7:
      plan.max_tap_cost = 62;
      break;
  }
  // At most 2^32 by fewer than 2^31 taps: no overflow.
  plan.max_cost =
      plan.max_tap_cost * static_cast<std::uint64_t>(o.window.width) * static_cast<std::uint64_t>(o.window.height);

  // Costs are multiplied by the other candidate's tap count (at most the window's width) and by 100 + uniqueness or
  // 255, sub-pixel differences by 256; all that is done in signed 64 bits.
  const std::uint64_t factor =
      static_cast<std::uint64_t>(std::max(256, 100 + o.uniqueness_ratio)) * static_cast<std::uint64_t>(o.window.width);
  const std::uint64_t limit = 0x7FFFFFFFFFFFFFFFu / factor;
  if (plan.max_cost > limit)
    refuse(
        fmt::format("window {}x{} with cost {} and pixels up to {} gives window costs up to {}, over {}: use a smaller "
                    "window, a smaller max-value or cost sad",
                    o.window.width, o.window.height, stereo_get(o, "cost"), plan.max_pixel, plan.max_cost, limit));
}

}  // namespace

StereoPlan make_stereo_plan(Size size, const StereoOptions& options) {
  check_enums(options);
  check_size("picture", size, 1);
  check_window(size, options.window);
  check_numbers(size, options);
  if (options.roi) check_roi(size, *options.roi);
  check_combinations(options);

  StereoPlan plan;
  plan.options = options;
  plan.size = size;
  plan.roi = options.roi.value_or(Rect{0, 0, size.width, size.height});
  plan.rx = options.window.width / 2;
  plan.ry = options.window.height / 2;
  set_cost_limits(plan);
  plan.invalid = (options.min_disparity - 1) * 16;
  plan.wide = options.min_disparity < -widest_narrow_disparity || plan.last_disparity() > widest_narrow_disparity;
  return plan;
}

}  // namespace vergence

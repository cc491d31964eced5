// SPDX-License-Identifier: Apache-2.0
// Validation of stereo options against a picture size, for all devices at once, and what follows from them.
#include "plan/stereo/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/option_checks.hpp"
#include "plan/stereo/fields.hpp"

namespace vergence {
namespace {

using namespace option_checks;  // NOLINT(google-build-using-namespace): this file is made of them

// An int16 map in 1/16 px: (-2047 - 1) * 16 is the smallest invalid(), 2047 * 16 + 8 the largest refined disparity.
constexpr int widest_narrow_disparity = 2047;

void check_combinations(const StereoOptions& o) {
  if (o.left_right >= 0 && o.outside != StereoOutside::skip)
    refuse("left-right",
           fmt::format("left-right is {} with outside {}: the check needs outside skip, or left-right -1 (off)",
                       o.left_right, stereo_get(o, "outside")));
  // A sum over all pixels of the window, invalid ones counted as 0, may be any value from 0 on; invalid() is one of
  // them where it is not negative.
  if (o.fill == StereoFill::mean_all && o.min_disparity > 0)
    refuse("fill",
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
        "window",
        fmt::format("window {}x{} with cost {} and pixels up to {} gives window costs up to {}, over {}: use a smaller "
                    "window, a smaller max-value or cost sad",
                    o.window.width, o.window.height, stereo_get(o, "cost"), plan.max_pixel, plan.max_cost, limit));
}

}  // namespace

StereoPlan make_stereo_plan(Size size, const StereoOptions& options) {
  check_size("picture", size, 1);
  stereo_table().check(options, size);
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

// SPDX-License-Identifier: Apache-2.0
// Validation of stereo options against a picture size, for all devices at once, and what follows from them.
#include "plan/stereo/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/check_views.hpp"
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
    case StereoCost::census_symmetric_9x7:
      plan.max_tap_cost = 31;
      break;
  }
  // At most 2^32 by fewer than 2^31 taps: no overflow.
  plan.max_window_cost =
      plan.max_tap_cost * static_cast<std::uint64_t>(o.window.width) * static_cast<std::uint64_t>(o.window.height);
  plan.max_cost = plan.max_window_cost;

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

/// Penalties of SGM that were not given, in parts of the largest window cost; docs/algorithms/stereo/sgm.md says why.
struct Penalties {
  std::uint64_t p1, p2;
};
Penalties default_penalties(const StereoPlan& plan) {
  const std::uint64_t cost = plan.max_window_cost;
  switch (plan.options.cost) {
    case StereoCost::sad:
      return {cost / 25, cost / 6};
    case StereoCost::ssd:
      return {cost / 640, cost / 160};
    default:
      return {cost / 3, cost * 4 / 3};
  }
}

/// Resolves the penalties of SGM, and checks that sums over the paths fit 32 bits.
void set_penalties(StereoPlan& plan) {
  StereoOptions& o = plan.options;
  const std::uint64_t paths = static_cast<std::uint64_t>(o.paths), most = no_cost - 1;
  const auto refuse_range = [&](std::uint64_t p2) {
    refuse("p2", fmt::format(
                     "paths {} with window costs up to {} and p2 {} give sums up to {}, over {}: use a smaller window, "
                     "max-value or p2, or fewer paths",
                     o.paths, plan.max_window_cost, p2, paths * (plan.max_window_cost + p2), most));
  };
  if (plan.max_window_cost > most / paths)
    refuse("cost",
           fmt::format("cost {} with window {}x{} gives window costs up to {}, and {} paths of these sums over {}: "
                       "use cost sad or census-9x7, or a smaller window or max-value",
                       stereo_get(o, "cost"), o.window.width, o.window.height, plan.max_window_cost, o.paths, most));
  const Penalties usual = default_penalties(plan);
  if (o.p1 == 0) o.p1 = static_cast<int>(std::max<std::uint64_t>(1, usual.p1));
  if (o.p2 == 0) o.p2 = std::max(o.p1 + 1, static_cast<int>(usual.p2));
  if (o.p2 <= o.p1)
    refuse("p2",
           fmt::format("p2 is {} with p1 {}: a larger change of disparity must cost more, use p2 {} or more, or a "
                       "smaller p1",
                       o.p2, o.p1, std::int64_t{o.p1} + 1));
  plan.max_cost = paths * (plan.max_window_cost + static_cast<std::uint64_t>(o.p2));
  if (plan.max_cost > most) refuse_range(static_cast<std::uint64_t>(o.p2));
}

/// The window that stands for {0, 0}.
Size usual_window(StereoAggregate aggregate) { return aggregate == StereoAggregate::sgm ? Size{1, 1} : Size{9, 9}; }

/// All 1 where `mask` is not given.
Image<std::uint8_t> copy_of_mask(const char* what, ImageView<const std::uint8_t> mask, Size size) {
  Image<std::uint8_t> copy(size, std::uint8_t{1});
  if (mask.data() == nullptr) return copy;
  check_view(what, mask, size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) copy(x, y) = mask(x, y) != 0 ? 1 : 0;
  return copy;
}

bool holds_zero(const Image<std::uint8_t>& mask) {
  for (int y = 0; y < mask.height(); ++y)
    if (std::find(mask.row(y), mask.row(y) + mask.width(), 0) != mask.row(y) + mask.width()) return true;
  return false;
}

void set_masks(StereoPlan& plan, const SourceMasks& masks) {
  PlannedMasks copies{copy_of_mask("the left source mask", masks.left, plan.size),
                      copy_of_mask("the right source mask", masks.right, plan.size)};
  if (holds_zero(copies.left) || holds_zero(copies.right))
    plan.masks = std::make_shared<const PlannedMasks>(std::move(copies));
}

}  // namespace

StereoPlan make_stereo_plan(Size size, const StereoOptions& given, const SourceMasks& masks) {
  check_size("picture", size, 1);
  StereoOptions options = given;
  if (options.window == Size{0, 0}) options.window = usual_window(options.aggregate);
  stereo_table().check(options, size);
  check_combinations(options);

  StereoPlan plan;
  plan.options = options;
  plan.sums_view = options.reference;
  plan.size = size;
  plan.roi = options.roi.value_or(Rect{0, 0, size.width, size.height});
  plan.rx = options.window.width / 2;
  plan.ry = options.window.height / 2;
  set_cost_limits(plan);
  if (plan.sums_paths()) set_penalties(plan);
  plan.invalid = (options.min_disparity - 1) * 16;
  plan.wide = options.min_disparity < -widest_narrow_disparity || plan.last_disparity() > widest_narrow_disparity;
  if (masks.left.data() != nullptr || masks.right.data() != nullptr) set_masks(plan, masks);
  return plan;
}

StereoPlan make_other_plan(const StereoPlan& plan) {
  StereoPlan other = plan;
  other.options.reference = plan.matches_left() ? StereoView::right : StereoView::left;
  if (!plan.sums_paths()) other.sums_view = other.options.reference;
  return other;
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// What taps compare: pixels after the prefilter, or census words.
#pragma once

#include <cstdint>
#include <utility>

#include "definitions/stereo/census.h"
#include "definitions/stereo/tap_cost.h"
#include "plan/stereo/plan.hpp"
#include "reference/stereo/stages.hpp"

namespace vergence::reference {

/// What taps compare: pixels after the prefilter, or census words.
struct Scene {
  const StereoPlan& plan;
  /// The picture whose pixels are matched; need not be the plan's own choice, the check matches the other one too.
  StereoView reference = StereoView::left;
  Image<std::uint64_t> left, right;

  const Image<std::uint64_t>& matched() const { return reference == StereoView::left ? left : right; }
  const Image<std::uint64_t>& other() const { return reference == StereoView::left ? right : left; }
};

inline int clamped(int value, int count) { return value < 0 ? 0 : value >= count ? count - 1 : value; }

inline std::uint64_t census_word(ImageView<const std::uint16_t> picture, int x, int y, Size window) {
  std::uint64_t word = 0;
  for (int dy = -(window.height / 2); dy <= window.height / 2; ++dy)
    for (int dx = -(window.width / 2); dx <= window.width / 2; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int neighbour = picture(clamped(x + dx, picture.width()), clamped(y + dy, picture.height()));
      const int bit = definitions::census_bit(dx, dy, window.width, window.height);
      word |= definitions::census_term(neighbour, picture(x, y), bit);
    }
  return word;
}

/// Compares pixels that lie opposite each other about (x, y).
inline std::uint64_t symmetric_census_word(ImageView<const std::uint16_t> picture, int x, int y, Size window) {
  const auto at = [&](int dx, int dy) {
    return picture(clamped(x + dx, picture.width()), clamped(y + dy, picture.height()));
  };
  std::uint64_t word = 0;
  for (int dy = -(window.height / 2); dy <= 0; ++dy)
    for (int dx = -(window.width / 2); dx <= window.width / 2; ++dx) {
      if (dy == 0 && dx >= 0) break;
      const int bit = definitions::symmetric_census_bit(dx, dy, window.width, window.height);
      word |= definitions::census_term(at(dx, dy), at(-dx, -dy), bit);
    }
  return word;
}

template <class P>
Image<std::uint64_t> compared(const StereoPlan& plan, ImageView<const P> picture) {
  Image<std::uint16_t> filtered(plan.size);
  prefilter<P>(plan, picture, filtered);
  Image<std::uint64_t> values(plan.size);
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      if (plan.options.cost == StereoCost::census_5x5)
        values(x, y) = census_word(filtered, x, y, {5, 5});
      else if (plan.options.cost == StereoCost::census_9x7)
        values(x, y) = census_word(filtered, x, y, {9, 7});
      else if (plan.options.cost == StereoCost::census_symmetric_9x7)
        values(x, y) = symmetric_census_word(filtered, x, y, {9, 7});
      else
        values(x, y) = filtered(x, y);
    }
  return values;
}

template <class P>
Scene make_scene(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right) {
  Image<std::uint64_t> compared_left = compared(plan, left), compared_right = compared(plan, right);
  return {plan, plan.options.reference, std::move(compared_left), std::move(compared_right)};
}

inline std::uint64_t tap_cost(StereoCost cost, std::uint64_t a, std::uint64_t b) {
  if (cost == StereoCost::sad) return definitions::sad_tap(a, b);
  if (cost == StereoCost::ssd) return definitions::ssd_tap(a, b);
  return definitions::hamming_tap(a, b);
}

/// The other picture at a column that may lie outside it: continued by zeros or by its edge column.
inline std::uint64_t other_value(const Scene& scene, int x, int y) {
  const bool outside = x < 0 || x >= scene.plan.size.width;
  if (outside && scene.plan.options.outside == StereoOutside::zero) return 0;
  return scene.other()(clamped(x, scene.plan.size.width), y);
}

/// Does the pixel show something? What lies outside the picture has no mask.
inline bool shows(const StereoPlan& plan, StereoView view, int x, int y) {
  if (plan.masks == nullptr || x < 0 || x >= plan.size.width) return true;
  return plan.masks->of(view)(x, y) != 0;
}

/// Is the partner in this column a candidate of pixel (x, y) of the view `scene.reference`?
inline bool is_considered(const Scene& scene, int x, int y, int partner) {
  const StereoPlan& plan = scene.plan;
  const StereoView other = scene.reference == StereoView::left ? StereoView::right : StereoView::left;
  if (!shows(plan, scene.reference, x, y) || !shows(plan, other, partner, y)) return false;
  if (plan.options.outside != StereoOutside::skip) return true;
  const bool inner = plan.options.border == StereoBorder::invalid && !plan.sums_paths();
  const int margin = inner ? plan.rx : 0;
  return partner >= margin && partner < plan.size.width - margin;
}

}  // namespace vergence::reference

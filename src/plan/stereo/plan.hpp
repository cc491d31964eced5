// SPDX-License-Identifier: Apache-2.0
// A plan: options that have been checked against a picture size, and everything that follows from them. All backends
// read their limits here, so none can disagree.
#pragma once

#include <cstdint>
#include <memory>

#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace vergence {

/// Copies of SourceMasks, both whole: 0 or 1.
struct PlannedMasks {
  Image<std::uint8_t> left, right;
  const Image<std::uint8_t>& of(StereoView view) const { return view == StereoView::left ? left : right; }
};

struct StereoPlan {
  StereoOptions options;
  Size size;
  /// Pixels to be matched: options.roi or the whole picture.
  Rect roi;
  /// Half window: the window is [x - rx, x + rx] x [y - ry, y + ry].
  int rx = 0;
  int ry = 0;
  /// Largest value of a matched pixel (after the prefilter); census: unused.
  int max_pixel = 255;
  /// Largest cost of one tap, of a whole window, and of a candidate: of the window, or of its sum over the paths of
  /// SGM.
  std::uint64_t max_tap_cost = 0;
  std::uint64_t max_window_cost = 0;
  std::uint64_t max_cost = 0;
  /// (min_disparity - 1) * 16.
  int invalid = -16;
  /// The range does not fit 16-bit disparities.
  bool wide = false;

  /// SGM: the view whose paths are summed. Both views' maps come from the same sums, so this is not always
  /// options.reference.
  StereoView sums_view = StereoView::left;

  /// Null where all pixels show something.
  std::shared_ptr<const PlannedMasks> masks = nullptr;

  bool sums_paths() const { return options.aggregate == StereoAggregate::sgm; }
  bool matches_left() const { return options.reference == StereoView::left; }
  int last_disparity() const { return options.min_disparity + options.disparities - 1; }
};

/// Checks every field (throws Error naming field, value and range) and derives the plan.
StereoPlan make_stereo_plan(Size size, const StereoOptions& options, const SourceMasks& masks = {});

/// The plan of the other view's map.
StereoPlan make_other_plan(const StereoPlan& plan);

}  // namespace vergence

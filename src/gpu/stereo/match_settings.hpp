// SPDX-License-Identifier: Apache-2.0
// What every kernel of `match` is told of a plan: #defines for settings.h, and the scalars that all take.
#pragma once

#include "gpu/program.hpp"
#include "gpu/shared/stereo/settings.h"
#include "gpu/stereo/match.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::gpu {

/// `winner_only`: nothing but integer winners are asked for, as for the other view of the left-right check.
Defines match_settings(const StereoPlan& plan, const MatchWants& wants, bool matches_left, bool winner_only);

/// Whether a pixel's second best candidate, the winner's neighbours or its ties are asked for.
bool asks_full(const StereoPlan& plan, const MatchWants& wants, bool winner_only);

/// The type of so many bytes in kernels, and that of 16 of them in OpenCL C.
const char* unsigned_type(std::size_t bytes);
const char* sixteen_of(std::size_t bytes);

/// Of the kernels that prepare() pictures or not: whether taps compare bytes.
inline bool compares_bytes(const StereoPlan& plan) {
  return plan.options.depth == Depth::u8 || plan.options.prefilter != StereoPrefilter::none;
}

/// Columns of a picture, from the first one to the one before `end`.
struct Columns {
  int first = 0, end = 0;
};

/// `inner`: see shared::MatchArguments.
inline shared::MatchArguments match_arguments(Size size, const Rect& roi, Columns inner = {}) {
  return {.width = size.width,
          .height = size.height,
          .roi_x = roi.x,
          .roi_y = roi.y,
          .roi_w = roi.width,
          .roi_h = roi.height,
          .inner_left = inner.first,
          .inner_right = inner.end};
}

}  // namespace vergence::gpu

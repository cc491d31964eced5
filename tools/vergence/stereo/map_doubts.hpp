// SPDX-License-Identifier: Apache-2.0
// What a map by itself is doubted for.
#pragma once

#include <cstdint>
#include <string>

#include "stereo/settings.hpp"

namespace vergence::cli {

/// What a frame's map tells for free.
struct MapShares {
  double measured = 0;  ///< Of the pixels that were to get a disparity.
  double filled = 0;
  double mean = 0;  ///< Of all disparities, in parts of the range's length.
  std::int64_t pixels = 0;
  double zero = 0;  ///< Of the pixels that have a disparity: those within half a px of 0.
};

/// Where hardly a pixel was measured, or nearly all disparities are 0: one line, else "".
std::string map_warning(const StereoSettings& settings, const MapShares& shares);

}  // namespace vergence::cli

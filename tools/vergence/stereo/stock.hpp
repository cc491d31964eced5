// SPDX-License-Identifier: Apache-2.0
// What a map holds, counted.
#pragma once

#include <cstdint>

#include "stereo/doubts.hpp"
#include "stereo/outputs.hpp"

namespace vergence::cli {

/// Counts of one map, or of several.
struct MapStock {
  std::int64_t pixels = 0;  ///< That were to get a disparity.
  std::int64_t valid = 0;   ///< Those that have one,
  std::int64_t filled = 0;  ///< and those of them that were not measured.
  std::int64_t zero = 0;    ///< Those within half a px of 0.
  std::int64_t sum = 0;     ///< Of all disparities, in 1/16 px.

  MapShares shares(int disparities) const;
};

/// Of the map of a matcher with these options; `invalid` as StereoMatcher::invalid.
MapStock stock_of(const StereoMaps& maps, const StereoOptions& options, int invalid);

}  // namespace vergence::cli

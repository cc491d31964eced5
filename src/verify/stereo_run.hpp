// SPDX-License-Identifier: Apache-2.0
// One stereo case on one device with every map asked for, in memory that notices writes outside the maps; and what two
// such runs differ in. `vergence verify`, the fuzz targets and the tests share it.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/image.hpp"
#include "vergence/stereo.hpp"
#include "verify/guarded_map.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence {

struct StereoRunOptions {
  bool wide_maps = false;  ///< int32 disparities; needed where the range is wide
  int padding = 0;         ///< values between rows
  bool costs = true;       ///< ask for the cost maps
};

/// All maps of one run; those that were not asked for are empty.
struct StereoRun {
  GuardedMap<std::int16_t> disparity16, other16;
  GuardedMap<std::int32_t> disparity32, other32;
  GuardedMap<std::uint8_t> mask, confidence;
  GuardedMap<std::uint32_t> cost, second_cost, cost_before, cost_after;
  bool intact = true;  ///< nothing was written outside a map, and the pictures were not changed
};

/// How verify and the tests run a case: 32-bit maps where the range needs them and for odd seeds, costs where they fit.
StereoRunOptions usual_run(const StereoCase& stereo_case);

StereoRun run_stereo(const Device& device, const StereoCase& stereo_case, const StereoRunOptions& options);

/// Empty where both hold the same bytes, else the map, pixel and both values of the first difference.
std::string first_difference(const StereoRun& expected, const StereoRun& got);

/// Continues a hash over the values of all maps, in raster order: independent of strides and of the machine.
std::uint64_t hash_run(const StereoRun& run, std::uint64_t hash);

}  // namespace vergence

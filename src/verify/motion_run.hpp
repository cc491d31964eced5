// SPDX-License-Identifier: Apache-2.0
// One motion case on one device, in memory that notices writes outside the maps; and what two such runs differ in.
// `vergence verify`, the fuzz targets and the tests share it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/device.hpp"
#include "vergence/image.hpp"
#include "vergence/motion.hpp"
#include "verify/guarded_map.hpp"
#include "verify/motion_cases.hpp"

namespace vergence {

struct MotionRunOptions {
  int padding = 0;  ///< values between rows
  bool all_maps =
      true;  ///< false: vectors, cost and j alone (every third seed: vectors), which lets `full` leave candidates out
  bool exchanged = false;  ///< search the other way first: nothing of it may be left
  bool prediction = true;  ///< predict a plane as well; never with all sizes
};

/// What was found for one block size; maps that were not asked for are empty.
struct MotionSizeRun {
  GuardedMap<MotionVector> vectors;
  GuardedMap<std::uint64_t> cost, j, second_j;
  GuardedMap<std::uint8_t> confidence;
};

struct MotionRun {
  std::vector<MotionSizeRun> sizes;  ///< one, or those of MotionSizesEstimator::sides
  GuardedMap<std::uint8_t> prediction8;
  GuardedMap<std::uint16_t> prediction16;
  bool intact = true;  ///< nothing was written outside a map, and the frames were not changed
};

/// What a run hands the search as MotionInput::previous: `field`, or nothing.
ImageView<const MotionVector> previous_of(const MotionCase& motion_case, const Image<MotionVector>& field);

/// Odd seeds hand the search make_previous_field(), even ones nothing. The plane that is predicted from that field,
/// whose vectors are longer than those that are found, is seed % 4 of MotionPlane.
template <class P>
MotionRun run_motion(const Device& device, const MotionCase& motion_case, const MotionFrames<P>& frames,
                     const MotionRunOptions& options);
/// The same with make_motion_frames().
MotionRun run_motion(const Device& device, const MotionCase& motion_case, const MotionRunOptions& options);

/// Empty where `got` holds the bytes of `expected` in all its maps, else the first difference.
std::string first_difference(const MotionRun& expected, const MotionRun& got);

/// Continues a hash over the values of all maps, in raster order.
std::uint64_t hash_run(const MotionRun& run, std::uint64_t hash);

}  // namespace vergence

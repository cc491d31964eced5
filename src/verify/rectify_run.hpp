// SPDX-License-Identifier: Apache-2.0
// Seeded cases of StereoRectifier, run on one device in memory that notices writes outside the pictures.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/device.hpp"
#include "vergence/rectify.hpp"
#include "verify/guarded_map.hpp"

namespace vergence {

struct RectifyCase {
  std::uint64_t seed = 0;
  StereoRig rig;
  RectifyOptions options;
  Image<std::uint8_t> bytes;
  Image<std::uint16_t> words;
};

/// Rigs of all models, horizontal and vertical, turned by some degrees; pictures of at most `largest`, at least 1x1.
RectifyCase make_rectify_case(std::uint64_t seed, Size largest);
/// "seed 17, 45x30 to 40x20, fisheye".
std::string describe(const RectifyCase& one);

/// The case's pictures, taken for the left and for the right one.
struct RectifyRun {
  GuardedMap<std::uint8_t> left8, right8;
  GuardedMap<std::uint16_t> left16, right16;
  bool intact = true;  ///< nothing was written outside a picture, and the case's pictures were not changed
};
RectifyRun run_rectify(const Device& device, const RectifyCase& one, int padding);

/// Empty where `got` holds the bytes of `expected`, else the first difference.
std::string first_difference(const RectifyRun& expected, const RectifyRun& got);

/// Continues a hash over all pictures, in raster order.
std::uint64_t hash_run(const RectifyRun& run, std::uint64_t hash);

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Seeded cases of PictureFilter, run on one device in memory that notices writes outside the pictures. `vergence
// verify`, the fuzz targets and the tests share it.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/device.hpp"
#include "vergence/filter.hpp"
#include "verify/guarded_map.hpp"

namespace vergence {

struct FilterCase {
  std::uint64_t seed = 0;
  Size size;
  FilterBorder border = FilterBorder::mirror;
  Image<std::uint8_t> bytes;
  Image<float> floats;  ///< finite
};

/// Noise, extremes, steps; floats of all magnitudes, subnormal ones too. At most `largest`, at least 1x1.
FilterCase make_filter_case(std::uint64_t seed, Size largest);
/// "seed 17, 45x30, border edge".
std::string describe(const FilterCase& filter_case);

/// What each filter gives; with seed % 3 == 0 dx alone is asked for, with 1 dy alone.
struct FilterRun {
  GuardedMap<std::uint8_t> blur8, half8;
  GuardedMap<std::int16_t> sobel_dx8, sobel_dy8, scharr_dx8, scharr_dy8;
  GuardedMap<float> blur, half, sobel_dx, sobel_dy, scharr_dx, scharr_dy;
  bool intact = true;  ///< nothing was written outside a picture, and the case's pictures were not changed
};
FilterRun run_filters(const Device& device, const FilterCase& filter_case, int padding);

/// Empty where `got` holds the bits of `expected`, else the first difference.
std::string first_difference(const FilterRun& expected, const FilterRun& got);

/// Continues a hash over the bits of all pictures, in raster order.
std::uint64_t hash_run(const FilterRun& run, std::uint64_t hash);

}  // namespace vergence

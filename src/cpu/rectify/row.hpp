// SPDX-License-Identifier: Apache-2.0
// What the SIMD code of remap.cpp is given.
#pragma once

#include <cstdint>

namespace vergence::cpu {

/// A picture of at least 2x2 pixels of which every byte has an offset in 31 bits.
struct RemapSource {
  const std::uint8_t* data;
  int stride;  ///< bytes
  int last_column, last_row;
  int largest;
};

/// A row of the map in both forms.
struct RemapRow {
  const std::int32_t *x, *y;
  const std::int16_t *left, *upper;
  const std::uint32_t* places;
};

}  // namespace vergence::cpu

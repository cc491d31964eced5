// SPDX-License-Identifier: Apache-2.0
// Rows on their way between host memory, with any distance from row to row, and packed memory that a device reads.
#pragma once

#include <cstddef>
#include <cstring>

namespace vergence::gpu {

/// Copies rows between host memory and packed rows.
inline void copy_rows(std::byte* to, std::ptrdiff_t to_pitch, const std::byte* from, std::ptrdiff_t from_pitch,
                      std::size_t row_bytes, std::size_t count) {
  const auto packed = static_cast<std::ptrdiff_t>(row_bytes);
  if (to_pitch == packed && from_pitch == packed) {
    std::memcpy(to, from, row_bytes * count);
    return;
  }
  for (std::size_t y = 0; y < count; ++y) {
    const auto row = static_cast<std::ptrdiff_t>(y);
    std::memcpy(to + row * to_pitch, from + row * from_pitch, row_bytes);
  }
}

}  // namespace vergence::gpu

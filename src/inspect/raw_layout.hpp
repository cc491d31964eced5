// SPDX-License-Identifier: Apache-2.0
// Raw grey video that is packed bits, or lies in tiles.
#pragma once

#include <cstdint>
#include <span>

namespace vergence::inspect {

/// Where bytes of lower bits stand behind those of upper bits, as sensors pack 10, 12 and 14 bits (MIPI RAW10, RAW12,
/// RAW14): from one group of pixels to the next so many bytes (5, 3, 7); else 0.
int packed_bits_period(std::span<const std::uint8_t> frame);

/// The side in bytes of tiles whose rows follow each other, as in the memory of graphics processors; else 0.
int tile_side(std::span<const std::uint8_t> frame, int width);

}  // namespace vergence::inspect

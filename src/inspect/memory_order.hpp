// SPDX-License-Identifier: Apache-2.0
// Grey pictures whose bytes are not pixels row by row.
#pragma once

#include <cstdint>
#include <span>

namespace vergence::inspect {

/// 10 or 12 where the frame seems to hold packed samples of so many bits, whose lower ones lie in every fifth or third
/// byte (MIPI's RAW10 and RAW12); else 0.
int packed_bits(std::span<const std::uint8_t> frame);

/// The side of the square tiles that follow each other in the frame, as in graphics memory; 0 where there are none.
/// `width` is that of its rows.
int tile_side(std::span<const std::uint8_t> frame, int width);

}  // namespace vergence::inspect

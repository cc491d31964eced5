// SPDX-License-Identifier: Apache-2.0
// Rows of packed pixels that were read as grey rows of as many bytes.
#pragma once

#include <cstdint>
#include <span>

#include "vergence/image.hpp"

namespace vergence::inspect {

/// The bytes of a pixel where a frame that was read as grey, of `size`, seems to have rows of that many bytes, of
/// pixels of 3 bytes (rgb24), 4 (rgba, bgra) or 2 (yuyv422, uyvy422); else 0. All pixels are looked at.
int packed_step(std::span<const std::uint8_t> frame, Size size);

/// Whether samples without rows may be pixels of 3 or 4 bytes; those of grey rows are not.
bool may_have_pixels_of(int bytes, std::span<const std::uint8_t> samples);

}  // namespace vergence::inspect

// SPDX-License-Identifier: Apache-2.0
// PNGs of the usual kinds without FFmpeg: packed and unpacked by libdeflate, several times as fast as by zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/raster.hpp"

namespace vergence::io {

/// The pixels of a whole PNG of grey or colour, 8 or 16 bits, with nothing beside them that bears on pixels. Nothing
/// where it is of another kind, or where anything about it is not as it should be: FFmpeg then reads it, or tells what
/// is wrong. The structure must have been checked. Throws std::bad_alloc.
std::optional<Raster> read_plain_png(std::span<const std::uint8_t> png);

/// How the pixels of a PNG are stored.
struct PngForm {
  Size size;
  int channels = 1;  ///< 1 (grey) or 3.
  int bytes = 1;     ///< Of a channel.

  std::size_t row_bytes() const {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(channels) * static_cast<std::size_t>(bytes);
  }
};

/// A whole PNG; `copy_row` fills a row, numbers of 16 bits with the high byte first. Throws std::bad_alloc.
std::vector<std::uint8_t> make_png(const PngForm& form, const std::function<void(std::uint8_t* row, int y)>& copy_row);

}  // namespace vergence::io

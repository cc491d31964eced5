// SPDX-License-Identifier: Apache-2.0
// Indices of pixels against the size of their palette.
#include "io/palette.hpp"

#include <fmt/format.h>

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>
}

#include <algorithm>
#include <cstdint>

namespace vergence::io {

std::string palette_problem(const AVFrame& decoded, std::size_t colours) {
  if (decoded.format != AV_PIX_FMT_PAL8 || colours >= 256) return "";
  for (int y = 0; y < decoded.height; ++y) {
    const std::uint8_t* const row = decoded.data[0] + static_cast<std::ptrdiff_t>(y) * decoded.linesize[0];
    const std::uint8_t* const end = row + decoded.width;
    const std::uint8_t* const beyond = std::find_if(row, end, [colours](std::uint8_t i) { return i >= colours; });
    if (beyond != end)
      return fmt::format("pixel ({}, {}) has the index {}, and the palette has {} colour{}", beyond - row, y, *beyond,
                         colours, colours == 1 ? "" : "s");
  }
  return "";
}

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// Strips of a TIFF: are there enough, and do packed ones (Deflate) hold all their rows?
#include "io/tiff_strips.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/inflate.hpp"

namespace vergence::io {
namespace {

constexpr std::uint32_t deflate = 8, adobe_deflate = 32946;

std::uint64_t row_bytes(const TiffStrips& strips) {
  const std::uint64_t first = strips.bits.empty() ? 1 : strips.bits.front();
  std::uint64_t bits = first * (strips.planes_apart ? 1 : strips.samples);
  if (!strips.planes_apart && strips.bits.size() == strips.samples) {
    bits = 0;
    for (const std::uint32_t sample : strips.bits) bits += sample;
  }
  return (strips.width * bits + 7) / 8;
}

/// Whether the stream is whole and gives so many bytes. One that gives far more is not read to its end.
bool gives(std::span<const std::uint8_t> packed, std::uint64_t enough) {
  constexpr std::uint64_t far = 1 << 20;
  std::uint64_t bytes = 0;
  const bool whole = inflate(packed, [&](std::span<const std::uint8_t> piece) {
    bytes += piece.size();
    return bytes < enough + far;
  });
  return whole && bytes >= enough;
}

}  // namespace

std::string strips_problem(std::span<const std::uint8_t> tiff, const TiffStrips& strips) {
  if (strips.width == 0 || strips.height == 0) return "";  // said later
  const std::uint64_t rows = strips.rows == 0 ? strips.height : std::min(strips.rows, strips.height);
  const std::uint64_t in_plane = (strips.height + rows - 1) / rows;
  const std::uint64_t count = in_plane * (strips.planes_apart ? strips.samples : 1);
  if (strips.offsets.size() < count)
    return fmt::format("it has {} strips, and its rows need {}", strips.offsets.size(), count);
  if (strips.lengths.size() < strips.offsets.size()) return "";  // lengths are not told: FFmpeg knows what to do
  if (strips.compression != deflate && strips.compression != adobe_deflate) return "";
  const std::uint64_t bytes = strips.subsampled ? 1 : row_bytes(strips);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = strips.offsets[i], length = strips.lengths[i];
    if (at + length > tiff.size()) return fmt::format("strip {} ends beyond the file", i);
    const std::uint64_t first = i % in_plane * rows;
    const std::uint64_t wanted = strips.subsampled ? 1 : bytes * std::min(rows, strips.height - first);
    if (!gives(tiff.subspan(at, length), wanted))
      return fmt::format("strip {}, which begins with row {}, is damaged or ends too early", i, first);
  }
  return "";
}

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// Strips of a TIFF: are there enough, and do they hold their rows, neither less (Deflate) nor more?
#include "io/tiff_strips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/inflate.hpp"

namespace vergence::io {
namespace {

constexpr std::uint32_t uncompressed = 1, deflate = 8, adobe_deflate = 32946;

std::uint64_t row_bytes(const TiffStrips& strips) {
  const std::uint64_t first = strips.bits.empty() ? 1 : strips.bits.front();
  std::uint64_t bits = first * (strips.planes_apart ? 1 : strips.samples);
  if (!strips.planes_apart && strips.bits.size() == strips.samples) {
    bits = 0;
    for (const std::uint32_t sample : strips.bits) bits += sample;
  }
  return (strips.width * bits + 7) / 8;
}

/// The bytes that a stream gives, up to little more than `most`; none where it is damaged or ends too early.
std::optional<std::uint64_t> unpacked_bytes(std::span<const std::uint8_t> packed, std::uint64_t most) {
  std::uint64_t bytes = 0;
  const bool whole = inflate(packed, [&](std::span<const std::uint8_t> piece) {
    bytes += piece.size();
    return bytes <= most;
  });
  return whole || bytes > most ? std::optional<std::uint64_t>(bytes) : std::nullopt;
}

/// Rows that a strip may hold: some writers fill up the last one, or the only one.
std::uint64_t most_rows(const TiffStrips& strips) {
  return strips.rows == 0 || strips.rows > 2 * strips.height ? strips.height : strips.rows;
}

/// What has more pixels than its size says was written with another width or height.
std::string too_many(std::uint64_t strip, const TiffStrips& strips) {
  return fmt::format("strip {} holds more than its rows of {} pixels: the width or height is wrong", strip,
                     strips.width);
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
  const bool packed = strips.compression == deflate || strips.compression == adobe_deflate;
  if (!packed && (strips.compression != uncompressed || strips.subsampled)) return "";
  const std::uint64_t bytes = row_bytes(strips);
  // Less than a row may be left over, to end at an even place.
  const std::uint64_t most = bytes * (most_rows(strips) + 1) - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = strips.offsets[i], length = strips.lengths[i];
    if (!packed && length > most) return too_many(i, strips);
    if (!packed) continue;  // FFmpeg finds what lacks
    if (at + length > tiff.size()) return fmt::format("strip {} ends beyond the file", i);
    const std::uint64_t first = i % in_plane * rows;
    const std::uint64_t wanted = strips.subsampled ? 1 : bytes * std::min(rows, strips.height - first);
    const std::optional<std::uint64_t> given = unpacked_bytes(tiff.subspan(at, length), most);
    if (!given || *given < wanted)
      return fmt::format("strip {}, which begins with row {}, is damaged or ends too early", i, first);
    if (*given > most) return too_many(i, strips);
  }
  return "";
}

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// A source map as the SIMD code of remap.cpp reads it: half as many bytes, and places as positions in small blocks of
// the source picture, which are loaded whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/context.hpp"
#include "plan/rectify/maps.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// A row of the rectified picture is cut into runs of so many pixels, the last of which may reach beyond it.
constexpr int remap_run = 16;

/// A run consists of blocks: as many pixels as their pairs of neighbours fill 16 bytes. All pairs of a block lie in
/// 16 bytes of three rows of the source picture.
template <class P>
constexpr int remap_block = 8 / static_cast<int>(sizeof(P));

/// For pixels of type P. Beyond the width the last pixel is repeated.
struct RemapBlocks {
  /// 32 (x - 1024), where x is the fraction, 0 .. 1024, plus 5 bits: in which byte of its block the left pixel of the
  /// pair lies (0 .. 14), and 16 if the upper one lies in the block's second row.
  Image<std::int16_t> left;
  /// 16 (y - 1024).
  Image<std::int16_t> upper;
  /// Of each block the row and column of its first pixel: row << 16 | column.
  Image<std::uint32_t> places;
  /// The place of a run's first block where the run has no blocks: its sources lie too far apart, or too near to the
  /// border of a picture that is smaller than a block.
  static constexpr std::uint32_t scattered = 0xFFFFFFFF;

  std::size_t bytes() const;
};

/// The map's source has at least 2x2 pixels.
template <class P>
RemapBlocks make_remap_blocks(Context& context, const rectify::SourceMap& map);

}  // namespace vergence::cpu

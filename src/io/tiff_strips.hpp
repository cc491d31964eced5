// SPDX-License-Identifier: Apache-2.0
// Strips of a TIFF, which FFmpeg takes as they are: it counts neither them nor the rows that a packed one gives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vergence::io {

/// What the directory says of the strips.
struct TiffStrips {
  std::uint64_t width = 0, height = 0;
  std::uint64_t rows = 0;  ///< Of a strip; 0: all.
  std::uint64_t samples = 1;
  std::vector<std::uint32_t> bits;  ///< Of each sample; where there are none, 1.
  std::uint32_t compression = 1;
  bool planes_apart = false;
  bool subsampled = false;  ///< Rows of chroma are shorter: how many bytes a strip has is not counted.
  std::vector<std::uint32_t> offsets, lengths;
};

/// What is wrong with them; empty where nothing is.
std::string strips_problem(std::span<const std::uint8_t> tiff, const TiffStrips& strips);

}  // namespace vergence::io

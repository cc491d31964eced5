// SPDX-License-Identifier: Apache-2.0
// The run lengths of BMP. FFmpeg's decoder leaves out what they do not give, without a word.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace vergence::io {

struct BmpRuns {
  std::int64_t width = 0, height = 0;
  unsigned bits = 8;  ///< Per pixel: 8 of RLE8, 4 of RLE4.
};

/// What is wrong with a BMP's packed pixels, in a few words; "" where nothing is. Pixels that they skip are allowed.
std::string bmp_runs_problem(std::span<const std::uint8_t> packed, const BmpRuns& form);

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// Pixels beyond a palette: FFmpeg's decoders make them black, without a word.
#pragma once

#include <cstddef>
#include <string>

struct AVFrame;

namespace vergence::io {

/// Where a pixel of a decoded frame has an index beyond a palette of so many colours: a few words; else "".
std::string palette_problem(const AVFrame& decoded, std::size_t colours);

}  // namespace vergence::io

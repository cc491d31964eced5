// SPDX-License-Identifier: Apache-2.0
// Videos that were joined byte by byte.
#pragma once

#include <cstdint>

#include "io/libav.hpp"

namespace vergence::io {

/// Reads `inner`, which it takes over, and looks for the heads of MP4, MOV and FLV files in what goes by. A pipe cannot
/// be looked through beforehand. Null where there is no memory; `inner` stays open then.
AVIOContext* watch_heads(AVIOContext* inner);

/// Closes what avio_open2() or watch_heads() gave.
void close_bytes(AVIOContext* bytes);

/// Reads on to the end. Where the second head stands: of MP4 and MOV (`flv` false), the second table; else of the
/// second FLV. 0: there is none, or `bytes` is not watched.
std::int64_t second_head(AVIOContext* bytes, bool flv);

/// Whether a Y4M begins at this byte, where a frame should: its first line says what the frames are.
bool begins_y4m(AVIOContext* bytes, std::int64_t at);

}  // namespace vergence::io

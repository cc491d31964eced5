// SPDX-License-Identifier: Apache-2.0
// Bytes that no whole packet of MPEG-1, MPEG-2, H.264 or HEVC video holds, which decoders pass over.
#pragma once

#include <cstdint>
#include <span>

namespace vergence::io {

/// Whether three zero bytes stand in a packet and something else than a start code behind them: encoders break up such
/// runs (ITU-T H.264, 7.4.1; H.265, 7.4.2.1; H.262, 5.2.3), so that it was overwritten.
/// `length_bytes`: of the length before each part, as in MP4 and Matroska; 0 where parts begin with start codes.
bool has_stray_zeros(std::span<const std::uint8_t> packet, int length_bytes);

}  // namespace vergence::io

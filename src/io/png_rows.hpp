// SPDX-License-Identifier: Apache-2.0
// The filters of a PNG's rows. FFmpeg's decoder leaves a row as it is where its filter does not exist, without a word.
#pragma once

#include <cstdint>
#include <span>
#include <string>

struct AVFrame;

namespace vergence::io {

/// What the memory of a frame holds before it is decoded, so that rows that were left out can be seen.
constexpr std::uint8_t untouched_byte = 0xA7;

/// Throws Error(bad_data) where a row's filter does not exist. The structure of the PNG must have been checked. Most
/// PNGs are not unpacked for that: `decoded`, whose memory was full of untouched_byte, shows where it may be so.
void check_png_filters(std::span<const std::uint8_t> png, const AVFrame& decoded, const std::string& name);

}  // namespace vergence::io

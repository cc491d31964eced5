// SPDX-License-Identifier: Apache-2.0
// What FFmpeg's decoder of PNG passes over without a word: rows whose filter does not exist, which it leaves as they
// are, and pixels beyond the palette.
#pragma once

#include <cstdint>
#include <span>
#include <string>

struct AVCodecContext;
struct AVFrame;

namespace vergence::io {

/// As AVCodecContext::get_buffer2: memory that shows which rows were left out.
int png_buffer(AVCodecContext* context, AVFrame* frame, int flags);

/// What is wrong with a PNG, in a few words; "" where nothing is. Most PNGs are not unpacked for that: `decoded`, whose
/// memory is from png_buffer, shows where a filter may not exist.
std::string png_problem(std::span<const std::uint8_t> png, const AVFrame& decoded);

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// Compressed pictures and videos for tests, written with FFmpeg's encoders.
#pragma once

#include <functional>
#include <string>
#include <vector>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include "vergence/io.hpp"

namespace vergence::test {

/// Fills a frame's planes.
using FillFrame = std::function<void(AVFrame& frame, int index)>;

/// One encoded picture; empty where this FFmpeg lacks the encoder. `options` are "key=value:key=value".
std::string encode_picture(AVCodecID codec, AVPixelFormat format, int width, int height, const FillFrame& fill,
                           const std::string& options = {});

/// A video of `frames` frames at 25 per second; the container follows from the path's ending. False where the encoder
/// is missing.
bool write_video(const std::string& path, AVCodecID codec, AVPixelFormat format, int width, int height, int frames,
                 const FillFrame& fill, const std::string& options = {}, const std::string& container_options = {});

/// The same of packets that are encoded already, each a keyframe.
bool write_packets(const std::string& path, AVCodecID codec, AVPixelFormat format, int width, int height,
                   const std::vector<std::string>& packets);

/// Sets one byte or 16-bit sample (native order) of a plane.
void set_sample(AVFrame& frame, int plane, int x, int y, int value, int bytes = 1);
/// Fills the planes with chroma 128 (all planes but the first, of 8-bit YUV formats).
void neutral_chroma(AVFrame& frame);
/// A grey texture of 8 bits that is another one in each frame.
void fill_texture(AVFrame& frame, int index);

/// What a video has to tell of itself once its frames, or those of the range, were read.
std::vector<std::string> notices_of(const std::string& path, const FrameRange& range = {});

}  // namespace vergence::test

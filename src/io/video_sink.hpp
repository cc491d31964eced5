// SPDX-License-Identifier: Apache-2.0
// What VideoWriter writes through: one class per container.
#pragma once

#include <memory>
#include <string>

#include "vergence/io.hpp"

namespace vergence::io {

class VideoSink {
 public:
  VideoSink() = default;
  VideoSink(const VideoSink&) = delete;
  VideoSink& operator=(const VideoSink&) = delete;
  virtual ~VideoSink() = default;
  /// The frame has the form that the sink was made for.
  virtual void write(const YuvFrame& frame) = 0;
  virtual void commit() = 0;
};

std::unique_ptr<VideoSink> make_y4m_sink(const std::string& path, const VideoFormat& format);
std::unique_ptr<VideoSink> make_mp4_sink(const std::string& path, const VideoFormat& format);

}  // namespace vergence::io

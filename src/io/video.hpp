// SPDX-License-Identifier: Apache-2.0
// Frames of a video file, in order, through FFmpeg.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/raster.hpp"

namespace vergence::io {

class VideoReader {
 public:
  /// Throws Error where the file is no video that FFmpeg knows. From standard input, `path` is for messages.
  explicit VideoReader(const std::string& path, bool standard_input = false);
  VideoReader(VideoReader&&) noexcept;
  VideoReader& operator=(VideoReader&&) noexcept;
  ~VideoReader();

  /// The next frame's grey, with its chroma where wanted, or nothing at the end. A damaged or truncated stream is an
  /// Error. Where no more is `wanted`, it gives nothing.
  std::optional<YuvFrame> next(bool chroma = false, bool wanted = true);
  /// Decodes the next frame without converting it; false at the end.
  bool skip();
  /// What the container says; nothing where it does not, or only by an estimate.
  std::optional<std::int64_t> count() const;
  double rate() const;
  /// When the last frame is shown, in seconds; nothing where the container does not say.
  std::optional<double> time() const;
  /// What users should know of the file, a line each. Complete once next() gave nothing; that frames are missing or
  /// come late is told there alone.
  const std::vector<std::string>& notices() const;
  /// Of the notices: that frames got lost; "" where none is known to be.
  const std::string& missing() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What users should know of a pair of sources, of which `right` may be missing, a line each.
std::vector<std::string> pair_notices(const FrameSource& left, const FrameSource* right);

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// The numbers by which H.264 and HEVC order pictures for display: those of frames that got lost are missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/libav.hpp"

namespace vergence::io {

/// Takes the packets of one stream. Other codecs have no such numbers: nothing is noticed.
class PictureOrder {
 public:
  void open(const AVCodecParameters& parameters);
  void take(const AVPacket& packet);
  /// A line where frames of `path` are missing; else "". `whole`: the stream was read to its end, else the pictures
  /// that are shown last may be still to come.
  std::string notice(const std::string& path, bool whole) const;

 private:
  CodecPtr context_;
  ParserPtr parser_;
  /// Of the pictures in the order of decoding; numbers begin again at keyframes.
  std::vector<std::vector<int>> parts_;
  int highest_ = 0;  ///< Of the last part.
  bool starts_with_key_ = true;
  bool fields_ = false;  ///< Of interlaced video, as pictures of their own.
};

}  // namespace vergence::io

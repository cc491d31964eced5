// SPDX-License-Identifier: Apache-2.0
// What `vergence rectify` makes of a pair of frames: grey or coloured, as pictures or as videos.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "vergence/io.hpp"
#include "vergence/rectify.hpp"

namespace vergence::cli {

/// Where the pictures of a run come from, and where they go.
struct RectifyFiles {
  std::array<std::string, 2> in, out;  ///< Left, right.
  bool stream = false;                 ///< The names of pictures have a number.
  bool grey = false;                   ///< Colours are not wanted.
  double rate = 25;                    ///< Of videos that are written.
};

/// Does the name stand for a video, which holds all frames?
bool is_video_name(const std::string& path);

/// The picture of one of the cameras, rectified.
GreyPicture rectified_grey(StereoRectifier& rectifier, const GreyPicture& in, StereoView view);

/// Rectifies and writes one pair after the other.
class RectifiedOutputs {
 public:
  RectifiedOutputs(StereoRectifier& rectifier, RectifyFiles files) : rectifier_(rectifier), files_(std::move(files)) {}

  /// Colours are taken from pictures that have some, of 8 bits or for .ppm; those of videos are left out, which
  /// `colours_left_out` tells. Error(unsupported) where .ppm is wanted and there are no colours to be had.
  void write(const StereoFrame& frame);
  /// Videos get their names.
  void commit();
  bool colours_left_out() const { return colours_left_out_; }

 private:
  Image<Rgb> colours_of(StereoView view, const StereoFrame& frame);
  void write_colours(std::size_t which, const std::string& path, const Image<Rgb>& picture);
  void write_grey(std::size_t which, const std::string& path, const GreyPicture& picture);
  VideoWriter& video(std::size_t which, const VideoFormat& format);

  StereoRectifier& rectifier_;
  RectifyFiles files_;
  std::array<std::optional<VideoWriter>, 2> videos_;
  std::array<bool, 2> looked_{};  ///< At a video's colours.
  bool colours_left_out_ = false;
};

}  // namespace vergence::cli

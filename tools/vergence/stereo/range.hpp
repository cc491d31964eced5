// SPDX-License-Identifier: Apache-2.0
// How many disparities are searched where nobody says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "stereo/settings.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// "options" (the command line or a settings file), "calibration" (Middlebury's ndisp), "auto" (the first frame),
/// "follow" (that and later ones), "width" (the pictures'), "preset", or "unknown" (the preset, because the first frame
/// does not tell): where the number of disparities comes from.
class StereoRange {
 public:
  /// Where nobody gave a number, that of the calibration holds: it ends at ndisp - 1. Returns a warning where the range
  /// that was given ends before, else "". `file` names the calibration.
  std::string adopt(StereoSettings& settings, const std::optional<Calibration>& calibration, const std::string& file);
  /// Where nobody gave a number, or `auto`, and no calibration tells, the first frame does. Where it cannot, the
  /// preset's number stays; returns a warning then where `auto` was given, else "".
  std::string find(StereoSettings& settings, const GreyPicture& left, const GreyPicture& right);
  /// Where nobody gave a number, it ends at the picture's width.
  void limit(StereoSettings& settings, Size size);
  const std::string& origin() const { return origin_; }

  /// Where `follow` is given, every 25th frame is looked at for a range that its scene leaves, or fills by a half
  /// alone. `options` is that of the frame before, whose range is changed then; it takes no more than 16 bits where
  /// `narrow`. True where it was changed. For each frame in its turn, the first one left out.
  bool follow(const StereoSettings& settings, StereoOptions& options, const Device& device, const StereoFrame& frame,
              bool narrow);

 private:
  std::string origin_;
  std::int64_t frames_ = 0;
};

/// A range that was searched from a frame on.
struct SearchedRange {
  std::int64_t frame = 0;  ///< Its number.
  int min_disparity = 0, disparities = 0;
};

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Pictures that show nothing, exchanged bytes, raw video of another width or fewer bits, frames that come again, and
// interlaced ones: one warning of each. Whether a picture is flat is seen in a microsecond, and looked at in every
// frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/frame_watch.hpp"
#include "cli/repeats.hpp"
#include "cli/still_watch.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One line where the picture is flat, else "". `name` is "left picture a.png" or "frame 3 of clip.mp4".
std::string flat_warning(const GreyPicture& picture, const std::string& name, int max_value);
/// One line where the picture uses few of its levels, else "".
std::string dim_warning(const GreyPicture& picture, const std::string& name, int max_value);

/// One line where the bytes of its pixels seem to be exchanged, else "".
std::string byte_order_warning(const GreyPicture& picture, const std::string& name);
/// One line where it seems to show colour planes in place of pixels, else "".
std::string planes_warning(const GreyPicture& picture, const std::string& name);
/// One line where the rows seem to have another length, and what to check; else "".
std::string row_length_warning(const GreyPicture& picture, const std::string& name, const char* cure);

/// One line where the first frames of this raw video, or the first bytes of them, seem to be of another format, else
/// "".
std::string raw_format_warning(const std::string& name, const RawVideo& form, std::span<const std::uint8_t> start);
/// The same of a regular file; "" of what can be read once only.
std::string raw_file_warning(const std::string& path, const RawVideo& form);

TearFindings tear_of(const GreyPicture& picture);
EnlargedFindings enlargement_of(const GreyPicture& picture);
/// By how much it was enlarged, where columns and rows repeat.
double enlargement_factor(const EnlargedFindings& found);

/// Of frames, or fields, counted from 1: what is wrong with all of them is seen in some.
bool is_looked_at(std::int64_t seen);

class PictureWatch {
 public:
  /// `raw`: nothing but --size says how wide the rows of `video` are; `plain`: nothing but its header does, which other
  /// data than compressed ones do not contradict.
  PictureWatch(std::string video, bool raw, bool plain) : video_(std::move(video)), raw_(raw), plain_(plain) {}
  /// The format is doubted already, which explains odd rows.
  void leave_rows() { doubted_ = true; }
  bool form_is_doubted() const { return doubted_ || still_.is_displaced(); }
  /// The next frame, which has this number.
  void see(const GreyPicture& picture, std::int64_t number);
  /// What the run takes for the largest pixel.
  void expect(int max_value) { levels_.expect(max_value); }
  /// Behind the last frame.
  void finish();
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Before the first frame, where points are followed.
  void watch_cuts() { still_.watch_cuts(); }
  /// Behind it: lines about cuts and jumps of brightness, where nothing else explains them.
  std::vector<std::string> cut_warnings() const {
    return warnings_.empty() && !doubted_ ? still_.cuts().warnings(video_) : std::vector<std::string>();
  }

 private:
  void look_at_samples(const GreyPicture& picture, std::int64_t number);
  void look_for_waves(const GreyPicture& picture, std::int64_t number);
  void look_for_order(const GreyPicture& picture, std::int64_t number);
  void look_for_colour_planes(const GreyPicture& picture, std::int64_t number);
  void look_at_rows(const GreyPicture& picture, std::int64_t number);
  void look_for_planes(const GreyPicture& picture, std::int64_t number);

  std::string video_;
  bool raw_;
  bool plain_;
  bool doubted_ = false;  ///< The form of the frames is, which explains the rest.
  std::int64_t seen_ = 0;
  bool flat_ = false;
  bool interlaced_ = false, torn_ = false, enlarged_ = false;
  std::optional<std::ptrdiff_t> interlaced_line_;  ///< Where `warnings_` says so.
  int highest_ = 0;                                ///< Pixel of raw video of 10 and 12 bits.
  std::string order_line_;                         ///< Where pixels stand in another order,
  std::string pattern_line_;                       ///< or each frame has a pattern.
  int max_value_ = 0;                              ///< Of the frames.
  bool exchanged_ = false;                         ///< Bytes of pixels are.
  Repeats repeats_;
  LevelWatch levels_;
  MissingPart part_;
  StillWatch still_;
  std::vector<std::string> warnings_;
};

}  // namespace vergence::cli

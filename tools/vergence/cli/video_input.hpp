// SPDX-License-Identifier: Apache-2.0
// The video that a command reads: its options, what is refused of them, and its frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/live_option.hpp"
#include "cli/picture_watch.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

class Command;

struct VideoArguments {
  std::string video;
  std::optional<std::string> size, format;  ///< Of raw video.
  std::optional<std::string> rate;
  std::optional<std::string> frames;
  LiveArguments live;
  bool strict = false;
};
/// VIDEO, --size, --format, --rate (of `what` is written), --frames, --strict and those of live input.
void add_video_options(Command command, VideoArguments& arguments, const char* what);

class VideoInput {
 public:
  /// UsageError for a range or a rate that is none.
  explicit VideoInput(const VideoArguments& arguments);
  /// Opens the video; UsageError for what is no video, and for options that do not fit it.
  void open(bool chroma);

  /// UsageError where --frames asks for fewer frames than `what` needs ("following points").
  void require_range(std::int64_t least, const std::string& what) const;
  /// Error where there were no more than `frames`.
  void require_frames(std::int64_t frames, std::int64_t least, const std::string& what) const;

  FrameSource& source() { return *source_; }
  /// The source's next frame, which is also looked at.
  std::optional<GreyPicture> next();
  std::optional<YuvFrame> next_yuv();
  /// What the run takes for the largest pixel: frames may hold less.
  void expect(int max_value) { watch_->expect(max_value); }
  /// Behind the last frame: adds what was noticed about the frames; with --strict, an Error where there is any warning.
  void finish_warnings(std::vector<std::string>& warnings);
  /// Before the first frame, where points are followed.
  void watch_cuts() { watch_->watch_cuts(); }
  /// Behind that: cuts and jumps of brightness, across which points cannot be followed.
  std::vector<std::string> cut_warnings() const { return watch_->cut_warnings(); }
  /// Behind the last frame: the form of the frames is doubted, which explains what else is odd about them.
  bool form_is_doubted();
  const FrameRange& range() const { return range_; }
  /// The files that are read, and the name that was given.
  std::vector<std::string> files() const;
  /// Reading waits for the disk alone, not for who fills a pipe.
  bool is_on_disk() const;
  /// Frames per second of what is written.
  double rate() const;
  /// A line where the video ended before the range did, after so many frames; else empty.
  std::string ended_early(std::int64_t frames) const;

 private:
  void look(const GreyPicture& picture);
  void look_at_start(bool is_all);
  void add_format_notice(std::string line);
  std::string name() const { return arguments_.video == "-" ? "standard input" : arguments_.video; }

  const VideoArguments& arguments_;
  FrameRange range_;
  std::optional<double> rate_;
  std::optional<FrameSource> source_;
  std::optional<PictureWatch> watch_;
  std::optional<RawVideo> raw_;       ///< Of a pipe whose format is still to be looked at.
  std::vector<std::string> notices_;  ///< Of the source.
  std::int64_t read_ = 0;
};

}  // namespace vergence::cli

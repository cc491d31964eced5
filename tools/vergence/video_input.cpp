// SPDX-License-Identifier: Apache-2.0
// The video that a command reads.
#include "video_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "files.hpp"

namespace vergence::cli {

void add_video_options(CLI::App& command, VideoArguments& arguments, const char* what) {
  const auto add = [&command](const char* name, std::optional<std::string>& value, const char* type,
                              const std::string& help) { command.add_option(name, value, help)->type_name(type); };
  command.add_option("VIDEO", arguments.video, "Video, numbered pictures, or - for standard input")->required();
  add("--size", arguments.size, "WxH", "VIDEO is raw, with frames of this size [px, 1x1 .. 65535x65535]");
  add("--format", arguments.format, "NAME",
      "Of raw video: gray, yuv420p, yuv422p, yuv444p, the same with 10le or 12le behind, gray16le, nv12 [default: "
      "yuv420p]");
  add("--rate", arguments.rate, "FPS",
      fmt::format("Frames per second of {} [above 0, up to 1000000; default: the video's, else 25]", what));
  add("--frames", arguments.frames, "A:B",
      "Frames A to B, counted from 0, both included [A:B, A:, :B, A; default: all]");
}

VideoInput::VideoInput(const VideoArguments& arguments) : arguments_(arguments) {
  if (arguments.frames) range_ = as_usage([&] { return parse_frame_range(*arguments.frames); });
  if (arguments.rate) rate_ = parse_positive("--rate", *arguments.rate, 1'000'000);
}

void VideoInput::open(bool chroma) {
  const std::string& video = arguments_.video;
  FrameSourceOptions options;
  options.standard_input = video == "-";
  options.chroma = chroma;
  const std::string kind = ending(video);
  if (arguments_.size) {
    const auto [width, height] = parse_size("--size", *arguments_.size, 1, 65535);
    options.raw = RawVideo{{width, height}, arguments_.format.value_or("yuv420p")};
  } else if (arguments_.format) {
    throw UsageError("--format needs --size: both say how raw video is read, other video says so itself");
  } else if (kind == ".yuv" || kind == ".raw" || kind == ".y") {
    throw UsageError(fmt::format("{} is raw video, which does not say its size: give --size WxH and --format", video));
  }
  try {
    source_.emplace(options.standard_input ? "standard input" : video, range_, options);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range, the raw format
    throw;
  }
  if (!source_->is_stream())
    throw UsageError(
        fmt::format("{} is a single picture: give a video, or numbered pictures such as frame_%04d.png", video));
}

double VideoInput::rate() const {
  const double own = source_->rate();
  return rate_.value_or(own > 0 ? own : 25);
}

std::string VideoInput::ended_early(std::int64_t frames) const {
  if (range_.last < 0 || range_.first + frames > range_.last) return "";
  return fmt::format("frames {}:{} were asked for, but the video ended after frame {}", range_.first, range_.last,
                     range_.first + frames - 1);
}

}  // namespace vergence::cli

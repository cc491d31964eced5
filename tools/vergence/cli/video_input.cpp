// SPDX-License-Identifier: Apache-2.0
// The video that a command reads.
#include "cli/video_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "cli/strict.hpp"

namespace vergence::cli {

void add_video_options(Command command, VideoArguments& arguments, const char* what) {
  const auto add = [&command](const char* name, std::optional<std::string>& value, const char* type,
                              const std::string& help) { command.add(name, value, help).type(type); };
  command.add("VIDEO", arguments.video, "Video, numbered pictures, or - for standard input").required();
  add("--size", arguments.size, "WxH", "VIDEO is raw, with frames of this size [px, 1x1 .. 65535x65535]");
  add("--format", arguments.format, "NAME",
      "Of raw video: gray, yuv420p, yuv422p, yuv444p, the same with 10le or 12le behind, gray16le, nv12, p010le, "
      "yuyv422 [default: "
      "yuv420p]");
  add("--rate", arguments.rate, "FPS",
      fmt::format("Frames per second of {} [above 0, up to 1000000; default: the video's, else 25]", what));
  add("--frames", arguments.frames, "A:B",
      "Frames A to B, both included: numbers of the names, in videos from 0 [A:B, A:, :B, A; default: all]");
  add_strict_option(command, arguments.strict);
  add_live_options(command, arguments.live);
}

namespace {

struct KnownStart {
  std::size_t at;
  std::string_view bytes;
  const char* what;
};
/// What says its size itself. No raw video begins so, but for one of millions.
constexpr std::array known_starts{
    KnownStart{4, "ftyp", "an MP4 or MOV file"}, KnownStart{0, "\x1A\x45\xDF\xA3", "a Matroska or WebM file"},
    KnownStart{0, "RIFF", "an AVI file"},        KnownStart{0, "YUV4MPEG2", "a Y4M file"},
    KnownStart{0, "\x89PNG\r\n", "a PNG file"},  KnownStart{0, "\xFF\xD8\xFF\xE0", "a JPEG file"},
    KnownStart{0, "FLV\x01", "an FLV file"},     KnownStart{0, "DKIF", "an IVF file"},
    KnownStart{0, "\x93NUMPY", "an .npy file"},
};

/// What a file is by its first bytes, whatever its name says; "" of raw video, and of what can be read once only.
std::string kind_of_start(const std::string& video) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(video, problem)) return "";
  std::string start(12, '\0');
  std::ifstream file(video, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  for (const KnownStart& known : known_starts)
    if (start.compare(known.at, known.bytes.size(), known.bytes) == 0) return known.what;
  return "";
}

/// --size makes raw video of every file: of a name that stands for another kind, nonsense would be read.
void check_is_raw(const std::string& video) {
  constexpr std::array<std::string_view, 19> others{".mp4", ".y4m", ".mkv", ".mov",  ".avi", ".webm", ".mpg",
                                                    ".ts",  ".png", ".jpg", ".jpeg", ".bmp", ".tif",  ".tiff",
                                                    ".pgm", ".ppm", ".pnm", ".npy",  ".pfm"};
  const auto refuse = [&video](std::string_view what) {
    throw UsageError(
        fmt::format("--size is for raw video, and {} is {}, which says its size itself: leave it out", video, what));
  };
  std::error_code problem;
  if (has_frame_number(video) && !std::filesystem::exists(video, problem)) refuse("a name of numbered pictures");
  const std::string kind = ending(video);
  if (std::find(others.begin(), others.end(), kind) != others.end()) refuse("a " + kind.substr(1) + " file");
  if (const std::string start = kind_of_start(video); !start.empty()) refuse(start + " by its first bytes");
}

std::string frames_text(std::int64_t frames) { return fmt::format("{} frame{}", frames, frames == 1 ? "" : "s"); }

}  // namespace

VideoInput::VideoInput(const VideoArguments& arguments) : arguments_(arguments) {
  if (arguments.frames) range_ = as_usage([&] { return parse_frame_range(*arguments.frames); });
  if (arguments.rate) rate_ = parse_positive("--rate", *arguments.rate, 1'000'000);
}

void VideoInput::open(bool chroma) {
  const std::string& video = arguments_.video;
  FrameSourceOptions options;
  options.standard_input = video == "-";
  options.chroma = chroma;
  options.live = live_options(arguments_.live, shown_source(name()), arguments_.size.has_value());
  const std::string kind = ending(video);
  if (arguments_.size) {
    const auto [width, height] = parse_size("--size", *arguments_.size, 1, 65535);
    if (!options.standard_input) check_is_raw(video);
    options.raw = RawVideo{{width, height}, arguments_.format.value_or("yuv420p")};
  } else if (arguments_.format) {
    throw UsageError("--format needs --size: both say how raw video is read, other video says so itself");
  } else if ((kind == ".yuv" || kind == ".raw" || kind == ".y") && kind_of_start(video).empty()) {
    throw UsageError(
        fmt::format("{} is raw video, which does not say its size: give --size WxH and --format", shown_source(video)));
  }
  try {
    source_.emplace(name(), range_, options);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range, the raw format
    const std::string text = error.what();
    if (options.raw || text.find("not a picture or video") == std::string::npos) throw;
    throw Error(error.code(), text + "; raw video needs --size WxH and --format NAME");
  }
  constexpr std::array plain_kinds{".y4m", ".pgm", ".ppm", ".pnm", ".npy", ".pfm"};
  const bool plain = std::find(plain_kinds.begin(), plain_kinds.end(), kind) != plain_kinds.end();
  watch_.emplace(shown_source(name()), options.raw.has_value(), plain);
  range_.first = source_->number();
  if (!source_->is_stream())
    throw UsageError(
        fmt::format("{} is a single picture: give a video, or numbered pictures such as frame_%04d.png", video));
  notices_ = source_->notices();
  if (options.raw && !options.standard_input) add_format_notice(raw_file_warning(video, *options.raw));
  if (!source_->raw_start().empty()) raw_ = options.raw;
  refuse_warnings(arguments_.strict, notices_);
}

void VideoInput::require_range(std::int64_t least, const std::string& what) const {
  if (range_.first < 0) return;  // known when the video is open
  const std::int64_t wanted = range_.last < 0 ? least : range_.last - range_.first + 1;
  if (wanted < least)
    throw UsageError(fmt::format("--frames is '{}', which is {}: {} needs at least {}, such as {}:{}",
                                 *arguments_.frames, frames_text(wanted), what, least, range_.first,
                                 range_.first + least - 1));
}

void VideoInput::require_frames(std::int64_t frames, std::int64_t least, const std::string& what) const {
  if (frames >= least) return;
  const std::string where = arguments_.frames ? fmt::format(" in --frames '{}'", *arguments_.frames) : "";
  std::string other;  // such as files that are left out
  for (const std::string& notice : notices_) other += "; " + notice;
  throw Error(ErrorCode::bad_data, fmt::format("{} has {}{}: {} needs at least {}{}", shown_source(name()),
                                               frames_text(frames), where, what, least, other));
}

std::optional<GreyPicture> VideoInput::next() {
  std::optional<GreyPicture> frame = source_->next();
  if (frame) look(*frame);
  return frame;
}

std::optional<YuvFrame> VideoInput::next_yuv() {
  std::optional<YuvFrame> frame = source_->next_yuv();
  if (frame) look(frame->luma);
  return frame;
}

/// What comes from a pipe is looked at as it is read, and not waited for: the first frame shows wrong samples, the next
/// ones wrong lengths of frames.
void VideoInput::look_at_start(bool is_all) {
  if (!raw_) return;
  const std::vector<std::uint8_t>& start = source_->raw_start();
  is_all = is_all || std::ssize(start) >= raw_start_bytes(*raw_);
  if (!is_all && read_ > 1) return;
  std::string line = raw_format_warning(name(), *raw_, start);
  if (is_all || !line.empty()) raw_.reset();
  add_format_notice(std::move(line));
  refuse_warnings(arguments_.strict, notices_);
}

void VideoInput::add_format_notice(std::string line) {
  if (line.empty()) return;
  notices_.push_back(std::move(line));
  watch_->leave_rows();
}

void VideoInput::look(const GreyPicture& picture) {
  const std::int64_t number = range_.first + read_++;
  look_at_start(false);
  watch_->see(picture, number);
  refuse_warnings(arguments_.strict, watch_->warnings());
}

bool VideoInput::form_is_doubted() {
  look_at_start(true);
  return watch_->form_is_doubted();
}

void VideoInput::finish_warnings(std::vector<std::string>& warnings) {
  look_at_start(true);
  for (std::string& line : source_->notices())
    if (std::find(notices_.begin(), notices_.end(), line) == notices_.end()) notices_.push_back(std::move(line));
  watch_->finish();
  warnings.insert(warnings.end(), notices_.begin(), notices_.end());
  warnings.insert(warnings.end(), watch_->warnings().begin(), watch_->warnings().end());
  refuse_warnings(arguments_.strict, warnings);
}

std::vector<std::string> VideoInput::files() const {
  std::vector<std::string> names = source_->files();
  if (!source_->files().empty()) names.push_back(arguments_.video);  // not of pipes and of the network
  return names;
}

bool VideoInput::is_on_disk() const { return source_->is_sequence() || are_files(source_->files()); }

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

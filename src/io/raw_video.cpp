// SPDX-License-Identifier: Apache-2.0
// Reading of video without a header: its frames have one length, so a file of another length is not what it was said to
// be.
#include "io/raw_video.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "io/bytes.hpp"
#include "vergence/names.hpp"

namespace vergence::io {
namespace {

constexpr std::array formats{
    RawFormat{"gray"},
    RawFormat{"gray10le", 10},
    RawFormat{"gray12le", 12},
    RawFormat{"gray16le", 16},
    RawFormat{"yuv420p", 8, ChromaFormat::c420},
    RawFormat{"yuv422p", 8, ChromaFormat::c422},
    RawFormat{"yuv444p", 8, ChromaFormat::c444},
    RawFormat{"yuv420p10le", 10, ChromaFormat::c420},
    RawFormat{"yuv422p10le", 10, ChromaFormat::c422},
    RawFormat{"yuv444p10le", 10, ChromaFormat::c444},
    RawFormat{"yuv420p12le", 12, ChromaFormat::c420},
    RawFormat{"yuv422p12le", 12, ChromaFormat::c422},
    RawFormat{"yuv444p12le", 12, ChromaFormat::c444},
    RawFormat{"nv12", 8, ChromaFormat::c420, RawLayout::semi_planar},
    RawFormat{"p010le", 10, ChromaFormat::c420, RawLayout::semi_planar, 6},
    RawFormat{"yuyv422", 8, ChromaFormat::c422, RawLayout::packed},
};

constexpr int largest_side = 65535;

/// What other programs call these formats.
struct FormatName {
  std::string_view other, ours;
};
constexpr FormatName other_names[] = {
    {"gray8", "gray"},   {"grey", "gray"},       {"grey8", "gray"},      {"mono8", "gray"},
    {"y8", "gray"},      {"y800", "gray"},       {"luma", "gray"},       {"mono16", "gray16le"},
    {"y16", "gray16le"}, {"gray16", "gray16le"}, {"gray10", "gray10le"}, {"gray12", "gray12le"},
    {"i420", "yuv420p"}, {"iyuv", "yuv420p"},    {"yuv420", "yuv420p"},  {"yuvj420p", "yuv420p"},
    {"i422", "yuv422p"}, {"yuv422", "yuv422p"},  {"i444", "yuv444p"},    {"yuv444", "yuv444p"},
    {"p010", "p010le"},  {"yuyv", "yuyv422"},    {"yuy2", "yuyv422"},    {"yuv420p10", "yuv420p10le"},
};
/// Beginnings of names of other formats, however alike they look.
constexpr std::array not_read{"rgb",   "bgr",    "gbrp",   "argb",    "abgr",  "uyvy",  "yvyu",  "vyuy", "uyyvyy",
                              "nv15",  "nv16",   "nv20",   "nv21",    "nv24",  "nv42",  "nv61",  "yv12", "bayer",
                              "y210",  "y212",   "y41",    "v210",    "p012",  "p016",  "p2",    "p4",   "yuva",
                              "yuv41", "yuvj41", "yuv440", "yuvj440", "grayf", "gray9", "gray14"};

/// Is it one of samples whose bits, or order of bytes, no format here has?
bool has_other_samples(const std::string& name) {
  if (name.starts_with("yuv"))
    for (const char* end : {"p9", "p14", "p16", "p9le", "p14le", "p16le", "p9be", "p14be", "p16be"})
      if (name.ends_with(end)) return true;
  if (!name.ends_with("be")) return false;
  const std::string lower_byte_first = name.substr(0, name.size() - 2) + "le";
  return std::any_of(formats.begin(), formats.end(),
                     [&](const auto& format) { return format.name == lower_byte_first; });
}

[[noreturn]] void refuse_format(const std::string& given) {
  const std::string name = in_lower_case(given);
  std::vector<std::string> names;
  for (const RawFormat& format : formats) names.emplace_back(format.name);
  const auto begins = [&name](const char* start) { return name.starts_with(start); };
  if (has_other_samples(name) || std::any_of(not_read.begin(), not_read.end(), begins))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("raw format '{0}' is not read here: there are {1}; convert it, e.g. `ffmpeg -f rawvideo "
                            "-pixel_format {0} -video_size WxH -i FILE -pix_fmt gray OUT.y4m`",
                            given, fmt::join(names, ", ")));
  std::vector<std::string> likely;
  for (const FormatName& other : other_names)
    if (other.other == name) likely.emplace_back(other.ours);
  if (likely.empty()) likely = likely_names(name, names);
  throw Error(ErrorCode::invalid_argument,
              fmt::format("raw format '{}' is not known: {}", given,
                          likely.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                         : fmt::format("did you mean {}?", fmt::join(likely, " or "))));
}

const RawFormat& find_format(const std::string& name) {
  for (const RawFormat& format : formats)
    if (format.name == name) return format;
  refuse_format(name);
}

std::size_t pixels(Size size) { return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height); }
std::size_t sample_bytes(const RawFormat& format) { return format.bits > 8 ? 2 : 1; }

Size chroma_size(ChromaFormat format, Size luma) {
  return {chroma_width(format, luma.width), chroma_height(format, luma.height)};
}

/// Samples of a frame.
std::size_t frame_samples(const RawFormat& format, Size size) {
  if (format.layout == RawLayout::packed)  // an odd width is filled up to a pair of pixels
    return 4 * pixels(chroma_size(format.chroma, size));
  return pixels(size) + 2 * pixels(chroma_size(format.chroma, size));
}

}  // namespace

int chroma_width(ChromaFormat format, int side) {
  if (format == ChromaFormat::none) return 0;
  return format == ChromaFormat::c444 ? side : (side + 1) / 2;
}
int chroma_height(ChromaFormat format, int side) {
  if (format == ChromaFormat::none) return 0;
  return format == ChromaFormat::c420 ? (side + 1) / 2 : side;
}

void RawVideoReader::Close::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

RawVideoReader::RawVideoReader(const std::string& name, const RawVideo& form, bool standard_input)
    : name_(name), size_(form.size), format_(find_format(form.format)) {
  if (size_.width < 1 || size_.height < 1 || size_.width > largest_side || size_.height > largest_side)
    throw Error(ErrorCode::invalid_argument, fmt::format("size of raw video is {}x{}: allowed are 1x1 .. {}x{}",
                                                         size_.width, size_.height, largest_side, largest_side));
  file_.reset(standard_input ? stdin : std::fopen(name.c_str(), "rb"));
  if (!file_) {
    const int error = errno;
    if (error == ENOENT) refuse_address(name);
    if (error == ENOENT) fail_read(ErrorCode::not_found, name, "there is no such file: check the name");
    if (error == ELOOP) fail_read(ErrorCode::io, name, "its symbolic links lead in a circle: mend them");
    fail_read(ErrorCode::io, name, std::strerror(error));
  }
  const std::size_t frame = frame_samples(format_, size_) * sample_bytes(format_);
  struct stat status {};
  if (::fstat(::fileno(file_.get()), &status) != 0) fail_read(ErrorCode::io, name, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_read(ErrorCode::io, name, "it is a directory: give a file");
  // Devices may go on for ever, as /dev/zero does.
  if ((S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) && !standard_input)
    fail_read(ErrorCode::io, name, "it is a device, not a file: give a file");
  if (S_ISREG(status.st_mode) && !standard_input) {
    const auto length = static_cast<std::uint64_t>(status.st_size);
    if (length == 0) fail_read(ErrorCode::bad_data, name, "it is empty: give a video");
    if (length % frame != 0)
      fail_read(ErrorCode::bad_data, name,
                fmt::format("its {} bytes are no multiple of a frame, {} bytes for {}x{} {}: check size and format, or "
                            "whether the file is complete",
                            length, frame, size_.width, size_.height, format_.name));
    count_ = static_cast<std::int64_t>(length / frame);
  } else {
    wanted_start_ = static_cast<std::size_t>(raw_start_bytes(form));
  }
  try {
    bytes_.resize(frame);
  } catch (const std::bad_alloc&) {
    fail_read(ErrorCode::out_of_memory, name, fmt::format("no memory for a frame of {} bytes: free memory", frame));
  }
}

bool RawVideoReader::fill() {
  const std::size_t read = std::fread(bytes_.data(), 1, bytes_.size(), file_.get());
  if (read == bytes_.size()) {
    ++frames_;
    const std::size_t missing = wanted_start_ - std::min(wanted_start_, start_.size());
    start_.insert(start_.end(), bytes_.begin(),
                  bytes_.begin() + static_cast<std::ptrdiff_t>(std::min(missing, bytes_.size())));
    return true;
  }
  if (std::ferror(file_.get()) != 0) fail_read(ErrorCode::io, name_, std::strerror(errno));
  if (read == 0) return false;
  fail_read(ErrorCode::bad_data, name_,
            fmt::format("it ends within frame {}, after {} of its {} bytes: check size and format, or whether it is "
                        "whole",
                        frames_, read, bytes_.size()));
}

RawVideoReader::Samples RawVideoReader::luma() const {
  const auto width = static_cast<std::size_t>(size_.width);
  if (format_.layout == RawLayout::packed) return {0, 2, (width + 1) / 2 * 4};
  return {0, 1, width};
}

RawVideoReader::Samples RawVideoReader::chroma(bool second) const {
  const Size size = chroma_size(format_.chroma, size_);
  const auto width = static_cast<std::size_t>(size.width);
  switch (format_.layout) {
    case RawLayout::packed:
      return {second ? 3u : 1u, 4, 4 * width};
    case RawLayout::semi_planar:
      return {pixels(size_) + (second ? 1 : 0), 2, 2 * width};
    case RawLayout::planar:
      break;
  }
  return {pixels(size_) + (second ? pixels(size) : 0), 1, width};
}

std::uint16_t RawVideoReader::word(std::size_t index) const {
  const std::uint8_t* const at = bytes_.data() + 2 * index;
  const auto value = static_cast<std::uint16_t>(at[0] | at[1] << 8);
  // FFmpeg makes words of 8 bits by repeating them.
  if ((value & ((1 << format_.shift) - 1)) != 0 && at[0] != at[1])
    fail_read(ErrorCode::bad_data, name_,
              fmt::format("frame {} holds the word {}, and {} has zeros in the lower {} bits: check size and format",
                          frames_ - 1, value, format_.name, format_.shift));
  const int sample = value >> format_.shift;
  if (sample >> format_.bits != 0)
    fail_read(ErrorCode::bad_data, name_,
              fmt::format("frame {} holds the word {}, and {} ends at {}: check size and format", frames_ - 1, value,
                          format_.name, (1 << format_.bits) - 1));
  return static_cast<std::uint16_t>(sample);
}

GreyPicture RawVideoReader::plane(Size size, const Samples& samples) const {
  GreyPicture picture;
  picture.max_value = (1 << format_.bits) - 1;
  const auto index = [&samples](int x, int y) {
    return samples.first + static_cast<std::size_t>(y) * samples.row + static_cast<std::size_t>(x) * samples.step;
  };
  if (format_.bits == 8) {
    picture.u8 = Image<std::uint8_t>(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) picture.u8(x, y) = bytes_[index(x, y)];
    return picture;
  }
  picture.depth = Depth::u16;
  picture.u16 = Image<std::uint16_t>(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture.u16(x, y) = word(index(x, y));
  return picture;
}

std::optional<YuvFrame> RawVideoReader::next(bool with_chroma) {
  if (!fill()) return std::nullopt;
  YuvFrame frame;
  frame.luma = plane(size_, luma());
  if (!with_chroma || format_.chroma == ChromaFormat::none) return frame;
  const Size size = chroma_size(format_.chroma, size_);
  frame.chroma = format_.chroma;
  frame.cb = plane(size, chroma(false));
  frame.cr = plane(size, chroma(true));
  return frame;
}

bool RawVideoReader::skip() { return fill(); }

}  // namespace vergence::io

namespace vergence {

RawFrameLayout raw_frame_layout(const RawVideo& form) {
  const io::RawFormat& format = io::find_format(form.format);
  const auto sample = static_cast<int>(io::sample_bytes(format));
  int chroma_planes = 0;
  if (format.chroma != ChromaFormat::none && format.layout != io::RawLayout::packed)
    chroma_planes = format.layout == io::RawLayout::planar ? 2 : 1;
  return {.frame_bytes = static_cast<std::int64_t>(io::frame_samples(format, form.size)) * sample,
          .luma_step = format.layout == io::RawLayout::packed ? 2 * sample : sample,
          .sample_bytes = sample,
          .chroma_planes = chroma_planes,
          .bits = format.bits};
}

std::int64_t raw_start_bytes(const RawVideo& form) {
  constexpr std::int64_t most = std::int64_t{1} << 28;
  const std::int64_t wanted =
      std::max(std::int64_t{8} * form.size.width * form.size.height, 2 * raw_frame_layout(form).frame_bytes);
  return wanted > most ? 0 : wanted;
}

}  // namespace vergence

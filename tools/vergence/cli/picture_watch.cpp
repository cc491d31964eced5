// SPDX-License-Identifier: Apache-2.0
// Pictures that show nothing, and raw video of another width.
#include "cli/picture_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "cli/chroma_rows.hpp"
#include "cli/patterns.hpp"
#include "cli/pixel_order.hpp"
#include "cli/upper_bytes.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence::cli {
namespace {

/// A few pixels, as tests and thumbnails have, may well be alike: nothing is found in them.
PictureFindings look_at(const GreyPicture& picture, int max_value) {
  constexpr int least_side = 16;
  if (picture.width() < least_side || picture.height() < least_side) return {};
  return picture.depth == Depth::u8 ? inspect_picture(ImageView<const std::uint8_t>(picture.u8.view()))
                                    : inspect_picture(ImageView<const std::uint16_t>(picture.u16.view()), max_value);
}

std::optional<int> row_length(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_row_length(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_row_length(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

/// What raw video looks like instead, and how it can be read.
std::string misfit(const RawVideoFindings& found, const RawFrameLayout& layout) {
  using enum RawVideoProblem;
  switch (found.problem) {
    case none:
      break;
    case frame_length:
      return fmt::format("its frames would be alike if they had {} bytes, not {}", found.frame_bytes,
                         layout.frame_bytes);
    case interleaved:
      if (found.step == 1) return "each byte is like the next one, as in a format of one byte for a sample";
      if (found.step < 3 * layout.sample_bytes || layout.luma_step > layout.sample_bytes)
        return fmt::format("pixels are not like their neighbours, but every {} bytes they are alike{}", found.step,
                           layout.luma_step == 1      ? ", as in yuyv422 and gray16le"
                           : layout.sample_bytes == 1 ? ", as colours are: in uyvy422 the luma stands behind them"
                                                      : "");
      return fmt::format(
          "pixels are alike every {} bytes, as those of colours in turn (rgb24, bgr24, rgba), which are not read here: "
          "convert it to gray or yuv420p",
          found.step);
    case byte_order:
      return "the upper bytes of its words are noise beside the lower ones, as if the bytes of each word were "
             "exchanged";
    case words:
      return "its bytes look like lower and upper ones of words, as in gray10le, gray12le and gray16le";
    case chroma:
      if (layout.chroma_planes == 0) return "the lower bytes of its words look like Cb and Cr in turn, as in uyvy422";
      return layout.chroma_planes == 2 ? "Cb and Cr seem to take turns, as in nv12 and p010le"
                                       : "Cb and Cr seem to lie in planes, as in yuv420p";
    case luma_behind:
      return "its luma is flat, and what was read as its chroma shows the picture, as in uyvy422, whose bytes are "
             "exchanged";
    case packed_bits:
      return fmt::format(
          "every {} byte is noise, or 0, as the lower bits of the {} pixels before it are in packed samples of {} bits "
          "(RAW{} of MIPI), which are not read here: unpack it to gray{}le",
          found.step == 10 ? "fifth" : "third", found.step == 10 ? "four" : "two", found.step, found.step, found.step);
    case tiles:
      return fmt::format(
          "rows begin anew every {} px, as in tiles of {}x{} px that lie one behind the other, as graphics memory "
          "holds them: store it row by row",
          found.step, found.step, found.step);
    case few_bits:
      return "all its words are below 4096, as in gray10le and gray12le, or in words whose bytes are exchanged";
  }
  return {};
}

}  // namespace

std::string flat_warning(const GreyPicture& picture, const std::string& name, int max_value) {
  const PictureFindings found = look_at(picture, max_value);
  if (!found.flat) return {};
  return fmt::format(
      "{} is {}: all its pixels are {} .. {} of {}, so that nothing can be found in it; check the camera "
      "and the file, or choose other frames",
      name, found.black ? "black" : "flat", found.lowest, found.highest, max_value);
}

std::string dim_warning(const GreyPicture& picture, const std::string& name, int max_value) {
  const PictureFindings found = look_at(picture, max_value);
  if (!found.dim) return {};
  const auto bits = std::bit_width(static_cast<unsigned>(found.highest));
  // Lower bytes that were constant, and became the upper ones.
  const bool may_be_exchanged = found.highest > 255 && found.lowest >> 8 == found.highest >> 8;
  return fmt::format(
      "{} uses {} of its {} bits: all its pixels are {} .. {} of {}; if that is how they were stored, give --max-value "
      "{}, {}else check the exposure",
      name, bits, std::bit_width(static_cast<unsigned>(max_value)), found.lowest, found.highest, max_value,
      std::max((1 << bits) - 1, 255),
      may_be_exchanged
          ? fmt::format("if the bytes of its pixels are exchanged (all upper ones are {}), write it in the "
                        "other byte order, ",
                        found.highest >> 8)
          : "");
}

std::string byte_order_warning(const GreyPicture& picture, const std::string& name) {
  if (picture.depth == Depth::u8 || !inspect_byte_order(picture.u16.view())) return {};
  return fmt::format(
      "{} seems to have the bytes of its 16-bit pixels exchanged: the upper ones are noise beside the lower ones; "
      "write it in the other byte order (PNG and PNM: upper byte first)",
      name);
}

std::string planes_warning(const GreyPicture& picture, const std::string& name) {
  const PlaneFindings found = picture.depth == Depth::u8
                                  ? inspect_planes(ImageView<const std::uint8_t>(picture.u8.view()))
                                  : inspect_planes(ImageView<const std::uint16_t>(picture.u16.view()));
  if (found.in_rows)
    return fmt::format(
        "{} shows colour planes in place of pixels: each of its rows holds three that are alike, a third of the width "
        "each, as where all red, then all green, then all blue values were stored as pixels: store the three values of "
        "each pixel together (of arrays, height x width x 3)",
        name);
  if (!found.stacked) return {};
  return fmt::format(
      "{} shows one scene three times, one above the other, as colour planes that were read as one grey picture: give "
      "one of these planes, {}x{} px, or a picture in colour",
      name, picture.width(), picture.height() / 3);
}

std::string row_length_warning(const GreyPicture& picture, const std::string& name, const char* cure) {
  const std::optional<int> length = row_length(picture);
  if (!length) return {};
  return fmt::format(
      "{} does not look like a picture of {}x{}: its rows would be alike if they were {} px long; check {}", name,
      picture.width(), picture.height(), *length, cure);
}

std::string raw_file_warning(const std::string& path, const RawVideo& form) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return {};
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(raw_start_bytes(form)));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const auto read = static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0));
  return raw_format_warning(path, form, std::span(bytes).first(read));
}

std::string raw_format_warning(const std::string& name, const RawVideo& form, std::span<const std::uint8_t> start) {
  const RawFrameLayout layout = raw_frame_layout(form);
  const RawVideoFindings found = inspect_raw_video(start, {.size = form.size,
                                                           .frame_bytes = layout.frame_bytes,
                                                           .luma_step = layout.luma_step,
                                                           .sample_bytes = layout.sample_bytes,
                                                           .chroma_planes = layout.chroma_planes,
                                                           .bits = layout.bits});
  const std::string why = misfit(found, layout);
  if (why.empty()) return {};
  return fmt::format("{} does not look like {} video of {}x{}: {}; check --format and --size", name, form.format,
                     form.size.width, form.size.height, why);
}

EnlargedFindings enlargement_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? inspect_enlarged(ImageView<const std::uint8_t>(picture.u8.view()))
                                    : inspect_enlarged(ImageView<const std::uint16_t>(picture.u16.view()));
}

double enlargement_factor(const EnlargedFindings& found) {
  return 200.0 / (200 - found.columns_percent - found.rows_percent);
}

bool is_looked_at(std::int64_t seen) {
  return (seen <= 64 && std::has_single_bit(static_cast<std::uint64_t>(seen))) || seen % 100 == 0;
}

namespace {

/// One line where the frame was enlarged without interpolation, else "".
std::string enlarged_frame_warning(const GreyPicture& picture, const std::string& name) {
  const EnlargedFindings found = enlargement_of(picture);
  const Size block = found.block;
  if (found.rows_percent > 0)
    return fmt::format(
        "{} is enlarged without interpolation, about {:.3g} times: {} % of its columns and {} % of its rows repeat the "
        "one beside them, so that what moves is found in uneven steps: give the video as before, in about {:.0f} x "
        "{:.0f} px",
        name, enlargement_factor(found), found.columns_percent, found.rows_percent,
        picture.width() / enlargement_factor(found), picture.height() / enlargement_factor(found));
  if (block == Size{1, 1}) return {};
  constexpr Size of_h264{4, 4};
  if (found.compressed && block == of_h264)
    return fmt::format(
        "{} is made of blocks of 4x4 px that are alike: it was compressed strongly, as H.264 does it, or enlarged and "
        "compressed since, and what moves is found in steps of these: use what the camera gave, or a higher quality",
        name);
  return fmt::format(
      "{} is enlarged without interpolation: it is made of blocks of {}x{} px that are alike, and what moves is found "
      "in steps of these: give the video as before, in {}x{} px",
      name, block.width, block.height, picture.width() / block.width, picture.height() / block.height);
}

bool is_interlaced(const GreyPicture& picture) {
  return (picture.depth == Depth::u8
              ? inspect_fields(ImageView<const std::uint8_t>(picture.u8.view()))
              : inspect_fields(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value))
      .interlaced;
}

}  // namespace

TearFindings tear_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_tear(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_tear(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

void PictureWatch::see(const GreyPicture& picture, std::int64_t number) {
  ++seen_;
  max_value_ = picture.max_value;
  repeats_.see(picture, number);
  part_.see(picture, number);
  still_.see(picture, repeats_.last(), seen_, number);
  if (is_looked_at(seen_)) levels_.see(picture);
  if (raw_ && picture.depth == Depth::u16)
    for (int y = 0; y < picture.height(); ++y)
      highest_ = std::max<int>(highest_, *std::max_element(picture.u16.row(y), picture.u16.row(y) + picture.width()));
  if (!flat_ && !doubted_) {  // a doubt about the format explains it
    const std::string name = fmt::format("frame {} of {}", number, video_);
    if (std::string line = flat_warning(picture, name, picture.max_value); !line.empty()) {
      flat_ = true;
      warnings_.push_back(std::move(line));
    }
  }
  look_for_order(picture, number);
  if (seen_ == 1 && !doubted_ && order_line_.empty()) look_at_samples(picture, number);
  if (seen_ == 1 && !doubted_ && !interlaced_)
    if (std::string line = enlarged_frame_warning(picture, fmt::format("frame {} of {}", number, video_));
        !line.empty()) {
      pattern_line_ = std::move(line);
      enlarged_ = true;
    }
  if (seen_ == 1 && !raw_)  // of raw video, the bytes of the file were looked at
    if (std::string line = byte_order_warning(picture, fmt::format("frame {} of {}", number, video_)); !line.empty()) {
      warnings_.push_back(std::move(line));
      exchanged_ = true;
    }
  if (seen_ == 1) look_at_rows(picture, number);
  if (seen_ == 1) look_for_planes(picture, number);
  if (seen_ == 1 && !doubted_ && order_line_.empty()) look_for_waves(picture, number);
  if (!interlaced_ && !doubted_ && is_looked_at(seen_) && is_interlaced(picture)) {
    interlaced_ = true;
    interlaced_line_ = std::ssize(warnings_);
    warnings_.push_back(fmt::format(
        "frame {} of {} is interlaced: where things move, its rows are like the next but one, not like the next, so "
        "that two times stand in one frame: deinterlace it, as with `ffmpeg -i FILE -vf bwdif OUT`",
        number, video_));
  }
  if (!torn_ && !interlaced_ && !doubted_ && is_looked_at(seen_))
    if (const TearFindings tear = tear_of(picture); tear.row > 0) {
      torn_ = true;
      warnings_.push_back(fmt::format(
          "frame {} of {} is torn: from row {} on it lies {} px to the {} of what is above, as where a frame was "
          "written while it was shown: record it anew, synchronised",
          number, video_, tear.row, std::abs(tear.shift), tear.shift > 0 ? "right" : "left"));
    }
}

/// What a sensor gives, before it is made a picture.
void PictureWatch::look_at_samples(const GreyPicture& picture, std::int64_t number) {
  const std::string name = fmt::format("frame {} of {}", number, video_);
  pattern_line_ = packed_warning(UpperBytes(picture).view(), name);
  if (pattern_line_.empty()) pattern_line_ = mosaic_warning(picture, name);
  interlaced_ = !pattern_line_.empty();  // rows are like the next but one, too
}

/// Behind the looks at the form, which explains them; meshes look like mosaics, blocks and seams.
void PictureWatch::look_for_waves(const GreyPicture& picture, std::int64_t number) {
  std::string line = regular_warning(UpperBytes(picture).view(), fmt::format("frame {} of {}", number, video_));
  if (line.empty()) return;
  pattern_line_ = std::move(line);
  interlaced_ = torn_ = true;
}

void PictureWatch::look_for_order(const GreyPicture& picture, std::int64_t number) {
  if (seen_ == 1) look_for_colour_planes(picture, number);
  if (!order_line_.empty() || doubted_ || !is_looked_at(seen_)) return;
  order_line_ = order_warning(order_of(picture), fmt::format("frame {} of {}", number, video_));
  if (!order_line_.empty()) interlaced_ = torn_ = true;  // what explains seams
}

void PictureWatch::look_for_colour_planes(const GreyPicture& picture, std::int64_t number) {
  if (doubted_) return;
  std::string line = planes_warning(picture, fmt::format("frame {} of {}", number, video_));
  if (line.empty()) return;
  warnings_.push_back(std::move(line));
  leave_rows();
}

void PictureWatch::look_at_rows(const GreyPicture& picture, std::int64_t number) {
  if (doubted_) return;
  const char* const cure =
      raw_     ? "--size and --format"
      : plain_ ? "the width in its header, or the program that wrote it"
               : "the program that wrote it, and the bytes of a row (stride) that it took for the width";
  std::string line = row_length_warning(picture, fmt::format("frame {} of {}", number, video_), cure);
  if (line.empty()) return;
  warnings_.push_back(std::move(line));
  leave_rows();
}

void PictureWatch::look_for_planes(const GreyPicture& picture, std::int64_t number) {
  if (doubted_) return;
  const std::string name = fmt::format("frame {} of {}", number, video_);
  std::string line = raw_ ? chroma_rows_warning(picture, name) : chroma_below_warning(UpperBytes(picture).view(), name);
  if (line.empty()) return;
  warnings_.push_back(std::move(line));
  leave_rows();
}

void PictureWatch::finish() {
  if (repeats_.is_telecine() && interlaced_line_) warnings_.erase(warnings_.begin() + *interlaced_line_);
  std::vector<std::string> lines{doubted_ ? pattern_line_ : repeats_.warning(video_)};
  if (!doubted_) {  // a doubt about the format explains them
    lines.push_back(order_line_);
    lines.push_back(repeats_.turns().warning(video_));
    const std::string part = part_.warning(video_);
    // Frames that are darker, flipped, or lack a part, are far from all others.
    const bool has_odd_one = still_.has_odd_frame() || !part.empty(), tells_order = !still_.rolls() && !has_odd_one;
    if (lines.back().empty() && tells_order) lines.push_back(repeats_.known_orders().warning(video_));
    if (lines.back().empty() && tells_order) lines.push_back(repeats_.order().warning(video_));
    // Frames of two kinds in turn differ by what stays in the mean of all, too.
    still_.finish(!lines.back().empty());
    const bool has_standing = still_.has_standing();
    if (!has_standing) lines.insert(lines.begin(), pattern_line_);
    if (lines.back().empty() && !has_odd_one) lines.push_back(repeats_.odd_warning(video_));
    const auto is_pattern = [this](const std::string& line) { return line.empty() || line == pattern_line_; };
    if (std::all_of(lines.begin(), lines.end(), is_pattern)) lines.push_back(repeats_.copy_warning(video_));
    lines.push_back(repeats_.fade_warning(video_));
    const bool fades = !lines.back().empty();
    if (lines.back().empty()) lines.push_back(repeats_.blends().warning(video_));
    lines.push_back(part);
    StillWatch::Told told{.part = !lines.back().empty(), .blocks = enlarged_, .light = fades};
    if (!exchanged_ && !has_standing && !still_.has_salt()) lines.push_back(levels_.warning(video_));
    told.noise = exchanged_ || has_standing || !lines.back().empty();
    for (std::string& line : still_.warnings(video_, told)) lines.push_back(std::move(line));
  }
  for (std::string& line : lines)
    if (!line.empty() && !flat_) warnings_.push_back(std::move(line));
  constexpr int few = 4;  // a quarter of the levels: two bits less
  const auto bits = static_cast<int>(std::bit_width(static_cast<unsigned>(max_value_)));
  if (!raw_ || doubted_ || flat_ || bits <= 8 || bits > 12 || few * (highest_ + 1) > max_value_ + 1) return;
  warnings_.push_back(fmt::format(
      "{} has no pixel above {} of {} in its {} frames, as samples of {} bits have that are read as {} bits: check "
      "--format; if it is as dark as that, nothing is wrong",
      video_, highest_, max_value_, seen_, highest_ < 256 ? 8 : 10, bits));
}

}  // namespace vergence::cli

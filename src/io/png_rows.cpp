// SPDX-License-Identifier: Apache-2.0
// Rows of a PNG as they are packed: each a byte for its filter, then its pixels.
#include "io/png_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "io/inflate.hpp"
#include "io/libav_calls.hpp"
#include "io/palette.hpp"

namespace vergence::io {
namespace {

constexpr std::uint8_t untouched_byte = 0xA7;
constexpr std::uint8_t last_filter = 4;
constexpr std::size_t first_chunk = 8;  // that of the header, behind the signature

std::uint32_t number_at(std::span<const std::uint8_t> png, std::size_t at) {
  return std::uint32_t{png[at]} << 24 | std::uint32_t{png[at + 1]} << 16 | std::uint32_t{png[at + 2]} << 8 |
         png[at + 3];
}

/// What the header and the kinds of chunks tell.
struct Form {
  std::uint32_t width = 0, height = 0;
  unsigned pixel_bits = 8;
  bool interlaced = false;
  bool rearranged = false;           ///< The decoder does not leave the rows' bytes as they are packed.
  std::size_t colours = 0;           ///< Of the palette.
  std::vector<std::uint8_t> packed;  ///< The pixels.
};

/// Takes the pixels only where they are `wanted`.
Form form_of(std::span<const std::uint8_t> png, bool wanted) {
  Form form;
  for (std::size_t at = first_chunk; at + 12 <= png.size();) {
    const std::size_t length = number_at(png, at), data = at + 8;
    if (length > png.size() - at - 12) break;
    const std::uint32_t type = number_at(png, at + 4);
    if (type == 0x49484452 && length == 13) {  // IHDR
      constexpr unsigned channels[] = {1, 1, 3, 1, 2, 1, 4, 1};
      form.width = number_at(png, data);
      form.height = number_at(png, data + 4);
      form.pixel_bits = png[data + 8] * channels[png[data + 9] & 7];
      form.interlaced = png[data + 12] != 0;
      form.rearranged = form.rearranged || form.interlaced || png[data + 8] < 8;
    }
    if (type == 0x74524E53) form.rearranged = true;     // tRNS
    if (type == 0x504C5445) form.colours = length / 3;  // PLTE
    if (wanted && type == 0x49444154)                   // IDAT
      form.packed.insert(form.packed.end(), png.begin() + static_cast<std::ptrdiff_t>(data),
                         png.begin() + static_cast<std::ptrdiff_t>(data + length));
    at = data + length + 4;
  }
  return form;
}

bool has_untouched_row(const AVFrame& frame) {
  const int bytes = av_image_get_linesize(static_cast<AVPixelFormat>(frame.format), frame.width, 0);
  if (bytes < 1) return true;
  for (int y = 0; y < frame.height; ++y) {
    const std::uint8_t* const row = frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.linesize[0];
    if (row[0] == untouched_byte && std::memcmp(row, row + 1, static_cast<std::size_t>(bytes) - 1) == 0) return true;
  }
  return false;
}

/// Rows of one length.
struct Rows {
  std::uint64_t bytes = 0, count = 0;
};

/// All rows, in the order in which they are packed.
std::vector<Rows> rows_of(const Form& form) {
  std::vector<Rows> all;
  const auto add = [&](std::uint32_t width, std::uint32_t height) {
    if (width > 0 && height > 0) all.push_back({(std::uint64_t{width} * form.pixel_bits + 7) / 8, height});
  };
  if (!form.interlaced) add(form.width, form.height);
  if (form.interlaced) {  // Adam7: each pass begins so far from the corner, and takes every so many pixels
    constexpr std::uint32_t passes[7][4] = {{0, 8, 0, 8}, {4, 8, 0, 8}, {0, 4, 4, 8}, {2, 4, 0, 4},
                                            {0, 2, 2, 4}, {1, 2, 0, 2}, {0, 1, 1, 2}};
    for (const auto& [x, step_x, y, step_y] : passes)
      add((form.width + step_x - 1 - x) / step_x, (form.height + step_y - 1 - y) / step_y);
  }
  return all;
}

/// Walks over unpacked bytes from filter to filter.
class FilterWalk {
 public:
  explicit FilterWalk(std::vector<Rows> rows) : rows_(std::move(rows)) {}

  /// False where a filter does not exist, and behind the last row.
  bool take(std::span<const std::uint8_t> bytes) {
    while (pass_ < rows_.size()) {
      if (ahead_ >= bytes.size()) {
        ahead_ -= bytes.size();
        return true;
      }
      bytes = bytes.subspan(static_cast<std::size_t>(ahead_));
      filter_ = bytes[0];
      if (filter_ > last_filter) return false;
      ahead_ = 1 + rows_[pass_].bytes;
      ++row_;
      if (++in_pass_ == rows_[pass_].count) {
        in_pass_ = 0;
        ++pass_;
      }
    }
    return false;
  }
  /// Of the row that was met last.
  std::uint8_t filter() const { return filter_; }
  /// Rows before it.
  std::uint64_t row() const { return row_; }

 private:
  std::vector<Rows> rows_;
  std::size_t pass_ = 0;
  std::uint64_t in_pass_ = 0, row_ = 0;
  std::uint64_t ahead_ = 0;  ///< Bytes up to the next filter.
  std::uint8_t filter_ = 0;
};

std::string filter_problem(std::span<const std::uint8_t> png) {
  const Form form = form_of(png, true);
  FilterWalk walk(rows_of(form));
  inflate(form.packed, [&walk](std::span<const std::uint8_t> bytes) { return walk.take(bytes); });
  if (walk.filter() <= last_filter) return "";
  return fmt::format("row {}{} has the filter {}, and there are 0 .. {}", walk.row(),
                     form.interlaced ? " as they are packed" : "", walk.filter(), last_filter);
}

}  // namespace

int png_buffer(AVCodecContext* context, AVFrame* frame, int flags) {
  const int error = avcodec_default_get_buffer2(context, frame, flags);
  if (error >= 0 && frame->buf[0] != nullptr) std::memset(frame->buf[0]->data, untouched_byte, frame->buf[0]->size);
  return error;
}

std::string png_problem(std::span<const std::uint8_t> png, const AVFrame& decoded) {
  const Form form = form_of(png, false);
  if (form.rearranged || has_untouched_row(decoded))
    if (std::string problem = filter_problem(png); !problem.empty()) return problem;
  return palette_problem(decoded, form.colours);
}

}  // namespace vergence::io

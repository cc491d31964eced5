// SPDX-License-Identifier: Apache-2.0
// Pixels of a pair that do not lie where they belong.
#include "stereo/layout_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cli/picture_watch.hpp"
#include "cli/pixel_order.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence::cli {
namespace {

using Narrow = ImageView<const std::uint8_t>;
using Wide = ImageView<const std::uint16_t>;

bool is_narrow(const StereoFrame& frame) { return frame.left.depth == Depth::u8; }

int smear_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? inspect_smear(Narrow(picture.u8.view()))
                                    : inspect_smear(Wide(picture.u16.view()));
}

/// Is row y bit for bit the same in both?
bool is_shared(const StereoFrame& frame, int y) {
  const auto width = static_cast<std::size_t>(frame.left.width());
  return is_narrow(frame) ? std::memcmp(frame.left.u8.row(y), frame.right.u8.row(y), width) == 0
                          : std::memcmp(frame.left.u16.row(y), frame.right.u16.row(y), 2 * width) == 0;
}

/// Grey levels in every fourth row; `most` + 1 where there are more.
std::size_t levels_of(const GreyPicture& picture, std::size_t most) {
  std::vector<bool> seen(picture.depth == Depth::u8 ? 256 : 65536);
  std::size_t levels = 0;
  for (int y = 0; y < picture.height() && levels <= most; y += 4)
    for (int x = 0; x < picture.width() && levels <= most; ++x) {
      const auto level = static_cast<std::size_t>(picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y));
      if (seen[level]) continue;
      seen[level] = true;
      ++levels;
    }
  return levels;
}

}  // namespace

std::string shared_rows_warning(const StereoFrame& frame) {
  constexpr int least = 16, most_others = 8;  // rows; of the others, as 1 in so many
  std::array<int, 2> shared{}, all{};
  for (int y = 0; y < frame.left.height(); ++y) {
    const auto parity = static_cast<std::size_t>(y % 2);
    shared[parity] += is_shared(frame, y) ? 1 : 0;
    ++all[parity];
    if (y == least && shared[0] + shared[1] == 0) return {};
  }
  for (const std::size_t parity : {std::size_t{0}, std::size_t{1}})
    if (all[parity] >= least && shared[parity] == all[parity] && most_others * shared[1 - parity] <= all[1 - parity])
      return "every second row is the same in both pictures, as where one of them holds rows of both views in turn "
             "(for "
             "a 3D display): take the views apart first, so that left and right are one view each";
  return {};
}

std::string few_levels_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  constexpr std::size_t few = 16, many = 48;
  const std::size_t of_left = levels_of(frame.left, many);
  const std::size_t of_right = levels_of(frame.right, many);
  if (std::min(of_left, of_right) > few || std::max(of_left, of_right) <= many) return {};
  return fmt::format(
      "{} has no more than {} grey levels, and the other one has many: give it with all its bits, not reduced to a "
      "palette, to edges or by a threshold",
      of_left < of_right ? left : right, std::min(of_left, of_right));
}

std::string planes_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const std::string line = cli::planes_warning(frame.left, left);
  return line.empty() ? cli::planes_warning(frame.right, right) : line;
}

std::string pixel_order_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const Rearranged a = order_of(frame.left), b = order_of(frame.right);
  const bool in_left = a.order != PixelOrder::as_taken, in_right = b.order != PixelOrder::as_taken;
  return order_warning(in_left ? a : b, in_left && in_right ? "both pictures" : in_left ? left : right);
}

std::string moved_columns_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const MovedColumns found = is_narrow(frame)
                                 ? inspect_moved_columns(Narrow(frame.left.u8.view()), Narrow(frame.right.u8.view()))
                                 : inspect_moved_columns(Wide(frame.left.u16.view()), Wide(frame.right.u16.view()),
                                                         std::max(frame.left.max_value, frame.right.max_value));
  if (found.column == 0) return {};
  return fmt::format(
      "{} is moved along its rows from column {} on: what is there lies {} px to the {} of where it belongs, at all "
      "heights, and disparities at both sides differ by that: columns were {}; copy it anew, or check the reader of "
      "the sensor's halves",
      found.in_right ? right : left, found.column, std::abs(found.shift), found.shift > 0 ? "right" : "left",
      found.shift > 0 ? "put in" : "lost");
}

std::string surround_warning(const StereoFrame& frame, const std::optional<Rect>& roi) {
  const Rect part = roi.value_or(Rect{0, 0, frame.left.width(), frame.left.height()});
  const SurroundFindings found =
      is_narrow(frame)
          ? inspect_surround(Narrow(frame.left.u8.view()).crop(part), Narrow(frame.right.u8.view()).crop(part))
          : inspect_surround(Wide(frame.left.u16.view()).crop(part), Wide(frame.right.u16.view()).crop(part),
                             std::max(frame.left.max_value, frame.right.max_value));
  if (found.percent == 0) return {};
  const Rect inner{part.x + found.inner.x, part.y + found.inner.y, found.inner.width, found.inner.height};
  return fmt::format(
      "both pictures have corners of one grey level, {} % of their area, as of a round lens (fisheye, endoscope): its "
      "edge lies at the same place in both, and what is near it gets disparity 0 or a wrong one: crop both, or give "
      "--roi {},{},{},{}",
      found.percent, inner.x, inner.y, inner.width, inner.height);
}

std::string smear_warning(const StereoFrame& frame) {
  const int left = smear_of(frame.left);
  if (left == 0) return {};
  const int right = smear_of(frame.right);
  if (right == 0 || std::abs(left - right) > std::max(2, left / 8)) return {};
  return fmt::format(
      "both pictures are smeared along their rows, over about {} px, as by motion while the shutter is open: what is "
      "finer is lost, and disparities at edges are wrong: give a shorter exposure, or hold the cameras still",
      (left + right) / 2);
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What stays in place while the scene moves.
#include "cli/still_watch.hpp"

#include <fmt/format.h>

#include "cli/picture_watch.hpp"

namespace vergence::cli {
namespace {

/// Frames are compared with the 1st, 101st, ... one, while the scene moves away from it.
constexpr std::int64_t round = 100, first_look = 3, second_look = 7;

/// Calls `look` with both frames as views.
template <class Look>
auto with_views(const GreyPicture& a, const GreyPicture& b, Look look) {
  if (b.depth == Depth::u8)
    return look(ImageView<const std::uint8_t>(a.u8.view()), ImageView<const std::uint8_t>(b.u8.view()));
  return look(ImageView<const std::uint16_t>(a.u16.view()), ImageView<const std::uint16_t>(b.u16.view()));
}

template <class Pixel>
FixedPatternFindings pattern_of(ImageView<const Pixel> a, ImageView<const Pixel> b, int max_value) {
  if constexpr (sizeof(Pixel) == 1)
    return inspect_fixed_pattern(a, b);
  else
    return inspect_fixed_pattern(a, b, max_value);
}
template <class Pixel>
Rect frozen_part_of(ImageView<const Pixel> a, ImageView<const Pixel> b, int max_value) {
  if constexpr (sizeof(Pixel) == 1)
    return inspect_frozen_part(a, b);
  else
    return inspect_frozen_part(a, b, max_value);
}

int wrap_of_rows(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_wrapped_rows(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_wrapped_rows(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}
int wrap_of_columns(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_wrapped_columns(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_wrapped_columns(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

}  // namespace

void StillWatch::look_for_pattern(const GreyPicture& picture) {
  const FixedPatternFindings found =
      with_views(first_, picture, [&](auto before, auto now) { return pattern_of(before, now, picture.max_value); });
  pattern_.points += found.points;
  pattern_.moving += found.moving;
  pattern_.staying += found.staying;
  pattern_.common += found.common;
  pattern_.all += found.all;
}

/// A clean scene has 31 % at most, and a second look at it would tell nothing.
bool StillWatch::is_unclear() const {
  constexpr int enough = 16, clean_percent = 40;
  return pattern_.moving < enough || 100 * pattern_.staying >= clean_percent * pattern_.moving;
}

bool StillWatch::has_pattern() const {
  constexpr int least = 16, percent = 60, least_share = 16;
  return pattern_.moving >= least && 100 * pattern_.staying >= percent * pattern_.moving &&
         least_share * pattern_.common >= pattern_.all;
}

void StillWatch::see(const GreyPicture& picture, std::int64_t seen, std::int64_t number) {
  const std::int64_t apart = (seen - 1) % round;
  if (first_.size() == picture.size() && !has_pattern() &&
      (apart == first_look || (apart == second_look && is_unclear())))
    look_for_pattern(picture);
  if (apart == 0) first_ = some_rows(picture, 1);
  if (frozen_at_ < 0 && before_.size() == picture.size() && is_looked_at(seen)) {
    frozen_ = with_views(before_, picture,
                         [&](auto before, auto now) { return frozen_part_of(before, now, picture.max_value); });
    if (frozen_.width > 0) frozen_at_ = number;
  }
  before_ = frozen_at_ < 0 && is_looked_at(seen + 1) ? some_rows(picture, 1) : GreyPicture{};
  rows_.add(wrap_of_rows(picture), number);
  columns_.add(wrap_of_columns(picture), number);
}

std::vector<std::string> StillWatch::warnings(const std::string& video) const {
  std::vector<std::string> lines;
  constexpr int few = 2;  // a thing may have such an edge
  if (columns_.frames >= few)
    lines.push_back(fmt::format(
        "from frame {} on, frames of {} begin amid the picture, at row {}, and go on at its top (seen in {} frames): "
        "the "
        "vertical synchronisation was lost, or a part of the data: nothing is where it was. Record it anew, or leave "
        "these frames out by --frames",
        columns_.first, video, columns_.place, columns_.frames));
  if (rows_.frames >= few)
    lines.push_back(fmt::format(
        "from frame {} on, rows of {} begin amid the frame, at column {}, and go on at its left edge (seen in {} "
        "frames): a part of the data was lost, or the synchronisation: nothing is where it was. Record it anew, or "
        "leave these frames out by --frames",
        rows_.first, video, rows_.place, rows_.frames));
  if (frozen_at_ >= 0)
    lines.push_back(fmt::format(
        "a part of frame {} of {} stands still, bit for bit, while all around it moves: {}x{} px from ({}, {}) on: it "
        "hung, was lost, or something is painted over it: nothing moves there. Record it anew, or crop it",
        frozen_at_, video, frozen_.width, frozen_.height, frozen_.x, frozen_.y));
  if (has_pattern())
    lines.push_back(fmt::format(
        "{} has a pattern that stays in place where the scene moves, at {} of {} sample points: of columns or rows of "
        "the sensor, stuck pixels, dirt or letters: it holds motion back to 0: subtract a dark frame, or correct the "
        "camera",
        video, pattern_.staying, pattern_.moving));
  return lines;
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Raw frames that show the smaller planes of 4:2:0 in their rows.
#include "cli/chroma_rows.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "cli/upper_bytes.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {
namespace {

/// By how much rows [from, end) differ from what lies half a row further along, and from the next but two rows.
std::pair<std::int64_t, std::int64_t> halves_differ(const Image<std::uint8_t>& picture, int from, int end) {
  std::int64_t halves = 0, rows = 0;
  const int half = picture.width() / 2;
  for (int y = from; y + 3 < end; y += 4)
    for (int x = 0; x < half; ++x) {
      halves += std::abs(picture(x, y) - picture(x + half, y));
      rows += std::abs(picture(x, y) - picture(x, y + 3));
    }
  return {halves, rows};
}

/// Luma above, and below it, in a third, the smaller planes of 4:2:0: each of their rows lies in half a row.
bool shows_planes(const GreyPicture& picture) {
  constexpr int least_width = 64, least_height = 96;
  const int height = picture.height();
  if (picture.depth != Depth::u8 || height % 3 != 0 || picture.width() % 2 != 0) return false;
  if (picture.width() < least_width || height < least_height) return false;
  const auto [luma_halves, luma_rows] = halves_differ(picture.u8, 0, height / 3 * 2);
  const auto [halves, rows] = halves_differ(picture.u8, height / 3 * 2, height);
  const std::int64_t pixels = std::int64_t{picture.width()} / 2 * (height / 12);
  constexpr int beside = 2;  // halves of rows of a picture differ by 2.7 times what rows do, and more
  return rows > pixels / 4 && halves < rows && luma_halves > beside * luma_rows;
}

}  // namespace

std::string chroma_rows_warning(const GreyPicture& frame, const std::string& name) {
  constexpr int slack = 24;  // as 1 in so many of the rows: planes may begin with what shows nothing
  const int third = frame.height() / 3, part = frame.height() / slack;
  const ChromaRows found =
      shows_planes(frame) ? ChromaRows{2 * third, frame.height()} : inspect_chroma_rows(UpperBytes(frame).view());
  if (found.end == 0) return "";
  if (std::abs(found.first - 2 * third) <= part && frame.height() - found.end <= part)
    return fmt::format(
        "{} shows the planes of 4:2:0 below the picture, in its lowest third: give --size {}x{} --format {}", name,
        frame.width(), 2 * third,
        !found.in_turn             ? "yuv420p"
        : frame.depth == Depth::u8 ? "nv12"
                                   : "p010le");
  return fmt::format(
      "{} shows the smaller planes of 4:2:0 in its rows {} .. {}, which belong behind the picture: the file begins "
      "amid a frame, or bytes were lost: cut off what lies before the first whole frame, as with `tail -c +N`, or "
      "check --size and --format",
      name, found.first, found.end - 1);
}

}  // namespace vergence::cli

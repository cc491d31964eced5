// SPDX-License-Identifier: Apache-2.0
// Seams between views, and within them.
#include "stereo/seams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cli/picture_watch.hpp"
#include "vergence/inspect_lines.hpp"

namespace vergence::cli {
namespace {

enum class Edge { left, right, top, bottom };

/// Lines of about one grey level from one edge on; none where a quarter of all are.
template <class Pixel>
int bar_of(const Image<Pixel>& picture, int max_value, Edge edge) {
  const bool columns = edge == Edge::left || edge == Edge::right, last = edge == Edge::right || edge == Edge::bottom;
  const int lines = columns ? picture.width() : picture.height(), length = columns ? picture.height() : picture.width();
  int count = 0;
  for (; count < lines / 4; ++count) {
    const int at = last ? lines - 1 - count : count;
    int lowest = max_value, highest = 0;
    for (int k = 0; k < length; ++k) {
      const int pixel = columns ? picture(at, k) : picture(k, at);
      lowest = std::min(lowest, pixel);
      highest = std::max(highest, pixel);
    }
    if (highest - lowest > max_value / 16) break;  // compression leaves some
  }
  return count < lines / 4 ? count : 0;
}

int bar_of(const GreyPicture& picture, Edge edge) {
  return picture.depth == Depth::u8 ? bar_of(picture.u8, picture.max_value, edge)
                                    : bar_of(picture.u16, picture.max_value, edge);
}

}  // namespace

std::string separator_warning(const StereoFrame& frame, Halves halves) {
  constexpr int least = 2;  // px
  if (halves == Halves::none) return {};
  const bool columns = halves == Halves::columns;
  const Edge start = columns ? Edge::left : Edge::top, end = columns ? Edge::right : Edge::bottom;
  const int of_first = bar_of(frame.left, end), of_second = bar_of(frame.right, start);
  // Views that have bars at both sides have them in a film's own frame.
  if (of_first + of_second < least || bar_of(frame.left, start) > 0 || bar_of(frame.right, end) > 0) return {};
  const std::string harm =
      columns
          ? fmt::format("{} px too far to the right in its half, and all disparities are so much too small", of_second)
          : fmt::format("{} px too low in its half, and rows of both views do not meet", of_second);
  return fmt::format(
      "{} of about one grey level lie between both views, {} px of the {} half and {} px of the {} one: what belongs "
      "to "
      "the second view lies {}: cut the picture into its views first, without what parts them",
      columns ? "columns" : "rows", of_first, columns ? "left" : "upper", of_second, columns ? "right" : "lower", harm);
}

std::string torn_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const TearFindings a = tear_of(frame.left), b = tear_of(frame.right);
  if (a.row == b.row && a.shift == b.shift) return {};
  const TearFindings& torn = a.row > 0 ? a : b;
  return fmt::format(
      "{} is torn: from row {} on it lies {} px to the {} of what is above, as where a frame was written while it was "
      "shown: disparities above and below differ by that: synchronise capture and camera, or copy the frame anew",
      a.row > 0 ? left : right, torn.row, std::abs(torn.shift), torn.shift > 0 ? "right" : "left");
}

namespace {

LostRows lost_rows_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_lost_rows(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_lost_rows(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

LinesInTurn lines_in_turn_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? inspect_lines_in_turn(ImageView<const std::uint8_t>(picture.u8.view()))
                                    : inspect_lines_in_turn(ImageView<const std::uint16_t>(picture.u16.view()));
}

}  // namespace

std::string lost_rows_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const LostRows a = lost_rows_of(frame.left), b = lost_rows_of(frame.right);
  if (a.rows == 0 && b.rows == 0) return {};
  const LostRows& more = a.rows >= b.rows ? a : b;
  return fmt::format(
      "{} has {} rows of one grey level amid others, such as row {}: they were lost, and windows that hold them match "
      "worse: copy or record the picture anew",
      a.rows >= b.rows ? left : right, more.rows, more.first);
}

std::string lines_in_turn_warning(const StereoFrame& frame) {
  const LinesInTurn a = lines_in_turn_of(frame.left), b = lines_in_turn_of(frame.right);
  // Rows of one picture alone are two fields, which are looked for by their motion.
  if ((!a.columns && !b.columns) && !(a.rows && b.rows)) return {};
  const char* const lines = a.columns || b.columns ? "columns" : "rows";
  return fmt::format(
      "{} {} are those of two pictures in turn, as for a 3D display that stores both views in every second one{}: take "
      "them apart first, so that left and right are one view each",
      a.columns && !b.columns   ? "the left picture's"
      : b.columns && !a.columns ? "the right picture's"
                                : "both pictures'",
      lines, a.columns || b.columns ? "" : ", or as of interlaced video, which is to be deinterlaced");
}

}  // namespace vergence::cli

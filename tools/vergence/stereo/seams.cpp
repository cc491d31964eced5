// SPDX-License-Identifier: Apache-2.0
// Seams between views, and within them.
#include "stereo/seams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cli/picture_watch.hpp"

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

}  // namespace vergence::cli

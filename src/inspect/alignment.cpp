// SPDX-License-Identifier: Apache-2.0
// How the right picture of a pair lies and shines beside the left one.
#include "inspect/alignment.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace vergence::inspect {
namespace {

constexpr int least_across = 3 * 16;     // 1/16 grey levels from row to row: less does not tell the row
constexpr int least_contrast = 24 * 16;  // 1/16 grey levels between two points that tell the gain
constexpr std::size_t enough_pairs = 50;
// Grey levels by which the pictures differ at the same points, in 1/16. Good pairs have up to 30; 3 levels more make
// SAD lose a quarter of venus.
constexpr int harmful_change = 40;
// Rows by which a part of the picture is off, in 1/16 px. Good pairs have up to 3.
constexpr int doubtful_rows = 6;
constexpr int harmful_rows = 12;
constexpr std::size_t enough_rows = 24;  // points that tell their row
// Twist and bend grow towards the corners, where few points lie: they need more of them. At the corners, in 1/16 px;
// good pairs have a twist of up to 9, and those with a bend above 12 no growth.
constexpr std::size_t enough_for_corners = 48;
constexpr std::size_t enough_in_corners = 12;
constexpr int doubtful_corners = 5;  // halfway to the corners
constexpr int harmful_twist = 12;
constexpr std::size_t enough_for_bend = 70;
constexpr int harmful_bend = 16;
constexpr int bend_with_growth = 14;

/// Mean of a patch in 1/16 grey levels.
int mean_16(Picture picture, Point at) {
  int sum = 0;
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const row = picture.row(at.y + y) + at.x;
    for (int x = 0; x < patch_width; ++x) sum += row[x];
  }
  return 16 * sum / (patch_width * patch_height);
}

/// Where between the rows the least cost lies, in 1/16 px: two lines of one slope, as sums of absolute differences
/// have.
int between_rows(int above, int here, int below) {
  if (above < here || below < here) return above < below ? -16 : 16;
  const int height = std::max(above, below) - here;
  return height == 0 ? 0 : 8 * (above - below) / height;
}

/// Median slope of all pairs that are `least` apart, times `unit`: a line through points of which some are wrong.
template <class Position, class Value>
int slope(const std::vector<Sight>& sights, Position position, Value value, int least, int unit, int otherwise) {
  std::vector<int> slopes;
  for (std::size_t i = 0; i < sights.size(); ++i)
    for (std::size_t j = i + 1; j < sights.size(); ++j) {
      const int apart = position(sights[j]) - position(sights[i]);
      if (std::abs(apart) < least) continue;
      slopes.push_back(static_cast<int>(std::int64_t{value(sights[j]) - value(sights[i])} * unit / apart));
    }
  return slopes.size() < enough_pairs ? otherwise : median(slopes);
}

template <class Value>
int median_of(const std::vector<Sight>& sights, Value value) {
  std::vector<int> values;
  values.reserve(sights.size());
  for (const Sight& one : sights) values.push_back(value(one));
  return median(values);
}

/// Where a point lies between the middle (0) of the picture and its corners: the products of both coordinates (which
/// rows follow where one camera is turned towards the other one), and of the row with the squared distance (which they
/// follow where a lens bends lines), 1024 in the corner at the lower right.
constexpr int corner = 1024;
struct FromMiddle {
  std::int64_t x, y, width, height;
  FromMiddle(Point at, Size size)
      : x(2 * at.x + patch_width - size.width),
        y(2 * at.y + patch_height - size.height),
        width(size.width),
        height(size.height) {}
  int twist() const { return static_cast<int>(corner * x * y / (width * height)); }
  int bend() const {
    return static_cast<int>(corner * y / height * (x * x + y * y) / (width * width + height * height));
  }
};

/// How much the rows of the corners differ: the median of those far from both middle lines, counted with the sign that
/// `sign` has there.
template <class Sign>
bool corners_are_off(const std::vector<Sight>& sights, Size size, Sign sign) {
  std::vector<int> rows;
  for (const Sight& one : sights) {
    const FromMiddle place(one.from, size);
    if (one.has_row && std::abs(place.twist()) >= corner / 5) rows.push_back(sign(place) < 0 ? -one.row : one.row);
  }
  return rows.size() >= enough_in_corners && std::abs(median(rows)) >= doubtful_corners;
}

}  // namespace

Sight sight(Picture left, Point from, Picture right, Picture even, Point to) {
  Sight result{.from = from, .left = mean_16(left, from), .right = mean_16(right, to)};
  const Point above{to.x, to.y - 1};
  const Point below{to.x, to.y + 1};
  if (!inside(even, above) || !inside(even, below) || texture(left, from).across_rows < least_across) return result;
  result.has_row = true;
  result.row =
      16 * (to.y - from.y) + between_rows(difference(left, from, even, above), difference(left, from, even, to),
                                          difference(left, from, even, below));
  return result;
}

void compare_brightness(const std::vector<Sight>& sights, PairFindings& findings) {
  if (sights.empty()) return;
  const auto left = [](const Sight& s) { return s.left; };
  const auto right = [](const Sight& s) { return s.right; };
  const int gain = slope(sights, left, right, least_contrast, 1000, 1000);
  findings.gain_percent = (gain + 5) / 10;
  const int offset = median_of(sights, [gain](const Sight& s) { return s.right - s.left * gain / 1000; });
  findings.offset = (offset + (offset < 0 ? -8 : 8)) / 16;
  findings.brightness_change = median_of(sights, [](const Sight& s) { return std::abs(s.right - s.left); });
}

void compare_rows(const std::vector<Sight>& sights, Size size, PairFindings& findings) {
  std::vector<Sight> telling;
  std::copy_if(sights.begin(), sights.end(), std::back_inserter(telling), [](const Sight& s) { return s.has_row; });
  if (telling.size() < enough_rows) return;
  const auto row = [](const Sight& s) { return s.row; };
  findings.row_shift = median_of(telling, row);
  findings.row_tilt = slope(
      telling, [](const Sight& s) { return s.from.x; }, row, size.width / 4, size.width, 0);
  findings.row_growth = slope(
      telling, [](const Sight& s) { return s.from.y; }, row, size.height / 4, size.height, 0);
  if (telling.size() < enough_for_corners) return;
  const auto without_tilt = [&](const Sight& s) {
    return s.row - static_cast<int>(findings.row_tilt * FromMiddle(s.from, size).x / (2 * size.width));
  };
  const auto without_lines = [&](const Sight& s) {
    return without_tilt(s) - static_cast<int>(findings.row_growth * FromMiddle(s.from, size).y / (2 * size.height));
  };
  findings.row_twist = slope(
      telling, [size](const Sight& s) { return FromMiddle(s.from, size).twist(); }, without_lines, corner / 4, corner,
      0);
  if (telling.size() < enough_for_bend) return;
  findings.row_bend = slope(
      telling, [size](const Sight& s) { return FromMiddle(s.from, size).bend(); }, without_tilt, corner / 4, corner, 0);
}

bool looks_misaligned(const std::vector<Sight>& sights, Size size) {
  const auto half_is_off = [&](auto in_half) {
    std::vector<int> rows;
    for (const Sight& one : sights)
      if (one.has_row && in_half(one.from)) rows.push_back(one.row);
    return rows.size() >= enough_rows / 2 && std::abs(median(rows)) >= doubtful_rows;
  };
  const auto right = [size](Point point) { return 2 * point.x > size.width - patch_width; };
  const auto lower = [size](Point point) { return 2 * point.y > size.height - patch_height; };
  return half_is_off(right) || half_is_off(lower) || half_is_off([&](Point point) { return !right(point); }) ||
         half_is_off([&](Point point) { return !lower(point); }) ||
         corners_are_off(sights, size, [](const FromMiddle& place) { return place.twist(); }) ||
         corners_are_off(sights, size, [](const FromMiddle& place) { return place.y; });
}

bool looks_brighter(const std::vector<Sight>& sights) {
  return sights.size() >= enough_rows &&
         median_of(sights, [](const Sight& s) { return std::abs(s.right - s.left); }) >= harmful_change;
}

bool corners_are_harmful(const PairFindings& findings) {
  const bool bends = std::abs(findings.row_growth) >= bend_with_growth &&
                     (findings.row_growth > 0) == (findings.row_bend > 0) &&
                     std::abs(findings.row_bend) >= harmful_bend;
  return bends || std::abs(findings.row_twist) >= harmful_twist;
}

bool rows_are_off(const PairFindings& findings) {
  const int slope = std::max(std::abs(findings.row_tilt), std::abs(findings.row_growth));
  return std::abs(findings.row_shift) + slope / 2 >= harmful_rows || corners_are_harmful(findings);
}

bool brightness_differs(const PairFindings& findings) { return findings.brightness_change >= harmful_change; }

bool sees_brightness(const StereoOptions& options) {
  return (options.cost == StereoCost::sad || options.cost == StereoCost::ssd) &&
         options.prefilter == StereoPrefilter::none;
}

}  // namespace vergence::inspect

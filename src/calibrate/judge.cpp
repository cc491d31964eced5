// SPDX-License-Identifier: Apache-2.0
// Coverage, variety, and what to photograph next.
#include "calibrate/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vergence::calibrate {
namespace {

struct Apex {
  double x = 0;
  double y = 0;
};

/// The convex hull, in order (Andrew's monotone chain).
std::vector<Apex> hull_of(const Corners& corners) {
  std::vector<Apex> points;
  for (const Corner& corner : corners) points.push_back({corner.x, corner.y});
  std::sort(points.begin(), points.end(),
            [](const Apex& a, const Apex& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  const auto turn = [](const Apex& a, const Apex& b, const Apex& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  std::vector<Apex> hull;
  for (const bool back : {false, true}) {
    const std::size_t start = hull.size();
    for (const Apex& point : points) {
      while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= 0) hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    if (!back) std::reverse(points.begin(), points.end());
  }
  return hull;
}

double area_of(const std::vector<Apex>& hull) {
  double twice = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Apex &a = hull[i], &b = hull[(i + 1) % hull.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return std::abs(twice) / 2;
}

/// The parts of a picture's rim: names, and which fifths of its width and height they are.
struct Part {
  const char* name;
  int from_x, to_x, from_y, to_y;
};
constexpr Part rim[] = {{"upper left corner", 0, 0, 0, 0}, {"upper right corner", 4, 4, 0, 0},
                        {"lower left corner", 0, 0, 4, 4}, {"lower right corner", 4, 4, 4, 4},
                        {"left side", 0, 0, 1, 3},         {"right side", 4, 4, 1, 3},
                        {"upper side", 1, 3, 0, 0},        {"lower side", 1, 3, 4, 4}};

std::vector<std::string> empty_parts(const std::vector<Corners>& views, Size size) {
  std::vector<std::string> names;
  for (const Part& part : rim) {
    bool seen = false;
    for (const Corners& view : views)
      for (const Corner& corner : view) {
        const int x = static_cast<int>(5 * (corner.x + 0.5) / size.width);
        const int y = static_cast<int>(5 * (corner.y + 0.5) / size.height);
        seen = seen || (x >= part.from_x && x <= part.to_x && y >= part.from_y && y <= part.to_y);
      }
    if (!seen) names.emplace_back(part.name);
  }
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

void advise_parts(const char* picture, const std::vector<Corners>& views, Size size, std::vector<std::string>& lines) {
  const std::vector<std::string> names = empty_parts(views, size);
  if (!names.empty())
    lines.push_back(
        fmt::format("hold the board into the {} of the {} picture, which no corner reached", list_of(names), picture));
}

void advise_variety(const Variety& variety, std::vector<std::string>& lines) {
  constexpr double tilt = 40, ratio = 1.4, share = 0.15;
  if (variety.left_right_degrees < tilt)
    lines.push_back(
        fmt::format("turn the board more to the left and right, by 30 degrees each: so far its tilts differ by {:.0f}",
                    variety.left_right_degrees));
  if (variety.up_down_degrees < tilt)
    lines.push_back(
        fmt::format("tilt the board more forward and back, by 30 degrees each: so far its tilts differ by {:.0f}",
                    variety.up_down_degrees));
  if (variety.largest_share < share)
    lines.push_back(fmt::format("hold the board nearer: it covers {:.0f} % of the picture at most, and a third is good",
                                100 * variety.largest_share));
  if (variety.distance_ratio < ratio)
    lines.push_back(fmt::format(
        "vary the distance: the farthest board is only {:.2f} times as far as the nearest, and 2 times is good",
        variety.distance_ratio));
}

}  // namespace

Image<std::int32_t> boards_over(const std::vector<Corners>& views, Size size) {
  Image<std::int32_t> boards(size, 0);
  for (const Corners& view : views) {
    const std::vector<Apex> hull = hull_of(view);
    for (int y = 0; y < size.height; ++y) {
      double from = size.width, to = -1;  // a convex shape meets a row in one piece
      for (std::size_t i = 0; i < hull.size(); ++i) {
        const Apex &a = hull[i], &b = hull[(i + 1) % hull.size()];
        if (std::min(a.y, b.y) > y || std::max(a.y, b.y) < y || a.y == b.y) continue;
        const double x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
        from = std::min(from, x);
        to = std::max(to, x);
      }
      const int last = std::min(size.width - 1, static_cast<int>(std::floor(to)));
      for (int x = std::max(0, static_cast<int>(std::ceil(from))); x <= last; ++x) ++boards(x, y);
    }
  }
  return boards;
}

double covered_share(ImageView<const std::int32_t> boards) {
  std::int64_t covered = 0;
  for (int y = 0; y < boards.height(); ++y)
    for (int x = 0; x < boards.width(); ++x) covered += boards(x, y) > 0;
  return static_cast<double>(covered) / (static_cast<double>(boards.width()) * boards.height());
}

Variety variety_of(const CameraFit& fit, const std::vector<Corners>& views, const Board& board) {
  constexpr double degrees = 180 / std::numbers::pi;
  double tilts[2][2] = {{90, -90}, {90, -90}}, near = 1e300, far = 0;
  for (const Pose& pose : fit.poses) {
    const auto& r = pose.rotation;
    const double side = std::atan2(r[2], r[8]) * degrees, height = std::atan2(r[5], r[8]) * degrees;
    tilts[0][0] = std::min(tilts[0][0], side);
    tilts[0][1] = std::max(tilts[0][1], side);
    tilts[1][0] = std::min(tilts[1][0], height);
    tilts[1][1] = std::max(tilts[1][1], height);
    const double x = board.square_m * (board.columns - 1) / 2, y = board.square_m * (board.rows - 1) / 2;
    const double z = r[6] * x + r[7] * y + pose.translation[2];
    near = std::min(near, z);
    far = std::max(far, z);
  }
  Variety variety;
  variety.left_right_degrees = tilts[0][1] - tilts[0][0];
  variety.up_down_degrees = tilts[1][1] - tilts[1][0];
  variety.distance_ratio = near > 0 ? far / near : 1;
  const Size size = fit.camera.size;
  for (const Corners& view : views)
    variety.largest_share =
        std::max(variety.largest_share, area_of(hull_of(view)) / (static_cast<double>(size.width) * size.height));
  return variety;
}

std::vector<Corners> used_corners(const std::vector<View>& views, const std::vector<int>& used, Corners View::*side) {
  std::vector<Corners> corners;
  for (const int view : used) corners.push_back(views[static_cast<std::size_t>(view)].*side);
  return corners;
}

std::vector<std::string> advice(const Calibrated& result, const std::vector<View>& views, const Board& board) {
  std::vector<std::string> lines;
  const std::vector<Corners> left = used_corners(views, result.left_views, &View::left);
  const std::vector<Corners> right = used_corners(views, result.right_views, &View::right);
  advise_parts("left", left, result.left.camera.size, lines);
  advise_parts("right", right, result.right.camera.size, lines);
  advise_variety(variety_of(result.left, left, board), lines);
  constexpr std::size_t good = 10;
  if (result.pair_views.size() < good)
    lines.push_back(
        fmt::format("photograph more pairs: {} are used, and {} to 30 are good", result.pair_views.size(), good));
  return lines;
}

}  // namespace vergence::calibrate

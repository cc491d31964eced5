// SPDX-License-Identifier: Apache-2.0
// The flow of places in steps of 4 px around the points.
#include "eval/flow_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vergence::cli {
namespace {

constexpr double most_distance = 0.5;    // px
constexpr double least_distance = 0.05;  // px in the mean; less is as it should be
constexpr int most_points = 1000, enough_points = 60;
// Of what points are off, this is left at most. Good flow fits best where it is, or leaves 0.96 and more elsewhere;
// flow that was moved by 20 px leaves 0.55 to 0.85 once it is moved back, by 40 px 0.40 to 0.74. Good flow leaves 1.4
// and more with y turned round; flow whose y is turned round, 0.49 to 0.70.
constexpr double left_where_moved = 0.78, left_where_turned = 0.75;

double distance(const TrackStep& step, double u, double v) {
  return std::min(std::hypot(step.found_x - step.x - u, step.found_y - step.y - v), most_distance);
}

}  // namespace

void FlowPlaces::add(const TrackStep& found, int x, int y, ImageView<const FlowVector> flow) {
  if (points_ >= most_points) return;
  const auto u = static_cast<double>(flow(x, y).u), v = static_cast<double>(flow(x, y).v);
  const double own = distance(found, u, v);
  ++points_;
  own_ += own;
  turned_[0] += distance(found, u, -v);
  turned_[1] += distance(found, -u, v);
  turned_[2] += distance(found, -v, u);
  turned_[3] += distance(found, v, -u);
  auto sums = places_.begin();
  for (int dy = -reach; dy <= reach; dy += step)
    for (int dx = -reach; dx <= reach; dx += step, ++sums) {
      const int column = x + dx, row = y + dy;
      if (column < 0 || row < 0 || column >= flow.width() || row >= flow.height()) continue;
      const FlowVector& there = flow(column, row);
      if (!is_known(there)) continue;
      sums->own += own;
      sums->there += distance(found, static_cast<double>(there.u), static_cast<double>(there.v));
      ++sums->points;
    }
}

std::string FlowPlaces::line(const std::string& truth) const {
  if (points_ < enough_points || own_ < least_distance * points_) return "";
  std::string line = turned(truth);
  return line.empty() ? moved(truth) : line;
}

std::string FlowPlaces::turned(const std::string& truth) const {
  const auto best = std::min_element(turned_.begin(), turned_.end());
  if (*best > left_where_turned * own_) return "";
  constexpr std::array<const char*, 4> what{"y of the opposite sign: x goes to the right and y down",
                                            "x of the opposite sign: x goes to the right and y down",
                                            "vectors that are turned by 90 degrees to the left: x comes first",
                                            "vectors that are turned by 90 degrees to the right: x comes first"};
  return fmt::format(
      "truth {} seems to have {}: of the distance of points and flow (of each up to {} px, {:.3g} px in the mean) "
      "{:.0f} "
      "% are left once that is undone",
      truth, what[static_cast<std::size_t>(best - turned_.begin())], most_distance, own_ / points_, 100 * *best / own_);
}

std::string FlowPlaces::moved(const std::string& truth) const {
  const auto share = [](const Sums& sums) { return sums.own > 0 ? sums.there / sums.own : 1; };
  auto best = places_.begin() + (side * side) / 2;  // their own place
  for (auto sums = places_.begin(); sums != places_.end(); ++sums)
    if (2 * sums->points > points_ && share(*sums) < share(*best)) best = sums;
  if (share(*best) > left_where_moved) return "";
  const auto at = static_cast<int>(best - places_.begin());
  const int x = at % static_cast<int>(side) * step - reach, y = at / static_cast<int>(side) * step - reach;
  std::string way = x == 0 ? "" : fmt::format("{} px to the {}", std::abs(x), x > 0 ? "right" : "left");
  if (y != 0) way += fmt::format("{}{} px {}", way.empty() ? "" : " and ", std::abs(y), y > 0 ? "down" : "up");
  return fmt::format(
      "truth {} seems to lie beside the tracks: of the distance of points and flow (of each up to {} px, {:.3g} px in "
      "the mean) {:.0f} % are left where the flow of places about {} is taken: check that flow and frames are cropped "
      "alike and of one frame (--frame, --truth-first)",
      truth, most_distance, best->own / best->points, 100 * share(*best), way);
}

}  // namespace vergence::cli

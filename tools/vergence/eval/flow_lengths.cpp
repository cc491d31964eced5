// SPDX-License-Identifier: Apache-2.0
// Flow and steps are compared by the medians of their lengths, which few wrong points do not move.
#include "eval/flow_lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace vergence::cli {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void FlowLengths::add(const TrackStep& step, ImageView<const FlowVector> flow) {
  const int x = std::clamp(static_cast<int>(std::lround(step.x)), 0, flow.width() - 1);
  const int y = std::clamp(static_cast<int>(std::lround(step.y)), 0, flow.height() - 1);
  const FlowVector& vector = flow(x, y);
  if (!is_known(vector)) return;
  size_ = flow.size();
  const auto error_at = [&](int column, int row) {
    const FlowVector& there = flow(column, row);
    return is_known(there) ? std::hypot(step.found_x - step.x - static_cast<double>(there.u),
                                        step.found_y - step.y - static_cast<double>(there.v))
                           : std::numeric_limits<double>::infinity();
  };
  const int last_x = flow.width() - 1, last_y = flow.height() - 1;
  pairs_.push_back({step.found_x - step.x,
                    step.found_y - step.y,
                    static_cast<double>(vector.u),
                    static_cast<double>(vector.v),
                    step.found_x,
                    step.found_y,
                    {error_at(x, last_y - y), error_at(last_x - x, y), error_at(last_x - x, last_y - y)}});
}

std::string FlowLengths::turned_doubt(const std::string& truth, double error) const {
  constexpr std::size_t enough = 20;
  constexpr double better = 4;
  constexpr std::array<const char*, 3> ways{"be upside down", "be mirrored", "be turned by 180 degrees"};
  if (pairs_.size() < enough) return "";
  for (std::size_t way = 0; way < ways.size(); ++way) {
    std::vector<double> off;
    for (const Pair& pair : pairs_) off.push_back(pair.turned_errors[way]);
    if (better * median(off) > error) continue;
    return fmt::format(
        "truth {} seems to {}: points are off by {:.3g} px in the median, and by {:.3g} px once it is turned: check "
        "the "
        "order of its rows and columns",
        truth, ways[way], error, median(off));
  }
  return "";
}

std::string FlowLengths::shares_doubt(const std::string& truth, double error) const {
  constexpr std::size_t enough = 20;
  constexpr double better = 4;
  std::vector<double> off;
  for (const Pair& pair : pairs_)
    off.push_back(std::hypot(pair.u * size_.width - pair.dx, pair.v * size_.height - pair.dy));
  if (off.size() < enough || better * median(off) > error) return "";
  return fmt::format(
      "truth {} seems to be in shares of the width and height: points are off by {:.3g} px in the median, and by "
      "{:.3g} px "
      "once it is multiplied by {} and {}: give px",
      truth, error, median(off), size_.width, size_.height);
}

std::string FlowLengths::unknown_doubt(const std::string& truth) const {
  constexpr std::size_t enough = 8;
  constexpr double wrong = 2;  // px
  struct Group {
    std::size_t points = 0, wrong = 0;
  };
  std::map<std::pair<double, double>, Group> groups;
  std::size_t all_wrong = 0;
  for (const Pair& pair : pairs_) {
    Group& group = groups[{pair.u, pair.v}];
    const bool is_wrong = std::hypot(pair.u - pair.dx, pair.v - pair.dy) > wrong;
    ++group.points;
    group.wrong += is_wrong ? 1 : 0;
    all_wrong += is_wrong ? 1 : 0;
  }
  for (const auto& [vector, group] : groups) {
    const std::size_t others = pairs_.size() - group.points;
    if (group.points < enough || 20 * group.points < pairs_.size() || 10 * group.wrong < 9 * group.points) continue;
    if (others < enough || 2 * (all_wrong - group.wrong) > others)
      continue;  // what is wrong as a whole has other causes
    return fmt::format(
        "truth {} is ({:.6g}, {:.6g}) at {} of {} points, which move elsewhere: if that means unknown, write 1e10 "
        "there, "
        "which .flo means by it",
        truth, vector.first, vector.second, group.points, pairs_.size());
  }
  return "";
}

std::string FlowLengths::still_doubt(const std::string& truth) const {
  constexpr std::size_t enough = 20;
  constexpr double least = 0.1;  // px: noise moves the points of a still scene by less
  std::vector<double> steps;
  for (const Pair& pair : pairs_) {
    if (pair.u != 0 || pair.v != 0) return "";
    steps.push_back(std::hypot(pair.dx, pair.dy));
  }
  if (steps.size() < enough || median(steps) < least) return "";
  return fmt::format(
      "truth {} is 0 at all {} points, which move by {:.3g} px in the median: check that it is flow, and that of these "
      "frames (--frame, --truth-first)",
      truth, steps.size(), median(steps));
}

std::string FlowLengths::positions_doubt(const std::string& truth, double error) const {
  constexpr std::size_t enough = 20;
  constexpr double better = 4;
  std::vector<double> off;
  for (const Pair& pair : pairs_) off.push_back(std::hypot(pair.u - pair.found_x, pair.v - pair.found_y));
  if (off.size() < enough || better * median(off) > error) return "";
  return fmt::format(
      "truth {} seems to hold the positions that pixels move to, not how far they move: points are off by {:.3g} px in "
      "the median, and by {:.3g} px if it does: take each pixel's own x and y off its vector",
      truth, error, median(off));
}

std::string FlowLengths::doubt(const std::string& truth, double error) const {
  constexpr std::size_t enough = 20;
  constexpr double least = 0.25;             // px: shorter ones tell no ratio
  constexpr double alike = 1.3;              // ratios up to this are of bad tracks
  constexpr double better = 2, along = 0.9;  // times as near, and the cosine of both directions, in the median
  std::vector<double> ratios, cosines;
  for (const Pair& pair : pairs_) {
    const double step = std::hypot(pair.dx, pair.dy), flow = std::hypot(pair.u, pair.v);
    if (step < least || flow < least / 10) continue;
    ratios.push_back(flow / step);
    cosines.push_back((pair.dx * pair.u + pair.dy * pair.v) / (step * flow));
  }
  if (ratios.size() < enough || 2 * ratios.size() < pairs_.size()) return "";
  const double ratio = median(ratios);
  if (median(cosines) < along || std::max(ratio, 1 / ratio) < alike) return "";
  std::vector<double> left;
  for (const Pair& pair : pairs_) left.push_back(std::hypot(ratio * pair.dx - pair.u, ratio * pair.dy - pair.v));
  // In px of whichever is longer: what is shortened is not nearer for that.
  if (better * median(left) / std::min(ratio, 1.0) > error) return "";
  return fmt::format(
      "truth {} is {:.2g} times as long as what the points move, in the same direction: points are off by {:.3g} px in "
      "the median, and by {:.3g} px once that is made up for: give flow in px from each frame to the next, of these "
      "frames' size and rate",
      truth, ratio, error, median(left));
}

}  // namespace vergence::cli

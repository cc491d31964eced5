// SPDX-License-Identifier: Apache-2.0
// Choice of sharp frames that differ.
#include "calibrate/select.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace vergence::calibrate {
namespace {

using Look = std::array<double, 6>;

/// Where the board lies and how it is seen, in numbers that are about equally important: place in pictures, logarithms
/// of size and of the proportions of opposite sides, which tell the tilt.
Look look_of(const Corners& corners, const Board& board, Size size) {
  std::array<const Corner*, 4> ends{};  // upper left, upper right, lower left, lower right of what is seen
  for (const Corner& corner : corners) {
    const int column = corner.index % board.columns, row = corner.index / board.columns;
    const int weights[4] = {-column - row, column - row, row - column, column + row};
    for (std::size_t i = 0; i < 4; ++i) {
      const Corner* const best = ends[i];
      const int best_column = best == nullptr ? 0 : best->index % board.columns;
      const int best_row = best == nullptr ? 0 : best->index / board.columns;
      const int held[4] = {-best_column - best_row, best_column - best_row, best_row - best_column,
                           best_column + best_row};
      if (best == nullptr || weights[i] > held[i]) ends[i] = &corner;
    }
  }
  const auto length = [&](std::size_t a, std::size_t b) {
    return std::max(1.0, std::hypot(ends[a]->x - ends[b]->x, ends[a]->y - ends[b]->y));
  };
  const double upper = length(0, 1), lower = length(2, 3), before = length(0, 2), behind = length(1, 3);
  double x = 0, y = 0;
  for (const Corner* const end : ends) {
    x += end->x / 4;
    y += end->y / 4;
  }
  return {x / size.width,
          y / size.height,
          std::log((upper + lower) * (before + behind)) / 2,
          std::log((upper + lower) / (before + behind)),
          2 * std::log(upper / lower),
          2 * std::log(before / behind)};
}

double difference(const Look& a, const Look& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

double motion_between(const Corners& before, const Corners& now) {
  View view;
  view.left = before;
  view.right = now;
  const PairCorners common = common_corners(view);
  double sum = 0;
  for (std::size_t i = 0; i < common.left.size(); ++i)
    sum += std::hypot(common.left[i].x - common.right[i].x, common.left[i].y - common.right[i].y);
  return common.left.empty() ? 0 : sum / static_cast<double>(common.left.size());
}

std::vector<int> select_views(const std::vector<Candidate>& candidates, const Board& board, Size size, int most) {
  std::vector<double> widths;
  for (const Candidate& candidate : candidates)
    if (candidate.edge_px > 0) widths.push_back(candidate.edge_px);
  std::sort(widths.begin(), widths.end());
  const double limit = widths.empty() ? 0 : 1.5 * widths[widths.size() / 4];
  std::vector<int> order;
  std::vector<Look> looks;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    looks.push_back(look_of(candidates[i].view.left, board, size));
    if (candidates[i].edge_px <= limit) order.push_back(static_cast<int>(i));
  }
  const auto badness = [&](int i) {
    const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
    return (candidate.edge_px > 0 ? candidate.edge_px : limit) + 0.1 * candidate.motion_px;
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return badness(a) < badness(b); });
  std::vector<int> taken;
  constexpr double largest = 0.5, least = 0.03, step = 0.8;
  for (double apart = largest; apart >= least; apart *= step)
    for (const int i : order) {
      if (static_cast<int>(taken.size()) >= most) break;
      const auto differs = [&](int other) {
        return difference(looks[static_cast<std::size_t>(i)], looks[static_cast<std::size_t>(other)]) > apart;
      };
      if (!std::all_of(taken.begin(), taken.end(), differs)) continue;
      // Noise decides which of many alike differs enough: the best of them is wanted.
      taken.push_back(*std::find_if(order.begin(), order.end(), [&](int other) {
        return difference(looks[static_cast<std::size_t>(i)], looks[static_cast<std::size_t>(other)]) <= apart / 4;
      }));
    }
  std::sort(taken.begin(), taken.end());
  return taken;
}

}  // namespace vergence::calibrate

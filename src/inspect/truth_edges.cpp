// SPDX-License-Identifier: Apache-2.0
// What a map and its truth have in common besides numbers that are close: edges of depth at the same places, and a
// unit in which they can be disparities.
#include "inspect/truth_edges.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace vergence {

std::optional<double> inspect_edges_met(ImageView<const float> map, ImageView<const float> truth) {
  if (map.size() != truth.size())
    throw Error(ErrorCode::invalid_argument, "truth and map differ in size: give maps of one size");
  return inspect::edges_met(map, truth);
}

}  // namespace vergence

namespace vergence::inspect {
namespace {

constexpr int most_lines = 256;  // rows that are looked at, and places of a row for units

// --- edges ---

constexpr int reach = 3;         // px to either side of a place, within which the truth has an edge;
constexpr int map_reach = 6;     // and the map, whose edges windows move
constexpr float least_step = 2;  // px
constexpr std::int64_t enough_edges = 300;
// Percent of the truth's edges that the map has, too. Maps of another scene have 21 at most; good ones 41 and more with
// every preset, and poor ones, of which under 60 % of the pixels are close, 27 and more. Windows of 15 px and more move
// edges further, and leave most of the pixels close.
constexpr double few_edges = 24, few_close = 60;
constexpr double hardly_any_edges = 10, many_close = 80;

/// Of places where the truth rises or falls, those where the map does so by half as much.
struct Edges {
  std::int64_t all = 0, met = 0;
};
Edges edges_of(ImageView<const float> map, ImageView<const float> truth) {
  Edges edges;
  const int step = (map.height() + most_lines - 1) / most_lines;
  for (int y = step / 2; y < map.height(); y += step) {
    const float *const here = truth.row(y), *const there = map.row(y);
    for (int x = map_reach; x + map_reach < map.width(); ++x) {
      const float rise = here[x + reach] - here[x - reach];
      if (!std::isfinite(rise) || std::abs(rise) < least_step) continue;
      const float of_map = there[x + map_reach] - there[x - map_reach];
      if (!std::isfinite(of_map)) continue;
      ++edges.all;
      edges.met += (rise > 0 ? of_map : -of_map) >= std::min(std::abs(rise) / 2, least_step) ? 1 : 0;
    }
  }
  return edges;
}

// --- units ---

constexpr double all_below = 1.5;     // px, of the 98th percentile; what far scenes have that is worth a score
constexpr double most_outside = 0.5;  // of the pixels, whose partner lies outside the other picture
constexpr std::size_t enough_known = 1000;

struct Spread {
  double low = 0, high = 0;  ///< Percentiles 2 and 98.
  double outside = 1;        ///< The share of pixels whose partner lies outside the other picture, on the better side.
  bool known = false;
};
Spread spread_of(ImageView<const float> map) {
  std::vector<float> values;
  std::int64_t to_left = 0, to_right = 0;
  const auto is_outside = [last = static_cast<float>(map.width() - 1)](float x) { return x < 0 || x > last; };
  const int step_x = (map.width() + most_lines - 1) / most_lines, step_y = (map.height() + most_lines - 1) / most_lines;
  for (int y = step_y / 2; y < map.height(); y += step_y)
    for (int x = step_x / 2; x < map.width(); x += step_x) {
      const float d = map(x, y);
      if (!std::isfinite(d)) continue;
      values.push_back(d);
      to_left += is_outside(static_cast<float>(x) - d) ? 1 : 0;
      to_right += is_outside(static_cast<float>(x) + d) ? 1 : 0;
    }
  if (values.size() < enough_known) return {};
  const auto rank = [&values](std::size_t percent) {
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
    std::nth_element(values.begin(), nth, values.end());
    return static_cast<double>(*nth);
  };
  return {rank(2), rank(98), static_cast<double>(std::min(to_left, to_right)) / static_cast<double>(values.size()),
          true};
}

}  // namespace

std::optional<double> edges_met(ImageView<const float> map, ImageView<const float> truth) {
  const Edges edges = edges_of(map, truth);
  if (edges.all < enough_edges) return std::nullopt;
  return 100.0 * static_cast<double>(edges.met) / static_cast<double>(edges.all);
}

void compare_edges(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  if (findings.close >= many_close) return;
  const std::optional<double> met = edges_met(map, truth);
  if (!met) return;
  findings.edges_met = *met;
  if (findings.edges_met < (findings.close < few_close ? few_edges : hardly_any_edges))
    findings.problem = TruthProblem::other_edges;
}

void judge_unit_of_both(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  const Spread of_truth = spread_of(truth), of_map = spread_of(map);
  if (!of_truth.known || !of_map.known) return;
  findings.truth_high = of_truth.high;
  findings.outside = 100 * of_truth.outside;
  if (std::min(of_truth.outside, of_map.outside) >= most_outside)
    findings.problem = TruthProblem::too_large;
  else if (of_truth.low >= 0 && of_truth.high > 0 && std::max(of_truth.high, of_map.high) < all_below)
    findings.problem = TruthProblem::too_small;
}

}  // namespace vergence::inspect

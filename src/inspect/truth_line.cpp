// SPDX-License-Identifier: Apache-2.0
// The line goes through the medians of the lowest and the highest third of the map, and then through what lies beside
// it. What lies between both thirds has to lie on it, too: of two levels everything is a line. A curve goes through
// medians of some twenty shares of the pixels.
#include "inspect/truth_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace vergence::inspect {
namespace {

constexpr double least_spread = 4;   // px from one third to the other
constexpr double close_to_line = 1;  // px of the map
constexpr double told_line = 75;     // percent of the pixels that are close to the line,
constexpr double line_halves = 0.5;  // and of those that are not close as it is, those that are left, at most
constexpr double line_gains = 8;     // percent of the pixels, over any other cause
constexpr double surely_line = 80, surely_gains = 20;    // where a factor explains half of the map, too
constexpr double least_tilt = 0.05;                      // of the factor, from 1
constexpr double between_told = 50, between_share = 10;  // percent of what lies between, which is so many at least

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Line {
  double factor = 0, offset = 0;
  double away(double map, double truth) const { return std::abs((truth - offset) / factor - map); }
};

/// Where the line begins and ends: medians of the thirds, along the map.
struct Thirds {
  double low = 0, high = 0;
  Line line;
};
Thirds through_thirds(const std::vector<double>& map, const std::vector<double>& truth) {
  std::vector<double> sorted = map;
  std::sort(sorted.begin(), sorted.end());
  const double low_end = sorted[sorted.size() / 3], high_begin = sorted[sorted.size() * 2 / 3];
  std::vector<double> low, high;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] <= low_end) low.push_back(truth[i]);
    if (map[i] >= high_begin) high.push_back(truth[i]);
  }
  Thirds thirds{.low = sorted[sorted.size() / 6], .high = sorted[sorted.size() * 5 / 6], .line = {}};
  if (thirds.high - thirds.low < least_spread) return thirds;
  const double low_truth = median_of(std::move(low));
  thirds.line.factor = (median_of(std::move(high)) - low_truth) / (thirds.high - thirds.low);
  thirds.line.offset = low_truth - thirds.line.factor * thirds.low;
  return thirds;
}

/// Through what lies within 4 px of it.
Line through_close_ones(const std::vector<double>& map, const std::vector<double>& truth, const Line& line) {
  double count = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (line.away(map[i], truth[i]) > 4 * close_to_line) continue;
    ++count;
    x += map[i];
    y += truth[i];
    xx += map[i] * map[i];
    xy += map[i] * truth[i];
  }
  const double spread = count * xx - x * x;
  if (count < 2 || spread <= 0) return line;
  const double factor = (count * xy - x * y) / spread;
  return {.factor = factor, .offset = (y - factor * x) / count};
}

/// Percent of the pixels from `low` to `high` of the map that are close to the line; 0 where these are few.
double close_between(const std::vector<double>& map, const std::vector<double>& truth, const Line& line, double low,
                     double high) {
  std::size_t pixels = 0, close = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] < low || map[i] > high) continue;
    ++pixels;
    if (line.away(map[i], truth[i]) <= close_to_line) ++close;
  }
  if (static_cast<double>(pixels) * 100 < between_share * static_cast<double>(map.size())) return 0;
  return 100.0 * static_cast<double>(close) / static_cast<double>(pixels);
}

// --- curves ---

constexpr std::size_t most_knots = 24;
constexpr std::size_t enough_knots = 8, enough_of_knots = 1000;  // knots, and pixels
constexpr double least_apart = 0.75;                             // px of the map, from one knot to the next
constexpr double least_range = 8;                                // px of the map, from the first one to the last
constexpr double least_bend = 1.3;                               // of the slopes at both ends
constexpr double flattest = 0.05;                                // slope
constexpr double most_close = 60;                                // percent of the pixels that are close as it is

struct Knot {
  double map = 0, truth = 0;
};

/// Medians of shares of the pixels, in the order of the map; empty where the truth does not rise from each to the next.
std::vector<Knot> knots_of(const std::vector<double>& map, const std::vector<double>& truth) {
  std::vector<std::size_t> order(map.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&map](std::size_t a, std::size_t b) { return map[a] < map[b]; });
  std::vector<Knot> knots;
  for (std::size_t share = 0; share < most_knots; ++share) {
    std::vector<double> of_map, of_truth;
    for (std::size_t i = order.size() * share / most_knots; i < order.size() * (share + 1) / most_knots; ++i) {
      of_map.push_back(map[order[i]]);
      of_truth.push_back(truth[order[i]]);
    }
    const Knot knot{median_of(std::move(of_map)), median_of(std::move(of_truth))};
    if (!knots.empty() && knot.map < knots.back().map + least_apart) continue;
    if (!knots.empty() && knot.truth <= knots.back().truth) return {};
    knots.push_back(knot);
  }
  return knots;
}

double slope_of(const Knot& a, const Knot& b) { return (b.truth - a.truth) / (b.map - a.map); }

/// The map's disparity that leads to this truth.
double map_of(const std::vector<Knot>& knots, double truth) {
  const auto above = std::lower_bound(knots.begin() + 1, knots.end() - 1, truth,
                                      [](const Knot& knot, double value) { return knot.truth < value; });
  const Knot &a = *(above - 1), &b = *above;
  return a.map + (truth - a.truth) / std::max(slope_of(a, b), flattest);
}

}  // namespace

void judge_curve(const std::vector<double>& map, const std::vector<double>& truth, double scaled,
                 TruthFindings& findings) {
  if (findings.close >= most_close || map.size() < enough_of_knots) return;
  const std::vector<Knot> knots = knots_of(map, truth);
  if (knots.size() < enough_knots || knots.back().map - knots.front().map < least_range) return;
  const std::size_t third = knots.size() / 3;
  const double bend = slope_of(knots.front(), knots[third]) / slope_of(knots[knots.size() - 1 - third], knots.back());
  if (bend < least_bend && bend > 1 / least_bend) return;
  std::int64_t close = 0;
  for (std::size_t i = 0; i < map.size(); ++i)
    close += std::abs(map_of(knots, truth[i]) - map[i]) <= close_to_line ? 1 : 0;
  findings.close_curve = 100.0 * static_cast<double>(close) / static_cast<double>(map.size());
  const double others =
      std::max({findings.close, findings.close_shifted, findings.close_inverse, findings.close_line, scaled});
  if (findings.close_curve < told_line || findings.close_curve < others + line_gains) return;
  if (100 - findings.close_curve > line_halves * (100 - findings.close)) return;
  findings.problem = TruthProblem::curved;
}

void judge_line(const std::vector<double>& map, const std::vector<double>& truth, double scaled,
                TruthFindings& findings) {
  const Thirds thirds = through_thirds(map, truth);
  if (!(thirds.line.factor > 0)) return;
  Line line = thirds.line;
  for (int i = 0; i < 3 && line.factor > 0; ++i) line = through_close_ones(map, truth, line);
  if (!(line.factor > 0) || std::abs(line.factor - 1) < least_tilt) return;
  const auto [lowest, highest] = std::minmax_element(map.begin(), map.end());
  findings.close_line = close_between(map, truth, line, *lowest, *highest);
  const double others = std::max({findings.close, findings.close_shifted, findings.close_inverse, scaled});
  if (findings.close_line < told_line || findings.close_line < others + line_gains) return;
  if (100 - findings.close_line > line_halves * (100 - findings.close)) return;
  // A factor alone explains less of a poor map than a factor and an offset do.
  const bool is_scale = findings.problem == TruthProblem::scale;
  if (is_scale && (std::abs(line.offset / line.factor) < close_to_line || findings.close_line < surely_line ||
                   findings.close_line < scaled + surely_gains))
    return;
  const double part = (thirds.high - thirds.low) / 5;
  if (close_between(map, truth, line, thirds.low + part, thirds.high - part) < between_told) return;
  findings.factor = line.factor;
  findings.offset = line.offset;
  findings.problem = TruthProblem::linear;
}

}  // namespace vergence::inspect

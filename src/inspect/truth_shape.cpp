// SPDX-License-Identifier: Apache-2.0
// Truths whose pixels do not lie where they belong, and maps of one number.
#include "inspect/truth_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "inspect/truth_seams.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence::inspect {
namespace {

constexpr float close_in_shape = 1;  // px
constexpr int shape_side = 128;      // pixels along each side, at most

struct Share {
  std::int64_t known = 0, close = 0;
  void add(float map, float truth) {
    const float away = std::abs(map - truth);
    known += std::isfinite(away) ? 1 : 0;
    close += away <= close_in_shape ? 1 : 0;
  }
  bool is_enough() const { return known >= 400; }
  double percent() const { return known == 0 ? 0 : 100.0 * static_cast<double>(close) / static_cast<double>(known); }
};

/// Of the pixels beside the truth at place(x, y) px, rounded.
template <class Place>
Share share_at(ImageView<const float> map, ImageView<const float> truth, Place place) {
  const int step_x = std::max(1, map.width() / shape_side), step_y = std::max(1, map.height() / shape_side);
  Share share;
  for (int y = step_y / 2; y < map.height(); y += step_y)
    for (int x = step_x / 2; x < map.width(); x += step_x) {
      const std::array<double, 2> there = place(x, y);
      const auto column = static_cast<int>(std::lround(there[0])), row = static_cast<int>(std::lround(there[1]));
      if (column >= 0 && row >= 0 && column < map.width() && row < map.height())
        share.add(map(x, y), truth(column, row));
    }
  return share;
}

/// Sets the problem repeated_rows.
void judge_repeated_rows(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  constexpr int least_rows = 16, share = 20;
  constexpr double fewer = 10;  // percent of the pixels
  int first = 0, count = 1, best_first = 0, best = 0;
  for (int y = 1; y <= truth.height(); ++y) {
    const auto same = [](float a, float b) { return a == b || (!std::isfinite(a) && !std::isfinite(b)); };
    if (y < truth.height() && std::equal(truth.row(y), truth.row(y) + truth.width(), truth.row(y - 1), same)) {
      ++count;
      continue;
    }
    if (count > best) best = count, best_first = first;
    first = y, count = 1;
  }
  if (best < least_rows || share * best < truth.height() || 2 * best > truth.height()) return;
  const float* const row = truth.row(best_first);
  int edges = 0;
  for (int x = 1; x < truth.width(); ++x) edges += std::abs(row[x] - row[x - 1]) > 2 * close_in_shape ? 1 : 0;
  if (edges < 2) return;  // as planes before each other have
  Share here, elsewhere;
  const int step = std::max(1, map.width() / shape_side);
  for (int y = 0; y < map.height(); ++y)
    for (int x = step / 2; x < map.width(); x += step)
      (y >= best_first && y < best_first + best ? here : elsewhere).add(map(x, y), truth(x, y));
  if (!here.is_enough() || !elsewhere.is_enough() || here.percent() + fewer > elsewhere.percent()) return;
  findings.problem = TruthProblem::repeated_rows;
  findings.seam = best_first;
  findings.part = best;
  findings.close_in_part = here.percent();
  findings.close_elsewhere = elsewhere.percent();
}

/// Sets the problem rearranged.
void judge_order(ImageView<const float> truth, TruthFindings& findings) {
  constexpr float parts = 64, most = 1000;  // of a px; px
  Image<std::uint16_t> levels(truth.size());
  for (int y = 0; y < truth.height(); ++y)
    for (int x = 0; x < truth.width(); ++x) {
      const float value = truth(x, y);
      levels(x, y) = std::isfinite(value) ? static_cast<std::uint16_t>(std::clamp(value, 0.0F, most) * parts)
                     : x > 0              ? levels(x - 1, y)
                                          : std::uint16_t{0};
    }
  const Rearranged found = inspect_rearranged(levels.view());
  if (found.order != PixelOrder::reversed && found.order != PixelOrder::exchanged) return;
  findings.problem = TruthProblem::rearranged;
  findings.part = found.rows ? 0 : 2;
  findings.seam = found.size;
}

}  // namespace

void judge_one_number(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  const int step = std::max(1, map.height() / shape_side);
  constexpr int varied = 4;  // px
  float number = 0, lowest = 1e9F, highest = -1e9F;
  std::int64_t known = 0, same = 0;
  for (int y = step / 2; y < map.height(); y += step)
    for (int x = 0; x < map.width(); ++x) {
      if (!std::isfinite(map(x, y)) || !std::isfinite(truth(x, y))) continue;
      if (known == 0) number = map(x, y);
      ++known;
      same += map(x, y) == number ? 1 : 0;
      lowest = std::min(lowest, truth(x, y));
      highest = std::max(highest, truth(x, y));
      if (100 * same < 98 * known) return;
    }
  if (known < 400 || highest - lowest < varied) return;
  findings.problem = TruthProblem::one_number;
  findings.map_median = static_cast<double>(number);
}

void judge_rows_in_turn(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  // Percent. Of 28 maps of 14 scenes, both differ by 0.3 at most.
  constexpr double least = 4;
  constexpr int columns = 160;
  std::array<Share, 2> shares;
  Share to_next, to_next_but_one;  // of the truth: the map may be the one whose rows differ
  const int step = std::max(1, map.width() / columns);
  for (int y = 0; y < map.height() / 2 * 2; ++y)
    for (int x = step / 2; x < map.width(); x += step) {
      shares[static_cast<std::size_t>(y % 2)].add(map(x, y), truth(x, y));
      if (y + 2 >= map.height()) continue;
      to_next.add(truth(x, y), truth(x, y + 1));
      to_next_but_one.add(truth(x, y), truth(x, y + 2));
    }
  if (!shares[0].is_enough() || !shares[1].is_enough()) return;
  const double even = shares[0].percent(), odd = shares[1].percent();
  if (std::abs(even - odd) < least || to_next.percent() >= to_next_but_one.percent()) return;
  findings.problem = TruthProblem::rows_in_turn;
  findings.part = even < odd ? 0 : 1;
  findings.close_in_part = std::min(even, odd);
  findings.close_elsewhere = std::max(even, odd);
}

void judge_warp(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  // Percent. Of 28 maps of 14 scenes, the best turn or zoom leaves 83 of the wrong pixels and more.
  constexpr double told = 60, left = 62;
  const double x0 = (map.width() - 1) / 2.0, y0 = (map.height() - 1) / 2.0;
  const auto share_of = [&](double degrees, double zoom) {
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle) * zoom, s = std::sin(angle) * zoom;
    return share_at(map, truth,
                    [&](int x, int y) {
                      return std::array{x0 + c * (x - x0) - s * (y - y0), y0 + s * (x - x0) + c * (y - y0)};
                    })
        .percent();
  };
  const double own = share_of(0, 1);
  double best = own;
  const auto take = [&](double degrees, double zoom) {
    const double share = share_of(degrees, zoom);
    if (share <= best) return;
    best = share;
    findings.turn = degrees;
    findings.factor = zoom;
  };
  for (const double degrees : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0}) take(degrees, 1), take(-degrees, 1);
  for (const double zoom : {0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.96, 1.04, 1.06, 1.08, 1.1, 1.13, 1.18, 1.25})
    take(0, zoom);
  if (best < told || 100 * (100 - best) > left * (100 - own)) return;
  findings.problem = TruthProblem::warped;
  findings.close_in_part = own;
  findings.close_turned = best;
}

void judge_shape(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  judge_order(truth, findings);
  if (findings.problem == TruthProblem::none) judge_repeated_rows(map, truth, findings);
  if (findings.problem == TruthProblem::none) judge_beside_part(map, truth, findings);
  if (findings.problem != TruthProblem::none) return;
  judge_beside_part(truth, map, findings);
  findings.of_map = findings.problem != TruthProblem::none;
}

}  // namespace vergence::inspect

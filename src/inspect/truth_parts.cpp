// SPDX-License-Identifier: Apache-2.0
// Halves of the truth are compared with the map as the whole of it is, turned within themselves; and its edges of depth
// with the steps that they are made of.
#include "inspect/truth_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace vergence::inspect {
namespace {

constexpr int half_side = 128;  // pixels that are compared along each side of a half, at most
constexpr std::int64_t enough_of_half = 400;
constexpr float close_in_half = 1;  // px
// Percent of a half's pixels that are close once it is turned, at least; those that are then not, beside what they are
// as it is; and of pixels that are close as it is, at most.
constexpr double told_half = 60, left_wrong = 50, most_close = 88;

constexpr int edge_reach = 8;          // px to either side of a place, within which the truth has an edge,
constexpr int edge_outside = 14;       // and to what is as flat at both sides as slopes are not
constexpr float flat_share = 0.2F;     // of the edge
constexpr float edge_step = 2;         // px, of the whole edge
constexpr float sudden_share = 0.45F;  // of it, in one step: what edges have that are not smoothed
constexpr std::int64_t enough_places = 300;
constexpr double gradual_percent = 75;  // of the places
constexpr int most_edge_rows = 256;

/// Percent of the pixels of `part` whose map is close to the truth of another pixel.
template <class Place>
double share_of(ImageView<const float> map, ImageView<const float> truth, const Rect& part, Place place) {
  const int step_x = std::max(1, part.width / half_side), step_y = std::max(1, part.height / half_side);
  std::int64_t known = 0, close = 0;
  for (int y = part.y + step_y / 2; y < part.y + part.height; y += step_y)
    for (int x = part.x + step_x / 2; x < part.x + part.width; x += step_x) {
      const auto [there_x, there_y] = place(x, y);
      const float away = map(x, y) - truth(there_x, there_y);
      if (!std::isfinite(away)) continue;
      ++known;
      close += std::abs(away) <= close_in_half ? 1 : 0;
    }
  return known < enough_of_half ? 0 : 100.0 * static_cast<double>(close) / static_cast<double>(known);
}

bool is_better(double turned, double own) {
  return own <= most_close && turned >= told_half && 100 * (100 - turned) <= left_wrong * (100 - own);
}

}  // namespace

void judge_halves(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  using Place = std::array<int, 2>;
  const int width = map.width(), height = map.height();
  const std::array<Rect, 4> halves{{{0, 0, width, height / 2},
                                    {0, height - height / 2, width, height / 2},
                                    {0, 0, width / 2, height},
                                    {width - width / 2, 0, width / 2, height}}};
  const auto as_it_is = [](int x, int y) { return Place{x, y}; };
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const Rect& half = halves[i];
    const double own = share_of(map, truth, half, as_it_is);
    if (own > most_close) continue;
    for (const TruthProblem turn : {TruthProblem::upside_down, TruthProblem::mirrored, TruthProblem::turned}) {
      const bool rows = turn != TruthProblem::mirrored, columns = turn != TruthProblem::upside_down;
      const double share = share_of(map, truth, half, [&](int x, int y) {
        return Place{columns ? 2 * half.x + half.width - 1 - x : x, rows ? 2 * half.y + half.height - 1 - y : y};
      });
      if (!is_better(share, own) || share <= findings.close_turned) continue;
      findings.problem = TruthProblem::part_turned;
      findings.part = static_cast<int>(i);
      findings.part_turn = turn;
      findings.close_in_part = own;
      findings.close_turned = share;
    }
  }
  if (findings.problem != TruthProblem::none) return;
  const Rect whole{0, 0, width, height};
  const double own = share_of(map, truth, whole, as_it_is);
  for (const bool columns : {false, true}) {
    const double share = share_of(map, truth, whole, [&](int x, int y) {
      return columns ? Place{(x + width / 2) % width, y} : Place{x, (y + height / 2) % height};
    });
    if (!is_better(share, own) || share <= findings.close_turned) continue;
    findings.problem = TruthProblem::exchanged_halves;
    findings.part = columns ? 2 : 0;
    findings.close_in_part = own;
    findings.close_turned = share;
  }
}

void judge_smoothing(ImageView<const float> truth, TruthFindings& findings) {
  const int step = (truth.height() + most_edge_rows - 1) / most_edge_rows;
  std::int64_t places = 0, gradual = 0;
  for (int y = step / 2; y < truth.height(); y += step) {
    const float* const row = truth.row(y);
    for (int x = edge_outside; x + edge_outside < truth.width(); x += 2) {
      const float rise = row[x + edge_reach] - row[x - edge_reach];
      if (!std::isfinite(rise) || std::abs(rise) < edge_step) continue;
      const float before = row[x - edge_reach] - row[x - edge_outside];
      const float behind = row[x + edge_outside] - row[x + edge_reach];
      if (!(std::max(std::abs(before), std::abs(behind)) <= flat_share * std::abs(rise))) continue;
      float largest = 0;
      bool known = true;
      for (int i = x - edge_reach; i < x + edge_reach && known; ++i) {
        known = std::isfinite(row[i + 1] - row[i]);
        largest = std::max(largest, std::abs(row[i + 1] - row[i]));
      }
      if (!known) continue;
      ++places;
      gradual += largest < sudden_share * std::abs(rise) ? 1 : 0;
    }
  }
  if (places < enough_places) return;
  findings.gradual = 100.0 * static_cast<double>(gradual) / static_cast<double>(places);
  if (findings.gradual >= gradual_percent) findings.problem = TruthProblem::smoothed;
}

}  // namespace vergence::inspect

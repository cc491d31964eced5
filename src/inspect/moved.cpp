// SPDX-License-Identifier: Apache-2.0
// Maps are compared with the truth of places around their own: in steps of 4 px at some pixels, then px by px at more.
#include "inspect/moved.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vergence::inspect {
namespace {

constexpr int near_reach = 12;                    // px along rows, and across them in small maps
constexpr int far_reach = 48;                     // px along rows, an eighth of the width at most, of maps that are
constexpr double far_wrong = 15;                  // percent wrong and more
constexpr int reach_across = 24;                  // px, an eighth of the height at most
constexpr int coarse_step = 4;                    // px
constexpr int coarse_side = 80, fine_side = 160;  // pixels that are compared along each side, at most
constexpr double near = 1;                        // px: farther from the truth is wrong
constexpr std::int64_t enough = 400;              // pixels
// Shares of wrong pixels in percent. Moves of good maps lower it by up to 2.8 where that is 30 % of itself and more:
// windows move edges, and where few there are, another place may fit better.
constexpr double lowered = 4;
constexpr double told = 70, doubtful = 90;  // of the share at their own place
// Windows make near things larger, at both of their sides. A move makes the map nearer at one side, and farther at the
// other one.
constexpr double least_of_each = 1, told_of_each = 80;
constexpr double most_wrong = 40;  // at the best place: no truth fits maps with more

/// Shares of pixels in percent.
struct Wrong {
  double all = 100;
  double nearer = 100;   ///< Those whose map is nearer than the truth,
  double farther = 100;  ///< and farther away.
};
struct Place {
  int x = 0, y = 0;
  Wrong wrong;
};

int reach_y(ImageView<const float> map) { return std::clamp(map.height() / 8, near_reach, reach_across); }

/// `reach` columns at both sides are left out.
Wrong wrong_at(ImageView<const float> map, ImageView<const float> truth, int dx, int dy, int side, int reach) {
  const int step_x = std::max(1, map.width() / side), step_y = std::max(1, map.height() / side);
  std::int64_t known = 0, nearer = 0, farther = 0;
  const int margin = reach_y(map);
  for (int y = margin; y < map.height() - margin; y += step_y)
    for (int x = reach; x < map.width() - reach; x += step_x) {
      const double away = static_cast<double>(map(x, y)) - static_cast<double>(truth(x + dx, y + dy));
      if (!std::isfinite(away)) continue;
      ++known;
      nearer += away > near ? 1 : 0;
      farther += away < -near ? 1 : 0;
    }
  if (known < enough) return {};
  const auto percent = [known](std::int64_t some) {
    return 100.0 * static_cast<double>(some) / static_cast<double>(known);
  };
  return {percent(nearer + farther), percent(nearer), percent(farther)};
}

/// The best of the places around one that is a multiple of `step` away. In large steps, far places are seen by fewer
/// pixels, which is faster.
Place best_around(ImageView<const float> map, ImageView<const float> truth, const Place& middle, int away, int step,
                  int side, int reach) {
  Place best;
  const int most_y = reach_y(map) / coarse_step * coarse_step;  // the own place is one of the steps
  for (int y = std::max(-most_y, middle.y - away); y <= std::min(most_y, middle.y + away); y += step)
    for (int x = std::max(-reach, middle.x - away); x <= std::min(reach, middle.x + away); x += step)
      if (const Wrong wrong = wrong_at(
              map, truth, x, y, step > 1 && std::max(std::abs(x), std::abs(y)) > near_reach ? side / 2 : side, reach);
          wrong.all < best.wrong.all)
        best = {x, y, wrong};
  return best;
}

void find_within(ImageView<const float> map, ImageView<const float> truth, int reach, TruthFindings& findings) {
  const double some = wrong_at(map, truth, 0, 0, coarse_side, reach).all;
  if (some < (reach > near_reach ? far_wrong : lowered)) return;
  const int away = std::max(reach, reach_across);
  const Place near_best = best_around(map, truth, {}, away, coarse_step, coarse_side, reach);
  if (100 * near_best.wrong.all > doubtful * some) return;
  const Wrong own = wrong_at(map, truth, 0, 0, fine_side, reach);
  const Place best = best_around(map, truth, near_best, coarse_step - 1, 1, fine_side, reach);
  if (best.wrong.all > most_wrong || own.all - best.wrong.all < lowered || 100 * best.wrong.all > told * own.all)
    return;
  if (std::min(own.nearer, own.farther) < least_of_each) return;
  if (100 * best.wrong.nearer > told_of_each * own.nearer || 100 * best.wrong.farther > told_of_each * own.farther)
    return;
  findings.problem = TruthProblem::moved;
  findings.moved_x = best.x;
  findings.moved_y = best.y;
  findings.wrong = own.all;
  findings.wrong_moved = best.wrong.all;
}

}  // namespace

void find_move(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings) {
  TruthFindings nearby = findings, far = findings;
  find_within(map, truth, near_reach, nearby);
  const int columns = std::min(far_reach, map.width() / 8) / coarse_step * coarse_step;
  if (columns > near_reach) find_within(map, truth, columns, far);
  const bool is_far = far.problem == TruthProblem::moved &&
                      (nearby.problem != TruthProblem::moved || far.wrong_moved < nearby.wrong_moved - lowered);
  if (is_far || nearby.problem == TruthProblem::moved) findings = is_far ? far : nearby;
}

}  // namespace vergence::inspect

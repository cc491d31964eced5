// SPDX-License-Identifier: Apache-2.0
// Candidates that match as well as the best one, but for noise.
#include "inspect/repetition.hpp"

#include <algorithm>
#include <cstdlib>

namespace vergence::inspect {
namespace {

constexpr int apart = 3;                           // px at least; less is what one match is wide
constexpr int noise = patch_width * patch_height;  // one grey level a pixel
constexpr int enough_points = 16;
constexpr int told = 30;  // percent of the points; good pairs have up to 8, walls that repeat 58 and more
constexpr int sure = 60;  // the same where the pair hardly agrees: matches by chance have rivals, too

/// As good as the best one.
int enough_beside(int best) { return best + best / 4 + noise; }

}  // namespace

int no_rival_above(int least) {
  constexpr int most = 255 * patch_width * patch_height;
  return 2 * enough_beside(std::min(least, most));  // twice as bad as a rival
}

int nearest_rival(const std::vector<int>& costs) {
  if (costs.empty()) return 0;
  const auto best = std::min_element(costs.begin(), costs.end());
  const int place = static_cast<int>(best - costs.begin()), last = static_cast<int>(costs.size()) - 1;
  const int enough = enough_beside(*best);
  const auto is_good = [enough](int cost) { return cost <= enough; };
  // Most points have none.
  if (std::none_of(costs.begin(), costs.begin() + std::max(place - apart + 1, 0), is_good) &&
      std::none_of(costs.begin() + std::min(place + apart, last + 1), costs.end(), is_good))
    return 0;
  int nearest = 0;
  for (const int direction : {-1, 1}) {
    int between = 0;  // the worst candidate on the way
    for (int i = place + direction; i >= 0 && i <= last; i += direction) {
      const int cost = costs[static_cast<std::size_t>(i)];
      between = std::max(between, cost);
      const int away = std::abs(i - place);
      if (away < apart || cost > enough || 2 * cost >= between) continue;
      // The lowest one of this valley.
      const int next = i + direction;
      if (next >= 0 && next <= last && costs[static_cast<std::size_t>(next)] < cost) continue;
      if (nearest == 0 || away < nearest) nearest = away;
      break;
    }
  }
  return nearest;
}

void judge_rivals(int points, std::vector<int> distances, PairFindings& findings) {
  const int rivals = static_cast<int>(distances.size());
  const int least = findings.problem == PairProblem::none ? told : sure;
  if (points < enough_points || 100 * rivals < least * points) return;
  findings.problem = PairProblem::repetition;
  findings.repeated_percent = 100 * rivals / points;
  findings.period = median(distances);
}

}  // namespace vergence::inspect

// SPDX-License-Identifier: Apache-2.0
// Pictures of different colours.
#include "inspect/colours.hpp"

#include <algorithm>
#include <cstdlib>

namespace vergence::inspect {
namespace {

constexpr std::size_t enough = 12;
// Of the points, in percent: where more do, the map is a fair one.
constexpr int few_agree = 65;
constexpr int few_found = 50;
// Between the quarters of the points. Good pairs of which as few match have up to 6.9 grey levels, but for those whose
// disparities take more than a quarter of the width.
constexpr int spread_levels = 7 * 16;     // 1/16 grey levels
constexpr int spread_contrast = 104;      // percent
constexpr std::int64_t width_of_low = 4;  // disparities

constexpr int pixels = patch_width * patch_height;

int sum(Picture picture, Point at) {
  int result = 0;
  for (int y = 0; y < patch_height; ++y)
    for (int x = 0; x < patch_width; ++x) result += picture(at.x + x, at.y + y);
  return result;
}

/// Mean absolute difference from the mean, in 1 / `pixels` grey levels.
int contrast(Picture picture, Point at, int total) {
  std::int64_t result = 0;
  for (int y = 0; y < patch_height; ++y)
    for (int x = 0; x < patch_width; ++x) result += std::abs(pixels * picture(at.x + x, at.y + y) - total);
  return static_cast<int>(result / pixels);
}

struct Quarters {
  int low = 0, high = 0;
};
Quarters quarters(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 4], values[values.size() * 3 / 4]};
}

}  // namespace

void compare_colours(Picture left, Picture even, const std::vector<Match>& matches, PairFindings& findings) {
  if (matches.size() < enough || 100 * findings.agreeing >= few_agree * findings.points ||
      100 * findings.found >= few_found * findings.close_points ||
      width_of_low * std::max(std::abs(findings.low), std::abs(findings.high)) > left.width())
    return;
  std::vector<int> brighter, contrasts;
  for (const Match& match : matches) {
    const int here = sum(left, match.from), there = sum(even, match.to);
    brighter.push_back(16 * (there - here) / pixels);
    const std::int64_t of_left = std::max(contrast(left, match.from, here), 1);
    contrasts.push_back(static_cast<int>(
        std::min<std::int64_t>(1000 * std::int64_t{contrast(even, match.to, there)} / of_left, 1'000'000)));
  }
  const Quarters levels = quarters(brighter), ratios = quarters(contrasts);
  if (levels.high - levels.low < spread_levels || 100 * ratios.high < spread_contrast * ratios.low) return;
  findings.problem = PairProblem::colours;
  findings.level_spread = levels.high - levels.low;
}

}  // namespace vergence::inspect

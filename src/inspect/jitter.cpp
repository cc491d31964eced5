// SPDX-License-Identifier: Apache-2.0
// Rows of patches are searched for one by one, near to where their patch was found.
#include "inspect/jitter.hpp"

#include <algorithm>
#include <cstdlib>

namespace vergence::inspect {
namespace {

constexpr int reach = 4;                   // px
constexpr int least_step = 3;              // grey levels from pixel to pixel, of a row that tells its place
constexpr std::size_t first_matches = 24;  // where these are as they should be, all are
constexpr int enough_rows = 100;
constexpr int doubtful = 8;  // percent of these rows that lie elsewhere
// Good pairs have up to 6 %, pairs whose rows jitter by 1 px 10 to 40 %, by 2 px 22 and more.
constexpr int told = 15;

struct Count {
  int rows = 0;
  int beside = 0;
  int distance = 0;  ///< Sum of their px.
};

/// Not inlined: in a loop over places GCC 12 makes no SIMD of it.
template <int width = patch_width>
[[gnu::noinline]] int difference_of_row(const std::uint8_t* a, const std::uint8_t* b) {
  int sum = 0;
  for (int x = 0; x < width; ++x) sum += std::abs(a[x] - b[x]);
  return sum;
}

void look_at(Picture from, Picture to, const Match& match, Count& count) {
  if (match.to.x < reach || match.to.x + patch_width + reach > to.width()) return;
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const row = from.row(match.from.y + y) + match.from.x;
    const std::uint8_t* const there = to.row(match.to.y + y) + match.to.x;
    if (difference_of_row<patch_width - 1>(row, row + 1) < least_step * (patch_width - 1)) continue;
    ++count.rows;
    int best = difference_of_row(row, there);
    const int half = best / 2;
    int place = 0;
    for (int x = -reach; x <= reach; ++x)
      if (const int cost = difference_of_row(row, there + x); cost < best) best = cost, place = x;
    if (best >= half) continue;
    ++count.beside;
    count.distance += std::abs(place);
  }
}

}  // namespace

void compare_jitter(Picture from, Picture to, const std::vector<Match>& matches, PairFindings& findings) {
  Count count;
  const std::size_t step = std::max<std::size_t>(1, matches.size() / first_matches);
  for (std::size_t start = 0; start < step; ++start) {
    for (std::size_t i = start; i < matches.size(); i += step) look_at(from, to, matches[i], count);
    if (100 * count.beside < doubtful * count.rows) return;
  }
  if (count.rows < enough_rows || 100 * count.beside < told * count.rows) return;
  findings.problem = PairProblem::jitter;
  findings.jitter_rows = count.rows;
  findings.jitter_percent = 100 * count.beside / count.rows;
  findings.jitter = 16 * count.distance / count.beside;
}

}  // namespace vergence::inspect

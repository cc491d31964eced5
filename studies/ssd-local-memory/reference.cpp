// SPDX-License-Identifier: Apache-2.0
// The plain form of the study's matcher, on one core.
#include <algorithm>
#include <cstdlib>

#include "ssd-local-memory/study.hpp"

namespace vergence::studies::ssd_local_memory {
namespace {

using Grey = Image<std::uint8_t>;

/// The candidate with the smallest sum of squared differences around mine(x, y) and theirs(x + step d, y).
int winner(const Grey& mine, const Grey& theirs, int x, int y, int radius, int count, int step) {
  int best = 0;
  std::uint32_t best_cost = UINT32_MAX;
  for (int d = 0; d < count; ++d) {
    std::uint32_t cost = 0;
    for (int v = -radius; v <= radius; ++v) {
      const std::uint8_t *a = mine.row(y + v) + x - radius, *b = theirs.row(y + v) + (x - radius + step * d);
      for (int u = 0; u <= 2 * radius; ++u) {
        const int difference = a[u] - b[u];
        cost += static_cast<std::uint32_t>(difference * difference);
      }
    }
    if (cost < best_cost) {
      best_cost = cost;
      best = d;
    }
  }
  return best;
}

int mean_around(const Problem& p, const Grey& map, int x, int y) {
  int sum = 0, count = 0;
  for (int v = std::max(y - p.fill_radius, 0); v <= std::min(y + p.fill_radius, map.height() - 1); ++v)
    for (int u = std::max(x - p.fill_radius, 0); u <= std::min(x + p.fill_radius, map.width() - 1); ++u) {
      sum += map(u, v);
      count += map(u, v) != 0 ? 1 : 0;
    }
  const int window = 2 * p.fill_radius + 1;
  if (p.fill_all) return sum / (window * window - 1);
  return count == 0 ? 0 : (2 * sum + count) / (2 * count);
}

}  // namespace

Maps reference(const Problem& p, const Grey& left, const Grey& right) {
  const int w = left.width(), h = left.height(), r = p.radius;
  Maps maps;
  for (Grey* map : {&maps.left, &maps.right, &maps.checked, &maps.filled}) *map = Grey(w, h, 0);
  const auto each = [&](const auto& action) {
    for (int y = r; y < h - r; ++y)
      for (int x = r; x < w - r; ++x) action(x, y);
  };
  each([&](int x, int y) {
    maps.left(x, y) = static_cast<std::uint8_t>(winner(left, right, x, y, r, std::min(p.disparities, x - r + 1), -1));
    maps.right(x, y) = static_cast<std::uint8_t>(winner(right, left, x, y, r, std::min(p.disparities, w - r - x), 1));
  });
  each([&](int x, int y) {
    const int d = maps.left(x, y), grey = d * 255 / p.disparities, other = maps.right(x - d, y) * 255 / p.disparities;
    maps.checked(x, y) = static_cast<std::uint8_t>(std::abs(grey - other) > p.threshold ? 0 : grey);
  });
  each([&](int x, int y) {
    const int grey = maps.checked(x, y);
    maps.filled(x, y) = static_cast<std::uint8_t>(grey != 0 ? grey : mean_around(p, maps.checked, x, y));
  });
  return maps;
}

}  // namespace vergence::studies::ssd_local_memory

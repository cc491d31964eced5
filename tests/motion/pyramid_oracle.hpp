// SPDX-License-Identifier: Apache-2.0
// A second implementation of coarse levels and of the candidates that a block has on them.
#pragma once

#include <algorithm>
#include <vector>

#include "motion/search_oracle.hpp"

namespace vergence::test {

template <class P>
Image<P> halved(const Image<P>& image) {
  Image<P> result(image.width() - image.width() / 2, image.height() - image.height() / 2);
  for (int y = 0; y < result.height(); ++y)
    for (int x = 0; x < result.width(); ++x) {
      long long sum = 2;
      for (const int v : {2 * y, 2 * y + 1})
        for (const int u : {2 * x, 2 * x + 1})
          sum += image(std::min(u, image.width() - 1), std::min(v, image.height() - 1));
      result(x, y) = static_cast<P>(sum / 4);
    }
  return result;
}

template <class P>
struct Levels {
  std::vector<Image<P>> current, reference;
};
template <class P>
Levels<P> levels_of(const Candidates<P>& fine, int count) {
  Levels<P> levels;
  levels.current.push_back(fine.current->clone());
  levels.reference.push_back(fine.reference->clone());
  for (int i = 0; i < count; ++i) {
    levels.current.push_back(halved(levels.current.back()));
    levels.reference.push_back(halved(levels.reference.back()));
  }
  return levels;
}

/// First and count of the coarse pixels: grown by one on alternating sides from 2^-level of the block to 8 of them.
inline std::array<int, 2> grown(int start, int extent, int level, int side) {
  const int step = 1 << level;
  const int first = start / step;
  const int last = (start + extent - 1) / step;
  int count = last - first + 1;
  int from = first;
  for (; count < std::min(8, side); ++count)
    if ((count - (last - first + 1)) % 2 == 1) --from;
  from = std::max(0, std::min(from, side - count));
  return {from, count};
}

template <class P>
Candidates<P> on_level(const Candidates<P>& fine, const Levels<P>& levels, int level) {
  const auto index = static_cast<std::size_t>(level);
  Candidates<P> coarse{&levels.current[index], &levels.reference[index], {}, fine.cost, fine.border, {}, {}, 0, {}};
  const auto [x, width] = grown(fine.block.x, fine.block.width, level, coarse.current->width());
  const auto [y, height] = grown(fine.block.y, fine.block.height, level, coarse.current->height());
  coarse.block = {x, y, width, height};
  const int step = 1 << level;
  coarse.range_x = {fine.range_x.first / step, fine.range_x.last / step};
  coarse.range_y = {fine.range_y.first / step, fine.range_y.last / step};
  return coarse;
}

/// All displacements from -reach to reach about a point.
inline std::vector<std::array<int, 2>> square(int reach) {
  std::vector<std::array<int, 2>> all;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y) all.push_back({x, y});
  return all;
}

template <class P>
Point best_of_all(const Candidates<P>& candidates) {
  return candidates.smallest(*candidates.at(0, 0), square(16), Point{});
}

}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// The walk of a separable filter over a band of rows: each row is filtered across once and kept while the rows that are
// filtered down need it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "cpu/imgproc/stages.hpp"
#include "definitions/imgproc/separable.h"

namespace vergence::cpu {

/// Whether a row is 0 under `blank`.
inline bool is_blank_row(int y, int height, int reach, FilterBorder border) {
  return border == FilterBorder::blank && (y < reach || y >= height - reach);
}

/// Calls edge(x) for the pixels of a row whose taps leave it.
template <class F>
void for_edges(int width, int reach, F&& edge) {
  for (int x = 0; x < std::min(reach, width); ++x) edge(x);
  for (int x = std::max(width - reach, reach); x < width; ++x) edge(x);
}

/// `kReach` pixels to each side. For every row y of [first, last) that is a multiple of `step`: down(y, rows), rows[k]
/// the slot (of 2 kReach + 1) that holds row y + k - kReach, or -1 for zeros. across(v, slot) fills a slot from row v.
/// Rows that are 0 under `blank` are for blank(y).
template <int kReach, class Across, class Down, class Blank>
void walk_rows(int first, int last, int step, int height, FilterBorder border, Across&& across, Down&& down,
               Blank&& blank) {
  constexpr int slots = 2 * kReach + 1;
  std::array<int, std::size_t{slots}> held;
  held.fill(-1);
  for (int y = first; y < last; y += step) {
    if (is_blank_row(y, height, kReach, border)) {
      blank(y);
      continue;
    }
    std::array<int, std::size_t{slots}> rows;
    for (int k = 0; k < slots; ++k) {
      const int v = definitions::filter_source(y + k - kReach, height, static_cast<int>(border));
      auto& slot = rows[static_cast<std::size_t>(k)];
      if (v < 0 || is_blank_row(v, height, kReach, border)) {
        slot = -1;
        continue;
      }
      // The rows that one row needs are neighbours, at most so many as there are slots: none takes another's place.
      slot = v % slots;
      if (held[static_cast<std::size_t>(slot)] == v) continue;
      across(v, slot);
      held[static_cast<std::size_t>(slot)] = v;
    }
    down(y, rows);
  }
}

/// Rows per thread that pay for the rows that two threads filter across.
inline constexpr int filter_rows_worth_a_thread = 32;

}  // namespace vergence::cpu

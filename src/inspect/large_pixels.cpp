// SPDX-License-Identifier: Apache-2.0
// Parts in large pixels, as where faces are made unknown: cells of equal pixels, as long as each other along rows and
// columns, with steps between them. Slopes have such runs of one level's step, boards such cells of two levels in turn.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr int least_cell = 6, most_cell = 64;  // px; blocks of H.264 have 4
constexpr int least_cell_step = 2;             // grey levels

bool is_cell_step(int a, int b) { return std::abs(a - b) >= least_cell_step; }

/// Whether the column of `x` has a run about as long as this around `y`.
bool has_column_run(ImageView<const std::uint8_t> picture, int x, int y, int length) {
  const std::uint8_t value = picture(x, y);
  int top = y, end = y + 1;
  while (top > 0 && y - top <= length + 1 && picture(x, top - 1) == value) --top;
  while (end < picture.height() && end - top <= length + 1 && picture(x, end) == value) ++end;
  return std::abs(end - top - length) <= 1;
}

/// Cells in a row that are as long as each other, or some times as long where neighbours are equal.
struct CellChain {
  int y = 0, first = 0, end = 0;
  int side = 0;  ///< Of the first cell; others may have a pixel more or less.
  int cells = 0, squares = 0, steps = 0, unlike = 0;
  int before = -1, last = -1;  ///< Levels of the last cells.
  bool is_told() const {
    return cells >= 3 && 2 * squares >= cells && 2 * steps >= cells - 1 && 2 * unlike >= cells - 2;
  }
  int length() const { return end - first; }
  bool may_hold(int run) const {
    constexpr int most_equal = 4;
    const int count = (run + side / 2) / side;
    return count >= 1 && count <= most_equal && std::abs(run - count * side) <= count;
  }
  void add(int level, int to, bool is_square) {
    steps += last >= 0 && is_cell_step(level, last) ? 1 : 0;
    unlike += before >= 0 && is_cell_step(level, before) ? 1 : 0;
    before = last;
    last = level;
    end = to;
    ++cells;
    squares += is_square ? 1 : 0;
  }
};

void add_chains(ImageView<const std::uint8_t> picture, int y, std::vector<CellChain>& chains) {
  const std::uint8_t* const row = picture.row(y);
  const int width = picture.width();
  CellChain chain;
  const auto finish = [&] {
    if (chain.is_told()) chains.push_back(chain);
    chain = {};
  };
  constexpr int last = least_cell - 1;
  for (int x = 0, end = 0; x < width; x = end) {
    // Where the last two pixels differ, no run of this length begins before the last one.
    while (chain.cells == 0 && x + last < width && row[x + last] != row[x + last - 1]) x += last;
    const std::uint8_t level = row[x];
    for (end = x + 1; end < width && row[end] == level;) ++end;
    const int length = end - x;
    if (chain.cells > 0 && !chain.may_hold(length)) finish();
    if (length < least_cell || (chain.cells == 0 && length > most_cell)) continue;
    if (chain.cells == 0) chain.y = y, chain.first = x, chain.side = length;
    chain.add(level, end, has_column_run(picture, x + length / 2, y, chain.side));
  }
  finish();
}

}  // namespace

VERGENCE_FOR_AVX2 LargePixels inspect_large_pixels(ImageView<const std::uint8_t> picture) {
  constexpr int most_rows = 64, least_permille = 30, least_percent = 40;
  const int width = picture.width(), height = picture.height(), rows = std::min(most_rows, height);
  std::vector<CellChain> chains;
  constexpr int phases = 4;  // every fourth row first
  for (int phase = 0; phase < phases; ++phase) {
    for (int i = phase; i < rows; i += phases) add_chains(picture, height * (2 * i + 1) / (2 * rows), chains);
    if (chains.empty()) return {};
  }
  std::ranges::stable_sort(chains, {}, &CellChain::y);
  const auto shorter = [](const CellChain& a, const CellChain& b) { return a.length() < b.length(); };
  const CellChain longest = *std::max_element(chains.begin(), chains.end(), shorter);
  // Short ones may lie anywhere.
  std::erase_if(chains, [&](const CellChain& chain) {
    return 4 * chain.length() < longest.length() || std::abs(chain.side - longest.side) > 2;
  });
  int left = width, right = 0;
  std::int64_t inside = 0;
  for (const CellChain& chain : chains) {
    left = std::min(left, chain.first);
    right = std::max(right, chain.end);
    inside += chain.length();
  }
  constexpr int of_jpeg = 8;
  if (longest.side == of_jpeg && left % of_jpeg == 0) return {};  // smooth blocks
  const int first = chains.front().y, end = chains.back().y + 1;
  const bool is_much = 1000 * inside >= std::int64_t{least_permille} * rows * width;
  const bool is_dense = 100 * inside * height >= std::int64_t{least_percent} * (right - left) * (end - first) * rows;
  if (!is_much || !is_dense) return {};
  return {.side = longest.side, .part = {left, first, right - left, end - first}};
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Dark bars at the edges of a frame, and how sharp it is.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr int dark_level = 32, bar_levels = 3;
constexpr int bar_step = 8;  // grey levels by which what lies two lines inside differs from the bar, in the mean

/// at(line, place), from the edge inwards.
template <class At>
int bar_of(int lines, int length, const At& at) {
  const int level = at(0, length / 2);
  if (level > dark_level) return 0;
  const auto is_bar = [&](int line) {
    for (int i = 0; i < length; ++i)
      if (std::abs(at(line, i) - level) > bar_levels) return false;
    return true;
  };
  int bar = 0;
  while (bar < lines / 2 && is_bar(bar)) ++bar;
  if (bar == 0 || bar == lines / 2) return 0;
  std::int64_t inside = 0;
  for (int i = 0; i < length; ++i) inside += std::abs(at(bar + 1, i) - level);
  return inside >= std::int64_t{bar_step} * length ? bar : 0;
}

/// Lines that are the outermost one once more, which varies; those behind them are others.
template <class At>
int repeats_of(int lines, int length, const At& at) {
  constexpr int least = 8, levels = 1, varied = 32, other = 2;  // lines; grey levels
  int low = 255, high = 0, count = 1;
  const auto is_same = [&](int line) {
    for (int i = 0; i < length; ++i)
      if (std::abs(at(line, i) - at(0, i)) > levels) return false;
    return true;
  };
  while (count < lines / 2 && is_same(count)) ++count;
  if (count <= least || count == lines / 2) return 0;
  std::int64_t inside = 0;
  for (int i = 0; i < length; ++i) {
    low = std::min(low, at(0, i));
    high = std::max(high, at(0, i));
    inside += std::abs(at(count + 3, i) - at(0, i));
  }
  return high - low >= varied && inside >= std::int64_t{other} * length ? count - 1 : 0;
}

/// value(lines, length, at) of each side, from the edge inwards.
template <class Value>
DarkBars each_side(ImageView<const std::uint8_t> picture, const Value& value) {
  const int width = picture.width(), height = picture.height();
  if (width < 8 || height < 8) return {};
  return {.left = value(width, height, [&](int x, int y) { return int{picture(x, y)}; }),
          .top = value(height, width, [&](int y, int x) { return int{picture(x, y)}; }),
          .right = value(width, height, [&](int x, int y) { return int{picture(width - 1 - x, y)}; }),
          .bottom = value(height, width, [&](int y, int x) { return int{picture(x, height - 1 - y)}; })};
}

}  // namespace

DarkBars inspect_dark_bars(ImageView<const std::uint8_t> picture) {
  return each_side(picture, [](int lines, int length, const auto& at) { return bar_of(lines, length, at); });
}

DarkBars inspect_padding(ImageView<const std::uint8_t> picture) {
  return each_side(picture, [](int lines, int length, const auto& at) { return repeats_of(lines, length, at); });
}

VERGENCE_FOR_AVX2 int inspect_sharpness(ImageView<const std::uint8_t> picture) {
  constexpr Size least{96, 64};
  constexpr int most_step = 32, enough_rows = 20, apart = 4;
  if (picture.width() < least.width || picture.height() < least.height) return 0;
  const int row_step = std::clamp(picture.height() / enough_rows, 1, most_step);
  std::int64_t fine = 0, coarse = 0, count = 0;
  for (int y = row_step / 2; y < picture.height(); y += row_step) {
    const std::uint8_t* const row = picture.row(y);
    const int end = picture.width() - apart;
    int near = 0, far = 0;  // SIMD
    for (int x = 0; x < end; ++x) near += std::abs(row[x + 1] - row[x]);
    for (int x = 0; x < end; ++x) far += std::abs(row[x + apart] - row[x]);
    fine += near;
    coarse += far;
    count += std::max(end, 0);
  }
  return coarse < 2 * count || count == 0 ? 0 : static_cast<int>(1000 * fine / coarse);
}

}  // namespace vergence

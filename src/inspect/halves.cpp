// SPDX-License-Identifier: Apache-2.0
// Pictures of which one half was made from the other one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

using HalvesView = ImageView<const std::uint8_t>;

/// By what pixels of some places differ from those of the other half, mirrored or not, in the sum; and from the fourth
/// neighbour.
struct HalfSums {
  std::int64_t mirrored = 0, same = 0, texture = 0, count = 0;
};

/// at(line, place) of `lines` lines, each of them halved.
template <class At>
HalfSums compare_halves(int lines, int length, const At& at) {
  constexpr int enough_lines = 16, most_step = 64, near = 4;
  const int line_step = std::clamp(lines / enough_lines, 1, most_step);
  HalfSums sums;
  const int half = length / 2;
  for (int line = line_step / 2; line < lines; line += line_step)
    for (int i = 0; i + near < half; ++i, ++sums.count) {
      const int here = at(line, i);
      sums.mirrored += std::abs(here - at(line, length - 1 - i));
      sums.same += std::abs(here - at(line, length - half + i));
      sums.texture += std::abs(here - at(line, i + near));
    }
  return sums;
}

/// Is what lies nearer than a half alike, too, as in tiles that repeat? `same`: what halves differ by, in the mean.
template <class At>
bool repeats_within_half(int lines, int length, const At& at, double same) {
  constexpr int looked_lines = 8, apart = 3, nearest = 8;  // px
  const int half = length / 2, line_step = std::max(1, lines / looked_lines);
  for (int shift = nearest; shift <= half - nearest; ++shift) {
    std::int64_t sum = 0, count = 0;
    for (int line = line_step / 2; line < lines; line += line_step)
      for (int i = 0; i < half; i += apart, ++count) sum += std::abs(at(line, i) - at(line, i + shift));
    if (static_cast<double>(sum) <= (1.5 * same + 1) * static_cast<double>(count)) return true;
  }
  return false;
}

}  // namespace

VERGENCE_FOR_AVX2 AlikeHalves inspect_halves(HalvesView picture) {
  constexpr Size least{64, 48};
  constexpr int most = 6, texture = 2;  // grey levels; photographs differ by 7 and more
  if (picture.width() < least.width || picture.height() < least.height) return AlikeHalves::none;
  const auto in_row = [picture](int y, int x) { return int{picture(x, y)}; };
  const auto in_column = [picture](int x, int y) { return int{picture(x, y)}; };
  const HalfSums columns = compare_halves(picture.height(), picture.width(), in_row);
  const HalfSums rows = compare_halves(picture.width(), picture.height(), in_column);
  const auto is_alike = [](std::int64_t sum, std::int64_t other, const HalfSums& sums) {
    return sum <= most * sums.count && 4 * sum <= other && sums.texture >= texture * sums.count;
  };
  if (is_alike(columns.mirrored, columns.same, columns)) return AlikeHalves::mirrored_columns;
  if (is_alike(rows.mirrored, rows.same, rows)) return AlikeHalves::mirrored_rows;
  const auto same = [](const HalfSums& sums) {
    return static_cast<double>(sums.same) / static_cast<double>(sums.count);
  };
  if (is_alike(columns.same, columns.mirrored, columns))
    return repeats_within_half(picture.height(), picture.width(), in_row, same(columns)) ? AlikeHalves::none
                                                                                         : AlikeHalves::same_columns;
  if (is_alike(rows.same, rows.mirrored, rows))
    return repeats_within_half(picture.width(), picture.height(), in_column, same(rows)) ? AlikeHalves::none
                                                                                         : AlikeHalves::same_rows;
  return AlikeHalves::none;
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Levels that wrapped: a slope that reaches one end of the range goes on at the other one.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/sums.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr int row_step = 4;

/// Do steps of `jump` grey levels and more make up most of a thousandth, in every second of the rows? Those of most
/// pictures are fewer. In bytes, of which compilers make SIMD.
VERGENCE_FOR_AVX2 bool has_jumps(ImageView<const std::uint8_t> picture, int jump) {
  constexpr int simd = 32, rows = 255;  // whose counts are bytes
  const int width = (picture.width() - 1) / simd * simd;
  std::vector<std::uint8_t> counts(static_cast<std::size_t>(width), 0);
  const auto least = static_cast<std::uint8_t>(jump);
  std::int64_t places = 0;
  const int step = std::max(2 * row_step, picture.height() / rows + 1);
  for (int y = 0; y + step <= picture.height(); y += step, places += width) {
    const std::uint8_t* const row = picture.row(y);
    std::uint8_t* const to = counts.data();
    for (int x = 0; x < width; ++x)
      to[x] = static_cast<std::uint8_t>(to[x] + (inspect::pixels_apart(row[x], row[x + 1]) >= least ? 1 : 0));
  }
  return 2 * 1000 * std::int64_t{inspect::sum_of(counts.data(), width)} >= places;
}

/// Where the range ends at `levels`.
bool wraps_at(ImageView<const std::uint8_t> picture, int levels) {
  const int jump = 11 * levels / 16, edge = levels / 4;  // steps
  const int slope = 3 * levels / 32;  // by which the step may differ, once unwrapped, from those beside it
  if (!has_jumps(picture, jump)) return false;
  std::int64_t places = 0, edges = 0, jumps = 0, slopes = 0;
  for (int y = 0; y < picture.height(); y += row_step) {
    const std::uint8_t* const row = picture.row(y);
    places += picture.width() - 3;
    for (int x = 1; x + 2 < picture.width(); ++x) {
      const int step = row[x + 1] - row[x];
      if (std::abs(step) < edge) continue;
      ++(std::abs(step) < jump ? edges : jumps);
      if (std::abs(step) < jump) continue;
      const int own = step < 0 ? step + levels : step - levels, before = row[x] - row[x - 1],
                behind = row[x + 2] - row[x + 1];
      slopes += std::abs(before - own) <= slope && std::abs(behind - own) <= slope && (before != 0 || behind != 0);
    }
  }
  // Photographs have 0.9 of 1000 places at most, those of which more than a twentieth of the jumps 0.1.
  return 1000 * slopes >= places && 100 * slopes >= 6 * jumps && 10 * jumps >= edges;
}

/// Whether no pixel of these rows has its upper bit, and some nearly have.
VERGENCE_FOR_AVX2 bool lacks_upper_bit(ImageView<const std::uint8_t> picture) {
  constexpr int levels = 128, near = 8;
  int highest = 0;
  for (int y = 0; y < picture.height() && highest < levels; y += row_step)
    highest = std::max<int>(highest, *std::max_element(picture.row(y), picture.row(y) + picture.width()));
  return highest < levels && highest >= levels - near;
}

}  // namespace

bool inspect_wrapped_levels(ImageView<const std::uint8_t> picture) {
  constexpr Size least{64, 48};
  if (picture.width() < least.width || picture.height() < least.height) return false;
  return wraps_at(picture, 256) || (lacks_upper_bit(picture) && wraps_at(picture, 128));
}

}  // namespace vergence

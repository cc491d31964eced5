// SPDX-License-Identifier: Apache-2.0
// Salt and pepper, and blocks that were lost.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

using SpotPicture = ImageView<const std::uint8_t>;

constexpr Size least_spotted{64, 48};

int salt_of(SpotPicture picture) {
  constexpr int alike = 24, far = 40, black = 8, white = 247, high_picture = 512;  // grey levels; rows
  constexpr int least = 20;                                                        // pixels
  const int apart = picture.height() < high_picture ? 8 : 16;
  const auto is_extreme = [](std::uint8_t pixel) {
    return static_cast<std::uint8_t>(pixel + 255 - white) <= black + 255 - white;
  };
  std::int64_t looked = 0, found = 0;
  for (int y = apart / 2; y + 1 < picture.height(); y += apart) {
    const std::uint8_t *const above = picture.row(y - 1), *const row = picture.row(y),
                              *const below = picture.row(y + 1);
    std::uint32_t extreme = 0;
    for (int x = 1; x + 1 < picture.width(); ++x) extreme += is_extreme(row[x]) ? 1U : 0U;
    looked += picture.width() - 2 - std::int64_t{extreme};
    for (int x = 1; x + 1 < picture.width() && extreme > 0; ++x) {
      if (!is_extreme(row[x])) continue;
      --extreme;
      const auto [low, high] = std::minmax({above[x], below[x], row[x - 1], row[x + 1]});
      if (high - low > alike) continue;
      ++looked;
      found += row[x] > high + far || row[x] < low - far ? 1 : 0;
    }
  }
  return found < least ? 0 : static_cast<int>(1000 * found / looked);
}

constexpr int block_side = 16, seam = 8;  // px; grey levels

/// The mean step across a side of a square, to what lies outside; 0 at the picture's edge.
int step_across(SpotPicture picture, int inside_x, int inside_y, int right, int down) {
  const int out_x = inside_x + right, out_y = inside_y + down;
  if (out_x < 0 || out_y < 0 || out_x >= picture.width() || out_y >= picture.height()) return 0;
  int sum = 0;
  for (int i = 0; i < block_side; ++i) {
    const int x = down != 0 ? i : 0, y = down != 0 ? 0 : i;
    sum += std::abs(picture(inside_x + x, inside_y + y) - picture(out_x + x, out_y + y));
  }
  return sum / block_side;
}

bool is_lost(SpotPicture picture, int left, int top) {
  constexpr int flat = 1, varied = 8, last = block_side - 1;
  const std::uint8_t* const first = picture.row(top) + left;
  for (int y = top + 1; y < top + block_side; ++y)
    if (!std::equal(first, first + block_side, picture.row(y) + left,
                    [](int a, int b) { return std::abs(a - b) <= flat; }))
      return false;
  const auto [low, high] = std::minmax_element(first, first + block_side);
  const bool below = step_across(picture, left, top + last, 0, 1) >= seam;
  // Of a row that comes again and again the sides go on as they are.
  if (*high - *low >= varied) return below;
  if (*high - *low > flat) return false;
  const int others = (step_across(picture, left, top, 0, -1) >= seam ? 1 : 0) +
                     (step_across(picture, left, top, -1, 0) >= seam ? 1 : 0) +
                     (step_across(picture, left + last, top, 1, 0) >= seam ? 1 : 0);
  return others + (below ? 1 : 0) >= 3;
}

int lost_blocks(SpotPicture picture, int shift) {
  int count = 0;
  for (int top = shift; top + block_side <= picture.height(); top += block_side)
    for (int left = shift; left + block_side <= picture.width(); left += block_side)
      count += picture(left, top) == picture(left, top + block_side - 1) && is_lost(picture, left, top) ? 1 : 0;
  return count;
}

}  // namespace

VERGENCE_FOR_AVX2 Spots inspect_spots(ImageView<const std::uint8_t> picture) {
  constexpr int least_blocks = 6, times = 4;
  if (picture.width() < least_spotted.width || picture.height() < least_spotted.height) return {};
  Spots found{.salt_permille = salt_of(picture)};
  const int blocks = lost_blocks(picture, 0);
  // What was drawn has such squares in other steps, too.
  if (blocks >= least_blocks && blocks >= times * lost_blocks(picture, block_side / 4)) found.blocks = blocks;
  return found;
}

}  // namespace vergence

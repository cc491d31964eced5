// SPDX-License-Identifier: Apache-2.0
// Stuck pixels of the sensor: single pixels that stand out at one place while what lies around them changes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using StuckFrame = ImageView<const std::uint8_t>;

constexpr int apart_levels = 24;  // of a pixel and its four neighbours, in grey levels
constexpr int margin = 4;         // px

/// Whether each pixel of a row is brighter (1), or darker (2), than all four neighbours by that much; else 0.
VERGENCE_FOR_AVX2 void mark_single_pixels(StuckFrame frame, int y, std::uint8_t* marks) {
  const std::uint8_t *const row = frame.row(y), *const above = frame.row(y - 1), *const below = frame.row(y + 1);
  for (int x = 1; x + 1 < frame.width(); ++x) {
    const std::uint8_t high = std::max(std::max(row[x - 1], row[x + 1]), std::max(above[x], below[x]));
    const std::uint8_t low = std::min(std::min(row[x - 1], row[x + 1]), std::min(above[x], below[x]));
    const bool bright = row[x] >= high + apart_levels, dark = row[x] + apart_levels <= low;
    marks[x] = static_cast<std::uint8_t>((bright ? 1 : 0) + (dark ? 2 : 0));
  }
}

int sign_at(StuckFrame frame, int x, int y) {
  const auto [low, high] = std::minmax({frame(x - 1, y), frame(x + 1, y), frame(x, y - 1), frame(x, y + 1)});
  return frame(x, y) >= high + apart_levels ? 1 : frame(x, y) + apart_levels <= low ? 2 : 0;
}

/// What lies to the left less what lies to the right, in sums of 3x3 px: light that changes leaves it.
int slope_at(StuckFrame frame, int x, int y) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = 2; dx <= 4; ++dx) sum += frame(x - dx, y + dy) - frame(x + dx, y + dy);
  return sum;
}

}  // namespace

StuckPixels inspect_stuck_pixels(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  constexpr int changed = 9 * 8, high_frame = 512;  // 8 grey levels; rows
  if (before.size() != now.size() || now.size().width == 0)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  StuckPixels found;
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(now.width()));
  const int rows_apart = now.height() < high_frame ? 1 : 4;
  for (int y = margin; y + margin < now.height(); y += rows_apart) {
    mark_single_pixels(before, y, marks.data());
    for (int x = margin; x + margin < now.width(); ++x) {
      if (std::uint64_t several = 1; x + static_cast<int>(sizeof several) <= now.width() - margin) {
        std::memcpy(&several, marks.data() + x, sizeof several);
        if (several == 0) {  // nearly always
          x += static_cast<int>(sizeof several) - 1;
          continue;
        }
      }
      const int sign = marks[static_cast<std::size_t>(x)];
      if (sign == 0) continue;
      ++found.single;
      if (std::abs(slope_at(before, x, y) - slope_at(now, x, y)) < changed) continue;
      ++found.moved;
      found.staying += sign_at(now, x, y) == sign ? 1 : 0;
    }
  }
  return found;
}

}  // namespace vergence

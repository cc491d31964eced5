// SPDX-License-Identifier: Apache-2.0
// Frames of noise alone, of whatever strength: neighbours are as unlike as any two pixels, and no patch is found in the
// frame before. A texture of random dots that moves is found there.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "inspect/patches.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using NoisyFrame = ImageView<const std::uint8_t>;

constexpr int noise_rows = 8;  // apart, that are looked at

/// Steps along rows and to the next row, squared, are those of noise: twice the variance.
bool has_unlike_neighbours(NoisyFrame frame) {
  constexpr int least_percent = 90;
  constexpr std::int64_t least = 16;  // grey levels of variance
  constexpr int piece = 16384;        // px, whose squares fit into 32 bits
  std::int64_t count = 0, sum = 0, squares = 0, along = 0, across = 0;
  for (int y = noise_rows / 2; y + 1 < frame.height(); y += noise_rows) {
    const std::uint8_t *const row = frame.row(y), *const below = frame.row(y + 1);
    const int end = frame.width() - 1;
    for (int first = 0; first < end; first += piece) {
      int levels = 0, of_levels = 0, of_right = 0, of_down = 0;
      for (int x = first; x < std::min(first + piece, end); ++x) {
        const int here = row[x], right = here - row[x + 1], down = here - below[x];
        levels += here;
        of_levels += here * here;
        of_right += right * right;
        of_down += down * down;
      }
      sum += levels;
      squares += of_levels;
      along += of_right;
      across += of_down;
    }
    count += end;
  }
  const std::int64_t variance = squares - sum * sum / std::max<std::int64_t>(count, 1);  // of all
  return variance >= least * count && 50 * std::min(along, across) >= least_percent * variance;
}

/// Of some patches, how many are found in the frame before: where the best place differs by less than others do.
bool are_unrelated(NoisyFrame before, NoisyFrame now) {
  constexpr int columns = 4, rows = 3, reach = 16, best_percent = 70;
  std::vector<int> best, own;
  for (int i = 0; i < columns * rows; ++i) {
    const inspect::PatchPlace at{(now.width() - inspect::patch_side) * (2 * (i % columns) + 1) / (2 * columns),
                                 (now.height() - inspect::patch_side) * (2 * (i / columns) + 1) / (2 * rows)};
    best.push_back(inspect::find_patch(now, at, before, {-reach, -reach, 2 * reach + 1, 2 * reach + 1}).cost);
    // Noise differs from itself some px further on as from any other.
    const inspect::PatchPlace other{at.x >= inspect::patch_side ? at.x - inspect::patch_side : at.x + 1, at.y};
    own.push_back(inspect::patch_difference(now, at, now, other, inspect::PatchMatch::unknown));
  }
  const auto middle = [](std::vector<int>& values) {
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    return *half;
  };
  return 100 * middle(best) >= best_percent * middle(own);
}

}  // namespace

bool inspect_noise_alone(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  if (before.size() != now.size() || now.width() < 1 || now.height() < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  constexpr Size least_frame_of_noise{64, 48};
  if (now.width() < least_frame_of_noise.width || now.height() < least_frame_of_noise.height) return false;
  return has_unlike_neighbours(now) && are_unrelated(before, now);
}

}  // namespace vergence

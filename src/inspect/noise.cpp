// SPDX-License-Identifier: Apache-2.0
// Frames of noise alone, of whatever strength: neighbours are as unlike as any two pixels, and no patch is found in the
// frame before. A texture of random dots that moves is found there.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/patches.hpp"
#include "vergence/inspect_frame.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using NoisyFrame = ImageView<const std::uint8_t>;

template <class Pixel>
VERGENCE_FOR_AVX2 PixelSpread spread_of(ImageView<const Pixel> picture) {
  constexpr int high = 512, piece = 1024;  // px, whose squares of bytes fit into 32 bits, of which SIMD takes more
  using Sum = std::conditional_t<sizeof(Pixel) == 1, std::int32_t, std::int64_t>;
  using Step = std::conditional_t<sizeof(Pixel) == 1, std::int16_t, std::int32_t>;
  const int stride = picture.height() < high ? 8 : 16, end = picture.width() - 1;
  std::int64_t count = 0, sum = 0, squares = 0, along = 0, across = 0;
  for (int y = stride / 2; y + 1 < picture.height(); y += stride) {
    const Pixel *const row = picture.row(y), *const below = picture.row(y + 1);
    for (int first = 0; first < end; first += piece) {
      Sum here_sum = 0, here_squares = 0, right_squares = 0, down_squares = 0;
      for (int x = first; x < std::min(first + piece, end); ++x) {
        const auto here = static_cast<Step>(row[x]), right = static_cast<Step>(here - row[x + 1]),
                   down = static_cast<Step>(here - below[x]);
        here_sum += here;
        here_squares += Sum{here} * here;
        right_squares += Sum{right} * right;
        down_squares += Sum{down} * down;
      }
      sum += here_sum;
      squares += here_squares;
      along += right_squares;
      across += down_squares;
    }
    count += end;
  }
  const auto n = static_cast<double>(std::max<std::int64_t>(count, 1));
  const double mean = static_cast<double>(sum) / n;
  return {static_cast<double>(squares) / n - mean * mean, static_cast<double>(along) / n,
          static_cast<double>(across) / n};
}

/// Steps along rows and to the next row, squared, are those of noise: twice the variance.
bool has_unlike_neighbours(NoisyFrame frame) {
  constexpr double share = 0.9, least = 16;  // grey levels of variance
  const PixelSpread spread = spread_of(frame);
  return spread.all >= least && std::min(spread.along, spread.across) >= 2 * share * spread.all;
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

PixelSpread inspect_spread(ImageView<const std::uint8_t> picture) { return spread_of(picture); }
PixelSpread inspect_spread(ImageView<const std::uint16_t> picture) { return spread_of(picture); }

bool inspect_noise_alone(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  if (before.size() != now.size() || now.width() < 1 || now.height() < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  constexpr Size least_frame_of_noise{64, 48};
  if (now.width() < least_frame_of_noise.width || now.height() < least_frame_of_noise.height) return false;
  return has_unlike_neighbours(now) && are_unrelated(before, now);
}

}  // namespace vergence

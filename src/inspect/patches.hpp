// SPDX-License-Identifier: Apache-2.0
// Patches of one frame that are looked for in another one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "vergence/image.hpp"

namespace vergence::inspect {

constexpr int patch_side = 16;  // px

struct PatchPlace {
  int x = 0;
  int y = 0;
};

/// The best place of a patch, and the sum of its differences there.
struct PatchMatch {
  static constexpr int unknown = 1 << 20;  ///< More than any sum.
  PatchPlace to;
  int cost = unknown;
};

/// Steps of three grey levels between neighbours, in the mean, along and across.
inline bool has_texture(ImageView<const std::uint8_t> picture, PatchPlace at) {
  constexpr int least_step = 3;
  int along = 0, across = 0;
  for (int y = at.y; y < at.y + patch_side - 1; ++y)
    for (int x = at.x; x < at.x + patch_side - 1; ++x) {
      along += std::abs(picture(x, y) - picture(x + 1, y));
      across += std::abs(picture(x, y) - picture(x, y + 1));
    }
  return std::min(along, across) >= least_step * (patch_side - 1) * (patch_side - 1);
}

/// The pixels of a patch in a row, for the registers' sake.
class PatchPixels {
 public:
  PatchPixels(ImageView<const std::uint8_t> picture, PatchPlace at) {
    for (int y = 0; y < patch_side; ++y)
      std::memcpy(pixels_.data() + y * patch_side, picture.row(at.y + y) + at.x, patch_side);
  }
  /// The sum of differences, or `most` and more where it is not below.
  int difference(ImageView<const std::uint8_t> other, PatchPlace at, int most) const {
    constexpr int rows = 4;  // between looks at the sum
    int sum = 0;
    for (int y = 0; y < patch_side && sum < most; y += rows) {
      std::array<std::uint8_t, rows * patch_side> there;
      for (int i = 0; i < rows; ++i)
        std::memcpy(there.data() + i * patch_side, other.row(at.y + y + i) + at.x, patch_side);
      const std::uint8_t *const a = pixels_.data() + y * patch_side, *const b = there.data();
      for (int i = 0; i < rows * patch_side; ++i) sum += std::abs(a[i] - b[i]);
    }
    return sum;
  }

 private:
  alignas(patch_side) std::array<std::uint8_t, patch_side * patch_side> pixels_;
};

/// The sum of differences, or `most` and more where it is not below.
inline int patch_difference(ImageView<const std::uint8_t> a, PatchPlace at, ImageView<const std::uint8_t> b,
                            PatchPlace other, int most) {
  return PatchPixels(a, at).difference(b, other, most);
}

/// The best place in `b` of the patch of `a`, of every `step`th one that is so far from its own; all within the
/// picture. Nothing but `best`, what is known already, where none is better: a low sum there spares most of the time.
inline PatchMatch find_patch(ImageView<const std::uint8_t> a, PatchPlace at, ImageView<const std::uint8_t> b,
                             const Rect& moves, int step = 1, PatchMatch best = {}) {
  const int left = std::max(at.x + moves.x, 0), top = std::max(at.y + moves.y, 0);
  const int right = std::min(at.x + moves.x + moves.width, b.width() - patch_side + 1);
  const int bottom = std::min(at.y + moves.y + moves.height, b.height() - patch_side + 1);
  const PatchPixels patch(a, at);
  for (int y = top; y < bottom; y += step)
    for (int x = left; x < right; x += step)
      if (const int cost = patch.difference(b, {x, y}, best.cost); cost < best.cost) best = {{x, y}, cost};
  return best;
}

}  // namespace vergence::inspect

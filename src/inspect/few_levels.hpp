// SPDX-License-Identifier: Apache-2.0
// Pictures of few grey levels, as dithering leaves them: their pixels alternate, whatever they show.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "vergence/image.hpp"

namespace vergence::inspect {

/// Has the picture 16 levels at most? Sixteen rows are looked at, until more are found: of most pictures, a part of
/// one.
template <class Pixel>
bool has_few_levels(ImageView<const Pixel> picture) {
  constexpr std::size_t few = 16;
  constexpr int rows = 16;
  std::array<Pixel, few> known{};
  std::size_t count = 0;
  for (int i = 0; i < rows; ++i) {
    const Pixel* const row = picture.row((2 * i + 1) * picture.height() / (2 * rows));
    for (int x = 0; x < picture.width(); ++x) {
      if (std::find(known.begin(), known.begin() + count, row[x]) != known.begin() + count) continue;
      if (count == few) return false;
      known[count++] = row[x];
    }
  }
  return true;
}

}  // namespace vergence::inspect

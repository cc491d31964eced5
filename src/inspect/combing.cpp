// SPDX-License-Identifier: Apache-2.0
// Two fields of different times in one frame: where things move, rows are like the next but one, not like the next.
#include <cstdlib>

#include "inspect/for_avx2.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int block = 16;      // px a side
constexpr int least_step = 6;  // grey levels from a row to the next, in the mean of a block
// Blocks that comb: of 440 good pictures of all forms 5 at most, and, where 40 blocks and more have large steps, 6 %.
constexpr int least_blocks = 10;
constexpr int share = 12;  // percent of those with so large steps

/// Every second block of a row, shifted in every second row of blocks, in one of so many of these.
VERGENCE_FOR_AVX2 FieldFindings look(ImageView<const std::uint8_t> picture, int apart) {
  FieldFindings found;
  for (int y = 0; y + block + 2 <= picture.height(); y += apart * block)
    for (int x = y / block % 2 * block; x + block <= picture.width(); x += 2 * block) {
      int next = 0, second = 0;
      for (int row = y; row < y + block; ++row) {
        const std::uint8_t* const a = picture.row(row) + x;
        const std::uint8_t* const b = picture.row(row + 1) + x;
        const std::uint8_t* const c = picture.row(row + 2) + x;
        for (int i = 0; i < block; ++i) next += std::abs(a[i] - b[i]), second += std::abs(a[i] - c[i]);
      }
      if (next < least_step * block * block) continue;
      ++found.blocks;
      found.combed += 100 * next > 115 * second ? 1 : 0;  // in noise both are alike
    }
  found.interlaced = found.combed >= least_blocks && 100 * found.combed >= share * found.blocks;
  return found;
}

/// Most pictures have so few blocks that comb in some rows of blocks that the others tell nothing.
FieldFindings look(ImageView<const std::uint8_t> picture) {
  constexpr int some = 3, few_share = 4;
  const FieldFindings found = look(picture, some);
  const bool are_few = some * found.combed < least_blocks / 2 || 100 * found.combed < few_share * found.blocks;
  return are_few ? found : look(picture, 1);
}

}  // namespace

FieldFindings inspect_fields(ImageView<const std::uint8_t> picture, int max_value) {
  return look(inspect::Bytes(picture, max_value).view());
}
FieldFindings inspect_fields(ImageView<const std::uint16_t> picture, int max_value) {
  return look(inspect::Bytes(picture, max_value).view());
}

}  // namespace vergence

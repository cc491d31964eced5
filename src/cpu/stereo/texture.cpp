// SPDX-License-Identifier: Apache-2.0
// Texture sums of a row: plain loops that the compiler vectorises, but for the sum along the row.
#include "cpu/stereo/texture.hpp"

#define VERGENCE_SIMD_FILE "cpu/stereo/texture.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/dispatch.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class T>
HWY_INLINE void MoveColumns(const uint8_t* HWY_RESTRICT entering, const uint8_t* HWY_RESTRICT leaving, int width,
                            int cap, T* HWY_RESTRICT columns) {
  const auto level = static_cast<int16_t>(cap);
  for (int x = 0; x < width; ++x) {
    const auto in = static_cast<int16_t>(entering[x] - level), out = static_cast<int16_t>(leaving[x] - level);
    const auto change = static_cast<int16_t>((in < 0 ? -in : in) - (out < 0 ? -out : out));
    columns[x] = static_cast<T>(columns[x] + static_cast<T>(change));
  }
}

template <class T>
HWY_INLINE void MarkWeak(const T* HWY_RESTRICT before, const T* HWY_RESTRICT after, int width, T threshold,
                         uint8_t* HWY_RESTRICT weak) {
  for (int x = 0; x < width; ++x) weak[x] = static_cast<T>(after[x] - before[x]) < threshold ? 1 : 0;
}

template <class T>
HWY_INLINE void MoveAndMark(const TextureRow& row, T* columns, T* HWY_RESTRICT sums, uint8_t* weak) {
  MoveColumns(row.entering, row.leaving, row.width, row.cap, columns);
  // sums[rx + x] is the sum of all columns before x. Beside the picture there are none.
  T sum = 0;
  T* HWY_RESTRICT out = std::fill_n(sums, row.rx, sum);
#pragma GCC unroll 8
  for (int x = 0; x < row.width; ++x) {
    out[x] = sum;
    sum = static_cast<T>(sum + columns[x]);
  }
  std::fill_n(out + row.width, row.rx + 1, sum);
  // No sum reaches the largest number of T, so that a threshold above it is above all.
  const auto most = std::numeric_limits<T>::max();
  const auto threshold = static_cast<uint64_t>(row.threshold);
  MarkWeak(sums, sums + 2 * row.rx + 1, row.width, threshold < most ? static_cast<T>(threshold) : most, weak);
}

void TextureRow16(const TextureRow& row, uint16_t* columns, uint16_t* sums, uint8_t* weak) {
  MoveAndMark(row, columns, sums, weak);
}
void TextureRow64(const TextureRow& row, uint64_t* columns, uint64_t* sums, uint8_t* weak) {
  MoveAndMark(row, columns, sums, weak);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(TextureRow16);
VERGENCE_SIMD_EXPORT(TextureRow64);

void texture_row(const Context& context, const TextureRow& row, std::uint16_t* columns, std::uint16_t* sums,
                 std::uint8_t* weak) {
  VERGENCE_DISPATCH(TextureRow16, context.target)(row, columns, sums, weak);
}
void texture_row(const Context& context, const TextureRow& row, std::uint64_t* columns, std::uint64_t* sums,
                 std::uint8_t* weak) {
  VERGENCE_DISPATCH(TextureRow64, context.target)(row, columns, sums, weak);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

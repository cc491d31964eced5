// SPDX-License-Identifier: Apache-2.0
// SADs of 64 displacements side by side and several below each other, by AVX-512's sums of four pixels against eight
// neighbouring places (VDBPSADBW). Compiled once per target; empty where there is no such instruction.

#if defined(VERGENCE_CPU_MOTION_SAD_GRID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_MOTION_SAD_GRID_INL_H_
#undef VERGENCE_CPU_MOTION_SAD_GRID_INL_H_
#else
#define VERGENCE_CPU_MOTION_SAD_GRID_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/motion/costs.hpp"

#undef VERGENCE_SAD_GRID
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define VERGENCE_SAD_GRID 1
#else
#define VERGENCE_SAD_GRID 0
#endif

#if VERGENCE_SAD_GRID
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// Costs of 64 x kRows displacements. A row of the reference is loaded once for all of them: it is compared with the
/// block's row y under the first row of displacements, y - 1 under the second, and so on.
template <int kRows>
class SadGrid {
 public:
  SadGrid(const PackedBlock<uint8_t>& block, const uint8_t* there, std::ptrdiff_t stride)
      : block_(block.pixels.data()), quads_(block.width / 4), height_(block.height), there_(there), stride_(stride) {}

  /// Writes 64 costs per row of displacements.
  HWY_INLINE void Run(uint32_t* HWY_RESTRICT costs, std::ptrdiff_t row) const {
    __m512i sums[kRows][2], totals[kRows][4];
    for (int r = 0; r < kRows; ++r) {
      sums[r][0] = sums[r][1] = _mm512_setzero_si512();
      for (int i = 0; i < 4; ++i) totals[r][i] = _mm512_setzero_si512();
    }
    // 16 bits hold 64 sums of four pixels.
    const int before_flush = 64 / quads_;
    int since_flush = 0;
    for (int y = 0; y < height_ + kRows - 1; ++y) {
      if (y >= kRows - 1 && y < height_)
        AddRow<false>(y, sums);
      else
        AddRow<true>(y, sums);
      if (++since_flush == before_flush) {
        Flush(sums, totals);
        since_flush = 0;
      }
    }
    Flush(sums, totals);
    for (int r = 0; r < kRows; ++r) Store(totals[r], costs + r * row);
  }

 private:
  template <bool kEnds>
  HWY_INLINE void AddRow(int y, __m512i (&sums)[kRows][2]) const {
    const uint8_t* const from = there_ + y * stride_;
    __m512i now = _mm512_loadu_si512(from);
    __m512i next = _mm512_loadu_si512(from + 4);
    for (int q = 0; q < quads_; ++q) {
      const __m512i after = _mm512_loadu_si512(from + 4 * q + 8);
      for (int r = 0; r < kRows; ++r) {
        if (kEnds && (y - r < 0 || y - r >= height_)) continue;
        int32_t four;
        std::memcpy(&four, block_ + (y - r) * PackedBlock<uint8_t>::stride + 4 * q, 4);
        const __m512i pixels = _mm512_set1_epi32(four);
        // Within each 128 bits: the four pixels against the eight places that begin there.
        sums[r][0] = _mm512_add_epi16(sums[r][0], _mm512_dbsad_epu8(pixels, now, 0x94));
        sums[r][1] = _mm512_add_epi16(sums[r][1], _mm512_dbsad_epu8(pixels, after, 0x94));
      }
      now = next;
      next = after;
    }
  }
  static HWY_INLINE void Flush(__m512i (&sums)[kRows][2], __m512i (&totals)[kRows][4]) {
    const __m512i zero = _mm512_setzero_si512();
    for (int r = 0; r < kRows; ++r)
      for (int half = 0; half < 2; ++half) {
        __m512i* const total = &totals[r][2 * half];
        total[0] = _mm512_add_epi32(total[0], _mm512_unpacklo_epi16(sums[r][half], zero));
        total[1] = _mm512_add_epi32(total[1], _mm512_unpackhi_epi16(sums[r][half], zero));
        sums[r][half] = zero;
      }
  }
  /// 128 bits i of total k hold the places 16 i + 4 k on.
  static HWY_INLINE void Store(const __m512i (&total)[4], uint32_t* HWY_RESTRICT costs) {
    const __m512i a = _mm512_shuffle_i32x4(total[0], total[1], 0x44),
                  b = _mm512_shuffle_i32x4(total[0], total[1], 0xEE);
    const __m512i c = _mm512_shuffle_i32x4(total[2], total[3], 0x44),
                  d = _mm512_shuffle_i32x4(total[2], total[3], 0xEE);
    _mm512_storeu_si512(costs, _mm512_shuffle_i32x4(a, c, 0x88));
    _mm512_storeu_si512(costs + 16, _mm512_shuffle_i32x4(a, c, 0xDD));
    _mm512_storeu_si512(costs + 32, _mm512_shuffle_i32x4(b, d, 0x88));
    _mm512_storeu_si512(costs + 48, _mm512_shuffle_i32x4(b, d, 0xDD));
  }

  const uint8_t* block_;
  int quads_, height_;
  const uint8_t* there_;
  std::ptrdiff_t stride_;
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // VERGENCE_CPU_MOTION_SAD_GRID_INL_H_

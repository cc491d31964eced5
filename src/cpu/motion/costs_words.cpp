// SPDX-License-Identifier: Apache-2.0
// SADs of 16-bit pixels, under one displacement, a few of them or a grid: the block's rows are loaded once for up to
// four.
#define VERGENCE_SIMD_FILE "cpu/motion/costs_words.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/dispatch.hpp"
#include "cpu/motion/costs.hpp"
#include "cpu/motion/rows-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = PackedBlock<uint16_t>;

/// Differences are added up in 16 bits over so many rows, then in 32.
constexpr int kRowsOf12Bits = 16, kRowsOf16Bits = 1;

template <int kRows, class V>
HWY_INLINE V Distance(V a, V b) {
  if constexpr (kRows == kRowsOf16Bits) return hn::Sub(hn::Max(a, b), hn::Min(a, b));
  const hn::Repartition<int16_t, hn::DFromV<V>> d;  // differences of 12 bits have a sign
  return hn::BitCast(hn::DFromV<V>(), hn::Abs(hn::BitCast(d, hn::Sub(a, b))));
}

template <size_t kCount, int kRows, bool kMasked, class D>
HWY_INLINE void SumWords(D d, const Words& block, const uint16_t* there, std::ptrdiff_t stride,
                         const std::ptrdiff_t* offsets, uint32_t* costs) {
  const hn::Repartition<uint32_t, D> d32;
  hn::VFromD<decltype(d32)> sums[kCount];
  hn::VFromD<D> some[kCount];
  for (size_t i = 0; i < kCount; ++i) sums[i] = hn::Zero(d32);
  for (int x = 0; x < block.width; x += static_cast<int>(hn::Lanes(d))) {
    const auto mask = FirstLanes(d, block.width - x);
    for (int first = 0; first < block.height; first += kRows) {
      for (size_t i = 0; i < kCount; ++i) some[i] = hn::Zero(d);
      const int last = std::min(first + kRows, block.height);
      for (int y = first; y < last; ++y) {
        const auto pixels = hn::LoadU(d, block.pixels.data() + y * Words::stride + x);
        const uint16_t* const row = there + y * stride + x;
        for (size_t i = 0; i < kCount; ++i) {
          const auto others = hn::LoadU(d, row + offsets[i]);
          some[i] = hn::Add(some[i], Distance<kRows>(pixels, kMasked ? hn::And(others, mask) : others));
        }
      }
      for (size_t i = 0; i < kCount; ++i) {
        const auto both = hn::BitCast(d32, some[i]);
        sums[i] = hn::Add(sums[i], hn::Add(hn::And(both, hn::Set(d32, 0xFFFFu)), hn::ShiftRight<16>(both)));
      }
    }
  }
  for (size_t i = 0; i < kCount; ++i) costs[i] = hn::GetLane(hn::SumOfLanes(d32, sums[i]));
}

template <size_t kCount, int kRows, class D>
HWY_INLINE void SumVectors(D d, const Words& block, const uint16_t* there, std::ptrdiff_t stride,
                           const std::ptrdiff_t* offsets, uint32_t* costs) {
  if (block.width % static_cast<int>(hn::Lanes(d)) == 0)
    SumWords<kCount, kRows, false>(d, block, there, stride, offsets, costs);
  else
    SumWords<kCount, kRows, true>(d, block, there, stride, offsets, costs);
}

/// Vectors hardly wider than the block.
template <size_t kCount, int kRows>
HWY_INLINE void SumBlock(const Words& block, const uint16_t* there, std::ptrdiff_t stride,
                         const std::ptrdiff_t* offsets, uint32_t* costs) {
  if (block.width <= 8)
    SumVectors<kCount, kRows>(hn::CappedTag<uint16_t, 8>(), block, there, stride, offsets, costs);
  else if (block.width <= 16)
    SumVectors<kCount, kRows>(hn::CappedTag<uint16_t, 16>(), block, there, stride, offsets, costs);
  else
    SumVectors<kCount, kRows>(hn::CappedTag<uint16_t, 32>(), block, there, stride, offsets, costs);
}

template <int kRows>
HWY_INLINE uint64_t SadOne(const Words& block, const uint16_t* there, std::ptrdiff_t stride) {
  const std::ptrdiff_t here = 0;
  uint32_t cost = 0;
  SumBlock<1, kRows>(block, there, stride, &here, &cost);
  return cost;
}

template <int kRows>
HWY_INLINE void SadSeveral(const Words& block, const uint16_t* there, std::ptrdiff_t stride,
                           const std::ptrdiff_t* offsets, int count, uint32_t* costs) {
  for (; count >= 4; count -= 4, offsets += 4, costs += 4) SumBlock<4, kRows>(block, there, stride, offsets, costs);
  if (count >= 2) {
    SumBlock<2, kRows>(block, there, stride, offsets, costs);
    count -= 2, offsets += 2, costs += 2;
  }
  if (count == 1) SumBlock<1, kRows>(block, there, stride, offsets, costs);
}

template <int kRows>
HWY_INLINE void SadGrid(const Words& block, const uint16_t* there, std::ptrdiff_t stride, const CostGrid& grid) {
  const std::ptrdiff_t side_by_side[4] = {0, 1, 2, 3};
  for (int y = 0; y < grid.rows; ++y)
    for (int x = 0; x < grid.columns; x += 4)
      SumBlock<4, kRows>(block, there + y * stride + x, stride, side_by_side, grid.costs + y * grid.row + x);
}

uint64_t SadOne12(const Words& block, const uint16_t* there, std::ptrdiff_t stride) {
  return SadOne<kRowsOf12Bits>(block, there, stride);
}
uint64_t SadOne16(const Words& block, const uint16_t* there, std::ptrdiff_t stride) {
  return SadOne<kRowsOf16Bits>(block, there, stride);
}
void SadSeveral12(const Words& block, const uint16_t* there, std::ptrdiff_t stride, const std::ptrdiff_t* offsets,
                  int count, uint32_t* costs) {
  SadSeveral<kRowsOf12Bits>(block, there, stride, offsets, count, costs);
}
void SadSeveral16(const Words& block, const uint16_t* there, std::ptrdiff_t stride, const std::ptrdiff_t* offsets,
                  int count, uint32_t* costs) {
  SadSeveral<kRowsOf16Bits>(block, there, stride, offsets, count, costs);
}
void SadGrid12(const Words& block, const uint16_t* there, std::ptrdiff_t stride, const CostGrid& grid) {
  SadGrid<kRowsOf12Bits>(block, there, stride, grid);
}
void SadGrid16(const Words& block, const uint16_t* there, std::ptrdiff_t stride, const CostGrid& grid) {
  SadGrid<kRowsOf16Bits>(block, there, stride, grid);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(SadOne12);
VERGENCE_SIMD_EXPORT(SadOne16);
VERGENCE_SIMD_EXPORT(SadSeveral12);
VERGENCE_SIMD_EXPORT(SadSeveral16);
VERGENCE_SIMD_EXPORT(SadGrid12);
VERGENCE_SIMD_EXPORT(SadGrid16);

CostFunctions<std::uint16_t> word_sad_functions(std::int64_t target, int max_pixel) {
  constexpr int speed = 10;
  const std::size_t i = dispatch_index(target);
  if (max_pixel < 1 << 12)
    return {HWY_DISPATCH_TABLE(SadOne12)[i], HWY_DISPATCH_TABLE(SadGrid12)[i], speed,
            HWY_DISPATCH_TABLE(SadSeveral12)[i]};
  return {HWY_DISPATCH_TABLE(SadOne16)[i], HWY_DISPATCH_TABLE(SadGrid16)[i], speed,
          HWY_DISPATCH_TABLE(SadSeveral16)[i]};
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

// SPDX-License-Identifier: Apache-2.0
// SAD of bytes: the usual and the fastest case.
#define VERGENCE_SIMD_FILE "cpu/motion/costs_bytes.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/motion/costs.hpp"
#include "cpu/motion/rows-inl.h"
#include "cpu/motion/sad_grid-inl.h"
#include "cpu/simd_shims-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Block = PackedBlock<uint8_t>;
using D16 = hn::FixedTag<uint8_t, 16>;
using D32 = hn::CappedTag<uint8_t, 32>;
using D64 = hn::CappedTag<uint8_t, 64>;

/// The reference's pixels, those beside the block masked out.
template <bool kMasked, class D, class V>
HWY_INLINE V Load(D d, const uint8_t* from, V mask) {
  const V pixels = hn::LoadU(d, from);
  return kMasked ? hn::And(pixels, mask) : pixels;
}

template <bool kMasked, class D>
HWY_INLINE uint64_t SadOne(D d, const Block& block, const uint8_t* there, std::ptrdiff_t stride) {
  const hn::Repartition<uint64_t, D> d64;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto sum = hn::Zero(d64), other = hn::Zero(d64);
  for (int x = 0; x < block.width; x += lanes) {
    const auto mask = FirstLanes(d, block.width - x);
    const uint8_t* const ours = block.pixels.data() + x;
    const uint8_t* const theirs = there + x;
    int y = 0;
    for (; y + 2 <= block.height; y += 2) {
      sum = hn::Add(
          sum, SumsOf8AbsDiff8(hn::Load(d, ours + y * Block::stride), Load<kMasked>(d, theirs + y * stride, mask)));
      other = hn::Add(other, SumsOf8AbsDiff8(hn::Load(d, ours + (y + 1) * Block::stride),
                                             Load<kMasked>(d, theirs + (y + 1) * stride, mask)));
    }
    if (y < block.height)
      sum = hn::Add(
          sum, SumsOf8AbsDiff8(hn::Load(d, ours + y * Block::stride), Load<kMasked>(d, theirs + y * stride, mask)));
  }
  return hn::GetLane(hn::SumOfLanes(d64, hn::Add(sum, other)));
}

uint64_t SadOneBytes(const Block& block, const uint8_t* there, std::ptrdiff_t stride) {
  const int width = block.width;
  if (width % static_cast<int>(hn::Lanes(D64())) == 0) return SadOne<false>(D64(), block, there, stride);
  if (width % static_cast<int>(hn::Lanes(D32())) == 0) return SadOne<false>(D32(), block, there, stride);
  if (width % 16 == 0) return SadOne<false>(D16(), block, there, stride);
  if (width < 16) return SadOne<true>(D16(), block, there, stride);
  return SadOne<true>(D32(), block, there, stride);
}

/// Sums the 64-bit lanes of vectors that hold two costs to a lane, and stores the four costs.
template <class D, class V>
HWY_INLINE void StoreFour(D d, V ab, V cd, uint32_t* costs) {
  if constexpr (hn::MaxLanes(d) > 2) {
    const hn::Half<D> half;
    StoreFour(half, hn::Add(hn::LowerHalf(half, ab), hn::UpperHalf(half, ab)),
              hn::Add(hn::LowerHalf(half, cd), hn::UpperHalf(half, cd)), costs);
  } else {
    const hn::Repartition<uint32_t, D> d32;
    hn::StoreU(hn::BitCast(d32, hn::Add(hn::InterleaveLower(d, ab, cd), hn::InterleaveUpper(d, ab, cd))), d32, costs);
  }
}

/// Four displacements side by side, again and again; the block's pixels are loaded once for the four.
template <bool kMasked, class D>
HWY_INLINE void SadRow(D d, const Block& block, const uint8_t* there, std::ptrdiff_t stride, int columns,
                       uint32_t* costs) {
  const hn::Repartition<uint64_t, D> d64;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int column = 0; column < columns; column += 4) {
    auto s0 = hn::Zero(d64), s1 = s0, s2 = s0, s3 = s0;
    for (int x = 0; x < block.width; x += lanes) {
      const auto mask = FirstLanes(d, block.width - x);
      const uint8_t* ours = block.pixels.data() + x;
      const uint8_t* theirs = there + x + column;
      for (int y = 0; y < block.height; ++y) {
        const auto pixels = hn::Load(d, ours);
        s0 = hn::Add(s0, SumsOf8AbsDiff8(pixels, Load<kMasked>(d, theirs, mask)));
        s1 = hn::Add(s1, SumsOf8AbsDiff8(pixels, Load<kMasked>(d, theirs + 1, mask)));
        s2 = hn::Add(s2, SumsOf8AbsDiff8(pixels, Load<kMasked>(d, theirs + 2, mask)));
        s3 = hn::Add(s3, SumsOf8AbsDiff8(pixels, Load<kMasked>(d, theirs + 3, mask)));
        ours += Block::stride;
        theirs += stride;
      }
    }
    StoreFour(d64, hn::Or(s0, hn::ShiftLeft<32>(s1)), hn::Or(s2, hn::ShiftLeft<32>(s3)), costs + column);
  }
}

HWY_INLINE void SadRowAnyWidth(const Block& block, const uint8_t* there, std::ptrdiff_t stride, int columns,
                               uint32_t* costs) {
  const int width = block.width;
  if (width % static_cast<int>(hn::Lanes(D32())) == 0)
    return SadRow<false>(D32(), block, there, stride, columns, costs);
  if (width % 16 == 0) return SadRow<false>(D16(), block, there, stride, columns, costs);
  if (width < 16) return SadRow<true>(D16(), block, there, stride, columns, costs);
  return SadRow<true>(D32(), block, there, stride, columns, costs);
}

#if VERGENCE_SAD_GRID
/// 64 columns by a grid cost as much as this number of displacements one by one.
inline constexpr int kWorthAGrid = 12;

template <int kRows>
void SadGridRows(const Block& block, const uint8_t* there, std::ptrdiff_t stride, const CostGrid& grid, int row) {
  const uint8_t* const from = there + row * stride;
  uint32_t* const costs = grid.costs + row * grid.row;
  int column = 0;
  for (; grid.columns - column > kWorthAGrid; column += 64)
    SadGrid<kRows>(block, from + column, stride).Run(costs + column, grid.row);
  if (column < grid.columns)
    for (int r = 0; r < kRows; ++r)
      SadRowAnyWidth(block, from + r * stride + column, stride, grid.columns - column, costs + r * grid.row + column);
}
#endif

void SadGridBytes(const Block& block, const uint8_t* there, std::ptrdiff_t stride, const CostGrid& grid) {
  int row = 0;
#if VERGENCE_SAD_GRID
  if (block.width % 4 == 0) {
    for (; row + 4 <= grid.rows; row += 4) SadGridRows<4>(block, there, stride, grid, row);
    for (; row < grid.rows; ++row) SadGridRows<1>(block, there, stride, grid, row);
  }
#endif
  for (; row < grid.rows; ++row)
    SadRowAnyWidth(block, there + row * stride, stride, grid.columns, grid.costs + row * grid.row);
}

int SadGridSpeed() { return VERGENCE_SAD_GRID != 0 ? 100 : static_cast<int>(hn::Lanes(D32())); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(SadOneBytes);
VERGENCE_SIMD_EXPORT(SadGridBytes);
VERGENCE_SIMD_EXPORT(SadGridSpeed);

CostFunctions<std::uint8_t> byte_sad_functions(std::int64_t target) {
  return {HWY_DISPATCH_TABLE(SadOneBytes)[dispatch_index(target)],
          HWY_DISPATCH_TABLE(SadGridBytes)[dispatch_index(target)], VERGENCE_DISPATCH(SadGridSpeed, target)(),
          several_byte_sads(target)};
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

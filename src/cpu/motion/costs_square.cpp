// SPDX-License-Identifier: Apache-2.0
// SSD of bytes and of 16-bit pixels.
#define VERGENCE_SIMD_FILE "cpu/motion/costs_square.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/motion/costs.hpp"
#include "cpu/motion/rows-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums of squares of bytes: at most 64 x 64 x 255^2 in all, so 32 bits do.
struct ByteSquares {
  using Pixel = uint8_t;
  using D = hn::CappedTag<uint8_t, 32>;
  using D32 = hn::Repartition<int32_t, D>;
  hn::VFromD<D32> sum;
  HWY_INLINE ByteSquares() : sum(hn::Zero(D32())) {}

  template <class V>
  HWY_INLINE void Add(V a, V b) {
    const D d;
    const hn::Repartition<int16_t, D> d16;
    const auto distance = hn::Sub(hn::Max(a, b), hn::Min(a, b));
    const auto low = hn::BitCast(d16, hn::InterleaveLower(d, distance, hn::Zero(d)));
    const auto high = hn::BitCast(d16, hn::InterleaveUpper(d, distance, hn::Zero(d)));
    auto rest = hn::Zero(D32());
    sum = hn::ReorderWidenMulAccumulate(D32(), low, low, sum, rest);
    sum = hn::ReorderWidenMulAccumulate(D32(), high, high, sum, rest);
    sum = hn::Add(sum, rest);
  }
  HWY_INLINE uint64_t Total() const { return static_cast<uint64_t>(hn::GetLane(hn::SumOfLanes(D32(), sum))); }
};

/// Squares of 16-bit pixels fit 32 bits, their sums 64.
struct WordSquares {
  using Pixel = uint16_t;
  using D = hn::CappedTag<uint16_t, 32>;
  using D32 = hn::Repartition<uint32_t, D>;
  using D64 = hn::Repartition<uint64_t, D>;
  hn::VFromD<D64> sum;
  HWY_INLINE WordSquares() : sum(hn::Zero(D64())) {}

  template <class V>
  HWY_INLINE void Add(V a, V b) {
    const auto distance = hn::BitCast(D32(), hn::Sub(hn::Max(a, b), hn::Min(a, b)));
    AddSquares(hn::And(distance, hn::Set(D32(), 0xFFFFu)));
    AddSquares(hn::ShiftRight<16>(distance));
  }
  HWY_INLINE uint64_t Total() const { return hn::GetLane(hn::SumOfLanes(D64(), sum)); }

 private:
  template <class V>
  HWY_INLINE void AddSquares(V v) {
    const auto squares = hn::BitCast(D64(), hn::Mul(v, v));
    sum = hn::Add(sum, hn::And(squares, hn::Set(D64(), 0xFFFFFFFFu)));
    sum = hn::Add(sum, hn::ShiftRight<32>(squares));
  }
};

template <class Sums>
HWY_INLINE uint64_t SumOne(const PackedBlock<typename Sums::Pixel>& block, const typename Sums::Pixel* there,
                           std::ptrdiff_t stride) {
  using Packed = PackedBlock<typename Sums::Pixel>;
  const typename Sums::D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  Sums sums;
  for (int x = 0; x < block.width; x += lanes) {
    const auto mask = FirstLanes(d, block.width - x);
    for (int y = 0; y < block.height; ++y)
      sums.Add(hn::Load(d, block.pixels.data() + y * Packed::stride + x),
               hn::And(hn::LoadU(d, there + y * stride + x), mask));
  }
  return sums.Total();
}

template <class Sums>
HWY_INLINE void SumGrid(const PackedBlock<typename Sums::Pixel>& block, const typename Sums::Pixel* there,
                        std::ptrdiff_t stride, const CostGrid& grid) {
  for (int y = 0; y < grid.rows; ++y)
    for (int x = 0; x < grid.columns; ++x)
      grid.costs[y * grid.row + x] = static_cast<uint32_t>(SumOne<Sums>(block, there + y * stride + x, stride));
}

uint64_t SsdOneBytes(const PackedBlock<uint8_t>& block, const uint8_t* there, std::ptrdiff_t stride) {
  return SumOne<ByteSquares>(block, there, stride);
}
void SsdGridBytes(const PackedBlock<uint8_t>& block, const uint8_t* there, std::ptrdiff_t stride,
                  const CostGrid& grid) {
  SumGrid<ByteSquares>(block, there, stride, grid);
}
uint64_t SsdOneWords(const PackedBlock<uint16_t>& block, const uint16_t* there, std::ptrdiff_t stride) {
  return SumOne<WordSquares>(block, there, stride);
}
void SsdGridWords(const PackedBlock<uint16_t>& block, const uint16_t* there, std::ptrdiff_t stride,
                  const CostGrid& grid) {
  SumGrid<WordSquares>(block, there, stride, grid);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(SsdOneBytes);
VERGENCE_SIMD_EXPORT(SsdGridBytes);
VERGENCE_SIMD_EXPORT(SsdOneWords);
VERGENCE_SIMD_EXPORT(SsdGridWords);

template <>
CostFunctions<std::uint8_t> square_functions(std::int64_t target) {
  return {HWY_DISPATCH_TABLE(SsdOneBytes)[dispatch_index(target)],
          HWY_DISPATCH_TABLE(SsdGridBytes)[dispatch_index(target)]};
}
template <>
CostFunctions<std::uint16_t> square_functions(std::int64_t target) {
  return {HWY_DISPATCH_TABLE(SsdOneWords)[dispatch_index(target)],
          HWY_DISPATCH_TABLE(SsdGridWords)[dispatch_index(target)]};
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

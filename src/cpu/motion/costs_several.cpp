// SPDX-License-Identifier: Apache-2.0
// SADs of bytes under a few displacements at once: the block's rows are loaded once for up to five of them.
#define VERGENCE_SIMD_FILE "cpu/motion/costs_several.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/motion/costs.hpp"
#include "cpu/motion/rows-inl.h"
#include "cpu/simd_shims-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Block = PackedBlock<uint8_t>;
using D8 = hn::FixedTag<uint8_t, 8>;
using D16 = hn::FixedTag<uint8_t, 16>;
using D32 = hn::CappedTag<uint8_t, 32>;
using D64 = hn::CappedTag<uint8_t, 64>;

/// One row at a time, a vector of it.
template <class D_>
struct OneRow {
  using D = D_;
  static constexpr int rows = 1;
  template <bool kMasked>
  static HWY_INLINE hn::VFromD<D> Load(const uint8_t* from, std::ptrdiff_t, hn::VFromD<D> mask) {
    const auto pixels = hn::LoadU(D(), from);
    return kMasked ? hn::And(pixels, mask) : pixels;
  }
};
/// Two narrow rows in a vector.
template <class D_>
struct TwoRows {
  using D = D_;
  static constexpr int rows = 2;
  template <bool kMasked>
  static HWY_INLINE hn::VFromD<D> Load(const uint8_t* from, std::ptrdiff_t stride, hn::VFromD<D>) {
    const hn::Half<D> half;
    return hn::Combine(D(), hn::LoadU(half, from + stride), hn::LoadU(half, from));
  }
};

template <size_t kCount, bool kMasked, class Rows>
HWY_INLINE void Sums(const Block& block, const uint8_t* there, std::ptrdiff_t stride, const std::ptrdiff_t* offsets,
                     uint32_t* costs) {
  using D = typename Rows::D;
  const D d;
  const hn::Repartition<uint64_t, D> d64;
  const int step = Rows::rows == 2 ? block.width : static_cast<int>(hn::Lanes(d));
  hn::VFromD<decltype(d64)> sums[kCount];
  const uint8_t* from[kCount];
  for (size_t i = 0; i < kCount; ++i) sums[i] = hn::Zero(d64), from[i] = there + offsets[i];
  for (int x = 0; x < block.width; x += step) {
    const auto mask = FirstLanes(d, block.width - x);
    const uint8_t* const ours = block.pixels.data() + x;
    for (int y = 0; y < block.height; y += Rows::rows) {
      const auto pixels = Rows::template Load<false>(ours + y * Block::stride, Block::stride, mask);
      for (size_t i = 0; i < kCount; ++i)
        sums[i] = hn::Add(
            sums[i], SumsOf8AbsDiff8(pixels, Rows::template Load<kMasked>(from[i] + x + y * stride, stride, mask)));
    }
  }
  for (size_t i = 0; i < kCount; ++i) costs[i] = static_cast<uint32_t>(hn::GetLane(hn::SumOfLanes(d64, sums[i])));
}

template <bool kMasked, class Rows>
void Several(const Block& block, const uint8_t* there, std::ptrdiff_t stride, const std::ptrdiff_t* offsets, int count,
             uint32_t* costs) {
  while (count > 0) {
    int done = count;
    switch (count) {
      case 1:
        Sums<1, kMasked, Rows>(block, there, stride, offsets, costs);
        break;
      case 2:
        Sums<2, kMasked, Rows>(block, there, stride, offsets, costs);
        break;
      case 3:
        Sums<3, kMasked, Rows>(block, there, stride, offsets, costs);
        break;
      case 5:
        Sums<5, kMasked, Rows>(block, there, stride, offsets, costs);
        break;
      default:
        Sums<4, kMasked, Rows>(block, there, stride, offsets, costs);
        done = 4;
    }
    count -= done;
    offsets += done;
    costs += done;
  }
}

void SadSeveralBytes(const Block& block, const uint8_t* there, std::ptrdiff_t stride, const std::ptrdiff_t* offsets,
                     int count, uint32_t* costs) {
  const int width = block.width;
  const bool is_even = block.height % 2 == 0;
  if (width == 8 && is_even) return Several<false, TwoRows<D16>>(block, there, stride, offsets, count, costs);
  if constexpr (hn::MaxLanes(D32()) == 32) {
    if (width == 16 && is_even) return Several<false, TwoRows<D32>>(block, there, stride, offsets, count, costs);
  }
  if (width % static_cast<int>(hn::Lanes(D64())) == 0)
    return Several<false, OneRow<D64>>(block, there, stride, offsets, count, costs);
  if (width % static_cast<int>(hn::Lanes(D32())) == 0)
    return Several<false, OneRow<D32>>(block, there, stride, offsets, count, costs);
  if (width % 16 == 0) return Several<false, OneRow<D16>>(block, there, stride, offsets, count, costs);
  if (width < 16) return Several<true, OneRow<D16>>(block, there, stride, offsets, count, costs);
  return Several<true, OneRow<D32>>(block, there, stride, offsets, count, costs);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(SadSeveralBytes);

SeveralCosts<std::uint8_t> several_byte_sads(std::int64_t target) {
  return HWY_DISPATCH_TABLE(SadSeveralBytes)[dispatch_index(target)];
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

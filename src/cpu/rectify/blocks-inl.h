// SPDX-License-Identifier: Apache-2.0
// Samples a run of pixels that has blocks (blocks.hpp): three rows of 16 bytes are loaded for each block, their bytes
// permuted, and multiplied by weights of 16 bits. Compiled once per target.

#if defined(VERGENCE_CPU_RECTIFY_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_RECTIFY_BLOCKS_INL_H_
#undef VERGENCE_CPU_RECTIFY_BLOCKS_INL_H_
#else
#define VERGENCE_CPU_RECTIFY_BLOCKS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "cpu/rectify/blocks.hpp"
#include "cpu/rectify/row.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 16 or 32 bytes.
using BlockBytes = hn::CappedTag<std::uint8_t, 32>;
using BlockHalves = hn::Repartition<std::int16_t, BlockBytes>;
using BlockWords = hn::Repartition<std::int32_t, BlockBytes>;
using BlockByteVector = hn::Vec<BlockBytes>;
using BlockHalfVector = hn::Vec<BlockHalves>;
using BlockWordVector = hn::Vec<BlockWords>;
constexpr int blocks_of_vector = static_cast<int>(hn::MaxLanes(BlockBytes()) / 16);

/// GCC makes a vector of equal numbers anew wherever it is used, in three instructions, unless it does not know them.
template <class T>
HWY_INLINE T Hidden(T value) {
  __asm__("" : "+r"(value));
  return value;
}

/// For the pixels of a block: which half of the map, by its lower byte, tells the place of a byte, and what is added.
template <class P>
struct BlockOrder;
template <>
struct BlockOrder<std::uint8_t> {
  alignas(16) static constexpr std::uint8_t halves[16] = {0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14};
  alignas(16) static constexpr std::uint8_t steps[16] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
};
template <>
struct BlockOrder<std::uint16_t> {
  alignas(16) static constexpr std::uint8_t halves[16] = {0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6};
  alignas(16) static constexpr std::uint8_t steps[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
};

/// Pixels of type P from the blocks of one source picture.
template <class P>
class BlockSampler {
 public:
  HWY_INLINE explicit BlockSampler(const RemapSource& source)
      : data_(source.data),
        stride_(source.stride),
        place_bits_(hn::Set(BlockHalves(), Hidden(std::int16_t{31}))),
        least_(hn::Set(BlockHalves(), Hidden(std::int16_t{-32768}))),
        half_least_(hn::Set(BlockHalves(), Hidden(std::int16_t{-16384}))),
        whole_(hn::Set(BlockHalves(), Hidden(std::int16_t{16384}))),
        largest_(hn::Set(BlockHalves(), static_cast<std::int16_t>(source.largest - 32768))),
        rounding_(hn::Set(BlockWords(), Hidden(std::int32_t{8192}))),
        high_bit_(hn::Set(BlockBytes(), Hidden(std::uint8_t{128}))),
        halves_(hn::LoadDup128(BlockBytes(), BlockOrder<P>::halves)),
        // Lookups yield 0 for numbers from 128 on, as places of the second row become.
        steps_(hn::Add(hn::LoadDup128(BlockBytes(), BlockOrder<P>::steps),
                       hn::Set(BlockBytes(), Hidden(std::uint8_t{128 - 16})))) {}

  /// remap_run pixels; the arguments are those of the run's first pixel and block.
  HWY_INLINE void Run(const std::int16_t* HWY_RESTRICT left, const std::int16_t* HWY_RESTRICT upper,
                      const std::uint32_t* HWY_RESTRICT places, P* HWY_RESTRICT out) const {
    const BlockHalves d;
    for (int i = 0; i < remap_run; i += 8 * blocks_of_vector) {
      const auto column = hn::Load(d, left + i);
      const auto in_block = hn::And(column, place_bits_);
      Pixels(in_block, Weights(hn::Xor(column, in_block), hn::Load(d, upper + i)), places + i / remap_block<P>,
             out + i);
    }
  }

 private:
  /// Of the pairs above and below, those of the lower and of the upper half of each 128 bits.
  struct PairWeights {
    BlockHalfVector lower_above, upper_above, lower_below, upper_below;
  };
  /// Weights of bilinear.h from 32 (x - 1024) and 16 (y - 1024): factors are negative, because 1024 becomes -32768, and
  /// +32768 is none.
  HWY_INLINE PairWeights Weights(BlockHalfVector left, BlockHalfVector upper) const {
    const BlockHalves d;
    const auto right = hn::Sub(least_, left), lower = hn::Sub(half_least_, upper);
    const auto here = hn::MulFixedPoint15(left, upper), beside = hn::MulFixedPoint15(right, upper);
    const auto below = hn::MulFixedPoint15(left, lower);
    const auto both = hn::Sub(hn::Sub(whole_, here), hn::Add(beside, below));
    return {hn::InterleaveLower(d, here, beside), hn::InterleaveUpper(d, here, beside),
            hn::InterleaveLower(d, below, both), hn::InterleaveUpper(d, below, both)};
  }

  /// The first bytes of blocks.
  struct Starts {
    const std::uint8_t* at[blocks_of_vector];
  };
  /// Every step-th block.
  HWY_INLINE Starts StartsOf(const std::uint32_t* places, int step) const {
    Starts starts;
    for (int i = 0; i < blocks_of_vector; ++i) {
      const std::uint32_t place = places[i * step];
      starts.at[i] = data_ + static_cast<std::ptrdiff_t>(place >> 16) * stride_ + (place & 0xFFFF) * sizeof(P);
    }
    return starts;
  }
  /// Sixteen bytes of each block.
  static HWY_INLINE BlockByteVector LoadBlocks(const Starts& starts, std::ptrdiff_t offset) {
    const BlockBytes d;
    if constexpr (blocks_of_vector == 1) {
      return hn::LoadU(d, starts.at[0] + offset);
    } else {
      const hn::Half<BlockBytes> dh;
      return hn::Combine(d, hn::LoadU(dh, starts.at[1] + offset), hn::LoadU(dh, starts.at[0] + offset));
    }
  }

  /// Bytes of the rows above and below.
  struct Taps {
    BlockByteVector above, below;
  };
  HWY_INLINE Taps TapsOf(const Starts& starts, BlockHalfVector in_block) const {
    const auto place = hn::TableLookupBytes(hn::BitCast(BlockBytes(), in_block), halves_);
    auto in_first = hn::Add(place, steps_);
#if !HWY_ARCH_X86 || HWY_TARGET == HWY_EMU128  // elsewhere only the lower four bits of numbers below 128 count
    in_first = hn::And(in_first, hn::Set(BlockBytes(), std::uint8_t{0x8F}));
#endif
    const auto in_second = hn::Xor(in_first, high_bit_);
    const auto first = LoadBlocks(starts, 0), second = LoadBlocks(starts, stride_);
    const auto third = LoadBlocks(starts, 2 * stride_);
    return {hn::Or(hn::TableLookupBytesOr0(first, in_first), hn::TableLookupBytesOr0(second, in_second)),
            hn::Or(hn::TableLookupBytesOr0(second, in_first), hn::TableLookupBytesOr0(third, in_second))};
  }

  /// start + the products of halves, added in pairs.
  static HWY_INLINE BlockWordVector AddPairs(BlockHalfVector a, BlockHalfVector b, BlockWordVector start) {
    const BlockWords d;
    auto high = hn::Zero(d);
    const auto low = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), high);
    return hn::Add(hn::RearrangeToOddPlusEven(low, high), start);
  }
  static HWY_INLINE BlockHalfVector Values(BlockWordVector lower, BlockWordVector upper) {
    return hn::ReorderDemote2To(BlockHalves(), hn::ShiftRight<14>(lower), hn::ShiftRight<14>(upper));
  }

  /// A vector of pixels: bytes.
  HWY_INLINE void Pixels(BlockHalfVector in_block, const PairWeights& weights, const std::uint32_t* places,
                         std::uint8_t* out) const {
    const BlockBytes d;
    const BlockHalves dh;
    const Taps taps = TapsOf(StartsOf(places, 1), in_block);
    const auto zero = hn::Zero(d);
    const auto lower = [&](BlockByteVector pairs) { return hn::BitCast(dh, hn::InterleaveLower(d, pairs, zero)); };
    const auto upper = [&](BlockByteVector pairs) { return hn::BitCast(dh, hn::InterleaveUpper(d, pairs, zero)); };
    const auto lower_above = AddPairs(lower(taps.above), weights.lower_above, rounding_);
    const auto upper_above = AddPairs(upper(taps.above), weights.upper_above, rounding_);
    const auto value = Values(AddPairs(lower(taps.below), weights.lower_below, lower_above),
                              AddPairs(upper(taps.below), weights.upper_below, upper_above));
    // Bytes leave no range: the error of weights is below half a step.
    hn::StoreU(hn::DemoteTo(hn::Rebind<std::uint8_t, BlockHalves>(), value), hn::Rebind<std::uint8_t, BlockHalves>(),
               out);
  }

  /// Of 16 bits: less 32768, so that they are signed. Blocks are half as long: of each 128 bits the even ones belong to
  /// the lower half, the odd ones to the upper half.
  HWY_INLINE BlockWordVector Sums(const Taps& taps, BlockHalfVector above, BlockHalfVector below) const {
    const BlockHalves d;
    const auto sum = AddPairs(hn::Xor(hn::BitCast(d, taps.above), least_), above, rounding_);
    return AddPairs(hn::Xor(hn::BitCast(d, taps.below), least_), below, sum);
  }
  HWY_INLINE void Pixels(BlockHalfVector in_block, const PairWeights& weights, const std::uint32_t* places,
                         std::uint16_t* out) const {
    const hn::RebindToUnsigned<BlockHalves> du;
    const Taps even = TapsOf(StartsOf(places, 2), in_block);
    const auto in_odd = hn::BitCast(BlockHalves(), hn::ShiftRightLanes<4>(BlockHalves(), in_block));
    const Taps odd = TapsOf(StartsOf(places + 1, 2), in_odd);
    const auto value = Values(Sums(even, weights.lower_above, weights.lower_below),
                              Sums(odd, weights.upper_above, weights.upper_below));
    // Saturated, so at least 0.
    hn::StoreU(hn::BitCast(du, hn::Xor(hn::Min(value, largest_), least_)), du, out);
  }

  const std::uint8_t* data_;
  std::ptrdiff_t stride_;
  BlockHalfVector place_bits_, least_, half_least_, whole_, largest_;
  BlockWordVector rounding_;
  BlockByteVector high_bit_, halves_, steps_;
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_RECTIFY_BLOCKS_INL_H_

// SPDX-License-Identifier: Apache-2.0
// Each small SIMD operation of cpu/simd_shims-inl.h and pair_products-inl.h alone, on every target of this machine, for
// all byte values.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stereo/simd_shims_test.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/pair_products-inl.h"
#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::test::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace shims = vergence::cpu::HWY_NAMESPACE;

int64_t CompiledFor() { return HWY_TARGET; }
size_t ByteLanes() { return hn::Lanes(hn::ScalableTag<uint8_t>()); }

/// `count` bytes, a multiple of ByteLanes().
void AbsDiff(const uint8_t* a, const uint8_t* b, size_t count, uint8_t* out) {
  const hn::ScalableTag<uint8_t> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(shims::AbsDiff8(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}

/// One sum for each eight of `count` bytes.
void SumsOfDifferences(const uint8_t* a, const uint8_t* b, size_t count, uint64_t* out) {
  const hn::ScalableTag<uint8_t> d;
  const hn::Repartition<uint64_t, decltype(d)> d64;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(shims::SumsOf8AbsDiff8(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d64, out + i / 8);
}

void PopCount(const uint8_t* in, size_t count, uint8_t* out) {
  const hn::ScalableTag<uint8_t> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(shims::PopCount8<1>(hn::LoadU(d, in + i)), d, out + i);
}

/// Of 3, 4 and 8 vectors together, each from a later byte of `in` on: three rows of `count` bytes.
template <size_t kCount>
void PopCountRow(const uint8_t* in, size_t count, uint8_t* out) {
  const hn::ScalableTag<uint8_t> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::Vec<decltype(d)> v[kCount];
    for (size_t j = 0; j < kCount; ++j) v[j] = hn::LoadU(d, in + i + j);
    hn::StoreU(shims::PopCountAll8(v), d, out + i);
  }
}
void PopCounts(const uint8_t* in, size_t count, uint8_t* out) {
  PopCountRow<3>(in, count, out);
  PopCountRow<4>(in, count, out + count);
  PopCountRow<8>(in, count, out + 2 * count);
}

/// Loads one vector, widens its lower and its upper interleaved half; in both ways.
void LoadWidened(const uint8_t* in, uint16_t* out) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<uint16_t> d16;
  const size_t n = hn::Lanes(d16);
  const auto lower = [&](auto loaded) HWY_ATTR { return hn::BitCast(d16, hn::InterleaveLower(loaded, hn::Zero(d8))); };
  const auto upper = [&](auto loaded)
                         HWY_ATTR { return hn::BitCast(d16, hn::InterleaveUpper(d8, loaded, hn::Zero(d8))); };
  const auto first = shims::LoadForInterleave(d8, in), second = shims::LoadForHalves(d8, in);
  hn::StoreU(lower(first), d16, out);
  hn::StoreU(upper(first), d16, out + n);
  hn::StoreU(shims::FirstHalf(d16, lower(second), upper(second)), d16, out + 2 * n);
  hn::StoreU(shims::SecondHalf(d16, lower(second), upper(second)), d16, out + 3 * n);
}

/// sums += plus - minus, for `count` bytes as the matcher has them: loaded, then added to running sums.
void AddDifferences(const uint8_t* plus, const uint8_t* minus, size_t count, uint16_t* sums) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<uint16_t> d16;
  const size_t n = hn::Lanes(d16);
  for (size_t i = 0; i < count; i += 2 * n) {
    auto low = hn::LoadU(d16, sums + i);
    auto high = hn::LoadU(d16, sums + i + n);
    shims::AddDifference(shims::LoadForInterleave(d8, plus + i), shims::LoadForInterleave(d8, minus + i), low, high);
    hn::StoreU(low, d16, sums + i);
    hn::StoreU(high, d16, sums + i + n);
  }
}

/// sums += plus^2 - minus^2, for `count` bytes.
void AddSquares(const uint8_t* plus, const uint8_t* minus, size_t count, uint32_t* sums) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::ScalableTag<uint32_t> d32;
  const size_t n = hn::Lanes(d32);
  for (size_t i = 0; i < count; i += 4 * n) {
    hn::Vec<decltype(d32)> four[4];
    for (size_t v = 0; v < 4; ++v) four[v] = hn::LoadU(d32, sums + i + v * n);
    shims::AddDifferenceOfSquares(shims::LoadForTwoInterleaves(d8, plus + i),
                                  shims::LoadForTwoInterleaves(d8, minus + i), four);
    for (size_t v = 0; v < 4; ++v) hn::StoreU(four[v], d32, sums + i + v * n);
  }
}

/// start + a0 b0 + a1 b1 for `count` numbers in pairs, in vectors of at most kCap of them.
template <size_t kCap>
void AddPairsCapped(const int16_t* a, const int16_t* b, size_t count, int32_t start, int32_t* out) {
  const hn::CappedTag<int16_t, kCap> d16;
  const hn::RepartitionToWide<decltype(d16)> d32;
  for (size_t i = 0; i < count; i += hn::Lanes(d16)) {
    auto high = hn::Zero(d32);
    const auto low = shims::AddPairProducts(d32, hn::LoadU(d16, a + i), hn::LoadU(d16, b + i), hn::Zero(d32), high);
    hn::StoreU(hn::Add(hn::RearrangeToOddPlusEven(low, high), hn::Set(d32, start)), d32, out + i / 2);
  }
}
void AddPairs(const int16_t* a, const int16_t* b, size_t count, int32_t start, int32_t* out) {
  AddPairsCapped<8>(a, b, count, start, out);
  AddPairsCapped<16>(a, b, count, start, out + count / 2);
  AddPairsCapped<32>(a, b, count, start, out + count);
}

/// Of vector after vector: shifted up into `up`, down into `down`, and the least lane in all lanes of `least`. `count`
/// is a multiple of the lanes; beyond both ends lies 77.
template <class T>
void AcrossLanes(const T* in, size_t count, T* up, T* down, T* least) {
  const hn::ScalableTag<T> d;
  const size_t n = hn::Lanes(d);
  const auto beyond = hn::Set(d, T{77});
  for (size_t i = 0; i < count; i += n) {
    const auto v = hn::LoadU(d, in + i);
    hn::StoreU(shims::ShiftUpOne(d, v, i == 0 ? beyond : hn::LoadU(d, in + i - n)), d, up + i);
    hn::StoreU(shims::ShiftDownOne(d, v, i + n == count ? beyond : hn::LoadU(d, in + i + n)), d, down + i);
    hn::StoreU(shims::LeastLane(d, v), d, least + i);
  }
}
void AcrossLanes8(const uint8_t* in, size_t count, uint8_t* up, uint8_t* down, uint8_t* least) {
  AcrossLanes(in, count, up, down, least);
}
void AcrossLanes16(const uint16_t* in, size_t count, uint16_t* up, uint16_t* down, uint16_t* least) {
  AcrossLanes(in, count, up, down, least);
}
void AcrossLanes32(const uint32_t* in, size_t count, uint32_t* up, uint32_t* down, uint32_t* least) {
  AcrossLanes(in, count, up, down, least);
}

}  // namespace vergence::test::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "cpu/context.hpp"

namespace vergence::test {

HWY_EXPORT(CompiledFor);
HWY_EXPORT(ByteLanes);
HWY_EXPORT(SumsOfDifferences);
HWY_EXPORT(AbsDiff);
HWY_EXPORT(PopCount);
HWY_EXPORT(PopCounts);
HWY_EXPORT(LoadWidened);
HWY_EXPORT(AddDifferences);
HWY_EXPORT(AddSquares);
HWY_EXPORT(AddPairs);
HWY_EXPORT(AcrossLanes8);
HWY_EXPORT(AcrossLanes16);
HWY_EXPORT(AcrossLanes32);

namespace {

/// All pairs of bytes in an order that puts different values side by side, behind one byte, so that no load is aligned.
struct Pairs {
  static constexpr std::size_t count = 65536;
  std::vector<std::uint8_t> a, b;
  Pairs() : a(count + 1), b(count + 1) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t pair = i * 40503 % count;  // odd: every pair comes once
      a[i + 1] = static_cast<std::uint8_t>(pair & 255);
      b[i + 1] = static_cast<std::uint8_t>(pair >> 8);
    }
  }
};

TEST(SimdShims, AllTargetsOfTheMachineAreTried) {
  for (const std::int64_t target : cpu::simd_targets()) {
    const std::size_t lanes = VERGENCE_DISPATCH(ByteLanes, target)();
    EXPECT_GE(lanes, 16u) << cpu::simd_name(target);
    EXPECT_EQ(Pairs::count % lanes, 0u) << cpu::simd_name(target);
  }
}

TEST(SimdShims, DispatchTakesTheFunctionOfTheTarget) {
  for (const std::int64_t target : cpu::simd_targets())
    EXPECT_EQ(VERGENCE_DISPATCH(CompiledFor, target)(), target) << cpu::simd_name(target);
#if (HWY_TARGETS & (HWY_TARGETS - 1)) != 0
  for (int bit = 0; bit < 63; ++bit) {
    // Of one that is not compiled in, the best lesser one runs: lesser targets have higher bits.
    int compiled = bit;
    while (compiled < 63 && (std::int64_t{HWY_TARGETS} >> compiled & 1) == 0) ++compiled;
    hwy::ChosenTarget chosen;
    chosen.Update(compiled < 63 ? std::int64_t{1} << compiled : 0);
    EXPECT_EQ(cpu::dispatch_index(std::int64_t{1} << bit), chosen.GetIndex()) << "bit " << bit;
  }
#endif
}

/// `across` is one of AcrossLanes; `bytes` are those of a vector.
template <class T, class Across>
void expect_across_lanes(std::int64_t target, std::size_t bytes, Across across) {
  constexpr std::size_t count = 1024;
  const std::size_t lanes = bytes / sizeof(T);
  std::vector<T> in(count), up(count), down(count), least(count);
  std::uint32_t state = 9;
  for (T& one : in) one = static_cast<T>((state = state * 1664525 + 1013904223) >> (sizeof(T) < 4 ? 9 : 0));
  across(in.data(), count, up.data(), down.data(), least.data());
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = in.begin() + static_cast<std::ptrdiff_t>(i / lanes * lanes);
    ASSERT_EQ(up[i], i == 0 ? T{77} : in[i - 1]) << cpu::simd_name(target) << ", lane " << i;
    ASSERT_EQ(down[i], i + 1 == count ? T{77} : in[i + 1]) << cpu::simd_name(target) << ", lane " << i;
    ASSERT_EQ(least[i], *std::min_element(first, first + static_cast<std::ptrdiff_t>(lanes)))
        << cpu::simd_name(target) << ", lane " << i;
  }
}

TEST(SimdShims, ShiftsByALaneAndTheLeastLane) {
  for (const std::int64_t target : cpu::simd_targets()) {
    const std::size_t bytes = VERGENCE_DISPATCH(ByteLanes, target)();
    expect_across_lanes<std::uint8_t>(target, bytes, VERGENCE_DISPATCH(AcrossLanes8, target));
    expect_across_lanes<std::uint16_t>(target, bytes, VERGENCE_DISPATCH(AcrossLanes16, target));
    expect_across_lanes<std::uint32_t>(target, bytes, VERGENCE_DISPATCH(AcrossLanes32, target));
  }
}

TEST(SimdShims, AbsoluteDifferencesOfAllPairsOfBytes) {
  const Pairs pairs;
  for (const std::int64_t target : cpu::simd_targets()) {
    std::vector<std::uint8_t> out(Pairs::count);
    VERGENCE_DISPATCH(AbsDiff, target)(pairs.a.data() + 1, pairs.b.data() + 1, Pairs::count, out.data());
    for (std::size_t i = 0; i < Pairs::count; ++i)
      ASSERT_EQ(out[i], std::abs(pairs.a[i + 1] - pairs.b[i + 1]))
          << cpu::simd_name(target) << ": " << +pairs.a[i + 1] << " and " << +pairs.b[i + 1];
  }
}

TEST(SimdShims, SumsOfEightDifferences) {
  const Pairs pairs;
  for (const std::int64_t target : cpu::simd_targets()) {
    std::vector<std::uint64_t> out(Pairs::count / 8);
    VERGENCE_DISPATCH(SumsOfDifferences, target)(pairs.a.data() + 1, pairs.b.data() + 1, Pairs::count, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint64_t expected = 0;
      for (std::size_t k = 8 * i + 1; k <= 8 * i + 8; ++k)
        expected += static_cast<std::uint64_t>(std::abs(int{pairs.a[k]} - int{pairs.b[k]}));
      ASSERT_EQ(out[i], expected) << cpu::simd_name(target) << ", sum " << i;
    }
  }
}

TEST(SimdShims, BitCountsOfAllBytesInAllLanes) {
  const Pairs pairs;
  for (const std::int64_t target : cpu::simd_targets()) {
    std::vector<std::uint8_t> out(Pairs::count);
    VERGENCE_DISPATCH(PopCount, target)(pairs.a.data() + 1, Pairs::count, out.data());
    for (std::size_t i = 0; i < Pairs::count; ++i)
      ASSERT_EQ(out[i], std::popcount(pairs.a[i + 1])) << cpu::simd_name(target) << ": " << +pairs.a[i + 1];
  }
}

TEST(SimdShims, BitCountsOfSeveralVectors) {
  constexpr std::size_t count = 8192, rows = 3;
  constexpr std::array<std::size_t, rows> together{3, 4, 8};
  std::mt19937 random(71);
  std::vector<std::uint8_t> in(count + 8);
  for (auto& byte : in) byte = static_cast<std::uint8_t>(random() >> 24);
  std::fill_n(in.begin(), 16, std::uint8_t{255});  // the largest counts
  for (const std::int64_t target : cpu::simd_targets()) {
    std::vector<std::uint8_t> out(rows * count);
    VERGENCE_DISPATCH(PopCounts, target)(in.data(), count, out.data());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < count; ++i) {
        int expected = 0;
        for (std::size_t j = 0; j < together[row]; ++j) expected += std::popcount(in[i + j]);
        ASSERT_EQ(out[row * count + i], expected)
            << cpu::simd_name(target) << ", " << together[row] << " vectors, byte " << i;
      }
  }
}

TEST(SimdShims, LoadedBytesComeOutInOrder) {
  for (const std::int64_t target : cpu::simd_targets()) {
    const std::size_t lanes = VERGENCE_DISPATCH(ByteLanes, target)();
    std::vector<std::uint8_t> in(lanes + 1);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(200 + i * 3);
    std::vector<std::uint16_t> out(2 * lanes);
    VERGENCE_DISPATCH(LoadWidened, target)(in.data() + 1, out.data());
    for (std::size_t i = 0; i < 2 * lanes; ++i)
      ASSERT_EQ(out[i], in[i % lanes + 1]) << cpu::simd_name(target) << ", lane " << i;
  }
}

TEST(SimdShims, DifferencesOfAllPairsAreAddedModulo65536) {
  const Pairs pairs;
  constexpr std::uint16_t starts[] = {0, 1, 254, 255, 0x7FFF, 0x8000, 0xFF00, 0xFFFF};
  for (const std::int64_t target : cpu::simd_targets())
    for (std::size_t turn = 0; turn < 8; ++turn) {
      std::vector<std::uint16_t> sums(Pairs::count);
      for (std::size_t i = 0; i < Pairs::count; ++i) sums[i] = starts[(i + turn) % 8];
      VERGENCE_DISPATCH(AddDifferences, target)
      (pairs.a.data() + 1, pairs.b.data() + 1, Pairs::count, sums.data());
      for (std::size_t i = 0; i < Pairs::count; ++i)
        ASSERT_EQ(sums[i], static_cast<std::uint16_t>(starts[(i + turn) % 8] + pairs.a[i + 1] - pairs.b[i + 1]))
            << cpu::simd_name(target) << ": " << starts[(i + turn) % 8] << " + " << +pairs.a[i + 1] << " - "
            << +pairs.b[i + 1];
    }
}

TEST(SimdShims, DifferencesOfSquaresOfAllPairsAreAddedInOrder) {
  const Pairs pairs;
  constexpr std::uint32_t starts[] = {0, 1, 65024, 65025, 65536, 0x7FFFFFFF, 0xFFFF0000, 0xFFFFFFFF};
  for (const std::int64_t target : cpu::simd_targets()) {
    std::vector<std::uint32_t> sums(Pairs::count);
    for (std::size_t i = 0; i < Pairs::count; ++i) sums[i] = starts[i % 8] + static_cast<std::uint32_t>(i);
    VERGENCE_DISPATCH(AddSquares, target)(pairs.a.data() + 1, pairs.b.data() + 1, Pairs::count, sums.data());
    for (std::size_t i = 0; i < Pairs::count; ++i) {
      const std::uint32_t a = pairs.a[i + 1], b = pairs.b[i + 1];
      ASSERT_EQ(sums[i], starts[i % 8] + static_cast<std::uint32_t>(i) + a * a - b * b)
          << cpu::simd_name(target) << ": " << a << ", " << b << " at " << i;
    }
  }
}

TEST(SimdShims, ProductsOfPairs) {
  constexpr std::size_t count = 4096;
  constexpr std::int16_t ends[] = {-32768, -32767, -1, 0, 1, 32766, 32767};
  std::vector<std::int16_t> a(count), b(count);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = i % 3 == 0 ? ends[i % 7] : static_cast<std::int16_t>(i * 40503);
    b[i] = i % 5 == 0 ? ends[i / 7 % 7] : static_cast<std::int16_t>(i * 30011 + 7);
    if (a[i] == -32768 && b[i] == -32768) b[i] = 5;  // a pair of these does not fit
  }
  for (const std::int64_t target : cpu::simd_targets()) {
    std::vector<std::int32_t> out(3 * count / 2);
    VERGENCE_DISPATCH(AddPairs, target)(a.data(), b.data(), count, 1000, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t k = 2 * (i % (count / 2));
      const std::int64_t sum = std::int64_t{a[k]} * b[k] + std::int64_t{a[k + 1]} * b[k + 1] + 1000;
      ASSERT_EQ(out[i], static_cast<std::int32_t>(sum)) << cpu::simd_name(target) << ", pair " << i;
    }
  }
}

}  // namespace
}  // namespace vergence::test
#endif  // HWY_ONCE

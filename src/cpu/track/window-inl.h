// SPDX-License-Identifier: Apache-2.0
// Windows between pixels, and sums over them, on vectors of 16-bit numbers. Compiled once per target.

#if defined(VERGENCE_CPU_TRACK_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_TRACK_WINDOW_INL_H_
#undef VERGENCE_CPU_TRACK_WINDOW_INL_H_
#else
#define VERGENCE_CPU_TRACK_WINDOW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/motion/rows-inl.h"
#include "cpu/track_stages.hpp"
#include "definitions/track/position.h"
#include "definitions/track/sample.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The weights of a window's samples, in pairs as they are multiplied: those of a row, and of the row below.
struct SampleWeights {
  SampleWeights(int x, int y)
      : here(definitions::weight_here(x, y)),
        right(definitions::weight_right(x, y)),
        below(definitions::weight_below(x, y)),
        both(definitions::weight_both(x, y)) {}
  int here, right, below, both;
};

/// Sums of products of pairs, for so many rows of a column of vectors that 32 bits hold them; then they are widened.
template <class D16>
class Products {
 public:
  using D32 = hn::RepartitionToWide<D16>;
  using D64 = hn::RepartitionToWide<D32>;
  using V16 = hn::VFromD<D16>;

  HWY_INLINE Products() : low_(hn::Zero(D32())), high_(hn::Zero(D32())), wide_(hn::Zero(D64())) {}
  HWY_INLINE void Take(V16 a, V16 b) { low_ = hn::ReorderWidenMulAccumulate(D32(), a, b, low_, high_); }
  HWY_INLINE void Widen() {
    wide_ = hn::Add(wide_, hn::Add(Wide(low_), Wide(high_)));
    low_ = high_ = hn::Zero(D32());
  }
  HWY_INLINE int64_t Total() const { return hn::GetLane(hn::SumOfLanes(D64(), wide_)); }

 private:
  static HWY_INLINE hn::VFromD<D64> Wide(hn::VFromD<D32> v) {
    const hn::Half<D32> half;
    return hn::Add(hn::PromoteTo(D64(), hn::LowerHalf(half, v)), hn::PromoteTo(D64(), hn::UpperHalf(half, v)));
  }
  hn::VFromD<D32> low_, high_;
  hn::VFromD<D64> wide_;
};

/// Windows of `side` pixels, kCap numbers of a row to a vector at most.
template <size_t kCap>
class Windows {
 public:
  using D16 = hn::CappedTag<int16_t, kCap>;
  using D32 = hn::RepartitionToWide<D16>;
  using V16 = hn::VFromD<D16>;
  using V32 = hn::VFromD<D32>;
  static constexpr int kStride = TrackWindow::stride;

  explicit Windows(int side) : side_(side) {}
  int side() const { return side_; }

  /// f(x) for each column of vectors.
  template <class F>
  HWY_INLINE void ForColumns(F&& f) const {
    const int lanes = static_cast<int>(hn::Lanes(D16()));
    for (int x = 0; x < side_; x += lanes) f(x);
  }

  /// take(y, samples) for the rows of a column of vectors from `from` on.
  template <class T, class F>
  HWY_INLINE void SampleColumn(const T* from, std::ptrdiff_t stride, const SampleWeights& weights, int shift,
                               F&& take) const {
    const D32 d32;
    const auto upper = hn::BitCast(D16(), hn::Set(d32, Pair(weights.here, weights.right)));
    const auto lower = hn::BitCast(D16(), hn::Set(d32, Pair(weights.below, weights.both)));
    const auto half = hn::Set(d32, 1 << (shift - 1));
    Row row = LoadRow(from);
    for (int y = 0; y < side_; ++y) {
      const Row next = LoadRow(from + (y + 1) * stride);
      const auto low = hn::Add(hn::Add(PairSums(row.low, upper), PairSums(next.low, lower)), half);
      const auto high = hn::Add(hn::Add(PairSums(row.high, upper), PairSums(next.high, lower)), half);
      take(y, hn::ReorderDemote2To(D16(), hn::ShiftRightSame(low, shift), hn::ShiftRightSame(high, shift)));
      row = next;
    }
  }

  /// The whole window; numbers behind its last column are 0.
  template <class T>
  HWY_INLINE void Sample(const T* from, std::ptrdiff_t stride, const SampleWeights& weights, int shift,
                         int16_t* HWY_RESTRICT out) const {
    ForColumns([&](int x) {
      const auto mask = FirstLanes(D16(), side_ - x);
      SampleColumn(from + x, stride, weights, shift,
                   [&](int y, V16 samples) { hn::Store(hn::And(samples, mask), D16(), out + y * kStride + x); });
    });
  }

  /// The sum of |a - b|; differences fit 16 bits.
  HWY_INLINE int64_t Difference(const int16_t* HWY_RESTRICT a, const int16_t* HWY_RESTRICT b) const {
    Products<D16> sum;
    const auto one = hn::Set(D16(), int16_t{1});
    ForColumns([&](int x) {
      for (int y = 0; y < side_; ++y) {
        const std::ptrdiff_t at = y * kStride + x;
        sum.Take(hn::Abs(hn::Sub(hn::Load(D16(), a + at), hn::Load(D16(), b + at))), one);
      }
      sum.Widen();
    });
    return sum.Total();
  }

  /// The sum of a x b, which are at most `rows` rows' products in 32 bits.
  HWY_INLINE int64_t Total(const int16_t* HWY_RESTRICT a, const int16_t* HWY_RESTRICT b, int rows) const {
    Products<D16> sum;
    ForColumns([&](int x) {
      for (int y = 0; y < side_;) {
        for (const int end = std::min(y + rows, side_); y < end; ++y) {
          const std::ptrdiff_t at = y * kStride + x;
          sum.Take(hn::Load(D16(), a + at), hn::Load(D16(), b + at));
        }
        sum.Widen();
      }
    });
    return sum.Total();
  }
  HWY_INLINE int64_t Total(const int16_t* HWY_RESTRICT a) const {
    Products<D16> sum;
    const auto one = hn::Set(D16(), int16_t{1});
    ForColumns([&](int x) {
      for (int y = 0; y < side_; ++y) sum.Take(hn::Load(D16(), a + y * kStride + x), one);
      sum.Widen();
    });
    return sum.Total();
  }

 private:
  /// Neighbours in pairs, the lower and the upper half of each block of 128 bits: what ReorderDemote2To undoes.
  struct Row {
    V16 low, high;
  };
  template <class T>
  static HWY_INLINE Row LoadRow(const T* p) {
    const auto left = LoadNumbers(p), right = LoadNumbers(p + 1);
    return {hn::InterleaveLower(D16(), left, right), hn::InterleaveUpper(D16(), left, right)};
  }
  static HWY_INLINE V16 LoadNumbers(const uint8_t* p) {
    return hn::PromoteTo(D16(), hn::LoadU(hn::Rebind<uint8_t, D16>(), p));
  }
  static HWY_INLINE V16 LoadNumbers(const uint16_t* p) {
    return hn::BitCast(D16(), hn::LoadU(hn::RebindToUnsigned<D16>(), p));
  }
  static HWY_INLINE V16 LoadNumbers(const int16_t* p) { return hn::LoadU(D16(), p); }
  static int32_t Pair(int first, int second) {
    return static_cast<int32_t>(static_cast<uint32_t>(first & 0xFFFF) | static_cast<uint32_t>(second) << 16);
  }
  static HWY_INLINE V32 PairSums(V16 a, V16 b) {
    auto high = hn::Zero(D32());
    const auto low = hn::ReorderWidenMulAccumulate(D32(), a, b, hn::Zero(D32()), high);
    return hn::RearrangeToOddPlusEven(low, high);
  }

  int side_;
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_TRACK_WINDOW_INL_H_

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
#include "cpu/pair_products-inl.h"
#include "cpu/track/stages.hpp"
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
  HWY_INLINE void Take(V16 a, V16 b) { low_ = AddPairProducts(D32(), a, b, low_, high_); }
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

/// Weighted sums rounded and shifted: by a number that is known, or not.
template <int kBits>
struct KnownShift {
  static constexpr int bits() { return kBits; }
  template <class V>
  HWY_INLINE V operator()(V sum) const {
    return hn::ShiftRight<kBits>(sum);
  }
};
struct AnyShift {
  int count;
  int bits() const { return count; }
  template <class V>
  HWY_INLINE V operator()(V sum) const {
    return hn::ShiftRightSame(sum, count);
  }
};

/// A column of vectors of a window, with one row to a vector or two, each in a half.
template <int kRows>
struct WindowColumn {
  static constexpr int rows = kRows;
  int x;
};

/// Windows of `side` pixels, kCap numbers to a vector at most. kTwoRows: their last column of vectors is at most half
/// as wide as a vector, whose halves are blocks of 128 bits, and has two rows to each. A window is kept row by row, but
/// these two lie where the first one has its place.
template <size_t kCap, bool kTwoRows, int kSide>
class Windows {
 public:
  using D16 = hn::CappedTag<int16_t, kCap>;
  using D32 = hn::RepartitionToWide<D16>;
  using V16 = hn::VFromD<D16>;
  using V32 = hn::VFromD<D32>;

  explicit Windows(int side) : any_side_(side), any_stride_(TrackWindows::stride(side)) {}
  int side() const { return kSide > 0 ? kSide : any_side_; }
  /// Numbers of a window, with those that do not count.
  int size() const { return (side() + side() % 2) * stride(); }
  /// Where a pixel's number is.
  std::ptrdiff_t place(int x, int y) const {
    constexpr int lanes = hn::MaxLanes(D16());
    const bool two = kTwoRows && x >= side() / lanes * lanes;
    return two ? (y - y % 2) * stride() + x + y % 2 * (lanes / 2) : y * stride() + x;
  }
  /// Distance of what a column's vectors hold.
  template <int kRows>
  std::ptrdiff_t step(WindowColumn<kRows>) const {
    return std::ptrdiff_t{kRows} * stride();
  }

  /// f(column) for each column of vectors.
  template <class F>
  HWY_INLINE void ForColumns(F&& f) const {
    const int lanes = static_cast<int>(hn::Lanes(D16()));
    int x = 0;
    for (; x + (kTwoRows ? lanes / 2 : 0) < side(); x += lanes) f(WindowColumn<1>{x});
    if constexpr (kTwoRows) {
      if (x < side()) f(WindowColumn<2>{x});
    }
  }
  /// What counts of a column's vectors.
  HWY_INLINE V16 Mask(WindowColumn<1> column) const { return FirstLanes(D16(), side() - column.x); }
  HWY_INLINE V16 Mask(WindowColumn<2> column) const {
    const auto half = FirstLanes(hn::Half<D16>(), side() - column.x);
    return hn::Combine(D16(), half, half);
  }

  /// take(samples) for what a column's vectors hold of `rows` rows from `from` on; half of the last one is 0 where two
  /// rows to a vector leave one over.
  template <class T, class Shift, class F>
  HWY_INLINE void SampleRows(WindowColumn<2>, const T* from, std::ptrdiff_t stride, int rows,
                             const SampleWeights& weights, Shift shift, F&& take) const {
    const Interpolation<Shift> between(weights, shift);
    int left = rows;
    for (; left >= 2; left -= 2, from += 2 * stride)
      take(between(LoadRows(from, from + stride), LoadRows(from + stride, from + 2 * stride)));
    if (left > 0) {
      const auto last = between(LoadRows(from, from), LoadRows(from + stride, from + stride));
      take(hn::ZeroExtendVector(D16(), hn::LowerHalf(last)));
    }
  }
  template <class T, class Shift, class F>
  HWY_INLINE void SampleRows(WindowColumn<1>, const T* from, std::ptrdiff_t stride, int rows,
                             const SampleWeights& weights, Shift shift, F&& take) const {
    const Interpolation<Shift> between(weights, shift);
    Row row = LoadRow(from);
    int left = rows;
    for (; left >= 2; left -= 2) {  // no row is moved from one name to another
      const Row next = LoadRow(from + stride);
      take(between(row, next));
      from += 2 * stride;
      row = LoadRow(from);
      take(between(next, row));
    }
    if (left > 0) take(between(row, LoadRow(from + stride)));
  }

  /// The whole window; numbers behind its last column are 0.
  template <class T, class Shift>
  HWY_INLINE void Sample(const T* from, std::ptrdiff_t stride, const SampleWeights& weights, Shift shift,
                         int16_t* HWY_RESTRICT out) const {
    ForColumns([&](auto column) __attribute__((always_inline)) {
      const auto mask = Mask(column);
      int16_t* to = out + column.x;
      SampleRows(column, from + column.x, stride, side(), weights, shift, [&](V16 samples) {
        hn::Store(hn::And(samples, mask), D16(), to);
        to += step(column);
      });
    });
  }

  /// The sum of |a - b|; differences fit 16 bits.
  HWY_INLINE int64_t Difference(const int16_t* HWY_RESTRICT a, const int16_t* HWY_RESTRICT b) const {
    const auto one = hn::Set(D16(), int16_t{1});
    return Sum(side(), [&](Products<D16>& sum, std::ptrdiff_t at) {
      sum.Take(hn::Abs(hn::Sub(hn::Load(D16(), a + at), hn::Load(D16(), b + at))), one);
    });
  }

  /// The sum of a x b, which are at most `rows` rows' products in 32 bits.
  HWY_INLINE int64_t Total(const int16_t* HWY_RESTRICT a, const int16_t* HWY_RESTRICT b, int rows) const {
    return Sum(rows, [&](Products<D16>& sum, std::ptrdiff_t at) {
      sum.Take(hn::Load(D16(), a + at), hn::Load(D16(), b + at));
    });
  }
  HWY_INLINE int64_t Total(const int16_t* HWY_RESTRICT a) const {
    const auto one = hn::Set(D16(), int16_t{1});
    return Sum(side(), [&](Products<D16>& sum, std::ptrdiff_t at) { sum.Take(hn::Load(D16(), a + at), one); });
  }

 private:
  /// The sum of what take(sum, place) adds for each vector, `rows` rows of which 32 bits hold.
  template <class F>
  HWY_INLINE int64_t Sum(int rows, F&& take) const {
    Products<D16> sum;
    ForColumns([&](auto column) __attribute__((always_inline)) {
      const std::ptrdiff_t end = column.x + std::ptrdiff_t{side()} * stride();
      for (std::ptrdiff_t at = column.x; at < end;) {
        for (const std::ptrdiff_t stop = std::min(at + rows * step(column), end); at < stop; at += step(column))
          take(sum, at);
        sum.Widen();
      }
    });
    return sum.Total();
  }

  /// Neighbours in pairs, the lower and the upper half of each block of 128 bits: what ReorderDemote2To undoes.
  struct Row {
    V16 low, high;
  };
  template <class T>
  static HWY_INLINE Row LoadRow(const T* p) {
    if constexpr (sizeof(T) == 1 && hn::MaxLanes(D16()) <= 16) return LoadBytes(p);
    const auto left = LoadNumbers(p), right = LoadNumbers(p + 1);
    return {hn::InterleaveLower(D16(), left, right), hn::InterleaveUpper(D16(), left, right)};
  }
  /// Half a vector from each.
  template <class T>
  static HWY_INLINE Row LoadRows(const T* first, const T* second) {
    if constexpr (sizeof(T) == 1) {
      const hn::Half<hn::Repartition<uint8_t, D16>> block;
      return PairBytes(hn::Combine(hn::Repartition<uint8_t, D16>(), hn::LoadU(block, second), hn::LoadU(block, first)));
    } else {
      const hn::Rebind<T, hn::Half<D16>> half;
      const auto both = [&](const T* a, const T* b) HWY_ATTR {
        return hn::BitCast(D16(), hn::Combine(hn::Rebind<T, D16>(), hn::LoadU(half, b), hn::LoadU(half, a)));
      };
      const auto left = both(first, second), right = both(first + 1, second + 1);
      return {hn::InterleaveLower(D16(), left, right), hn::InterleaveUpper(D16(), left, right)};
    }
  }
  static HWY_INLINE Row LoadBytes(const uint8_t* p) {
    const hn::Repartition<uint8_t, D16> d8;
    if constexpr (hn::MaxLanes(D16()) == 16) {
      const hn::Half<decltype(d8)> block;
      return PairBytes(hn::Combine(d8, hn::LoadU(block, p + 8), hn::LoadU(block, p)));
    } else {
      return PairBytes(hn::LoadU(d8, p));
    }
  }
  /// One look-up puts bytes in pairs and widens them: 8 samples from 9 bytes of each block of 128 bits.
  static HWY_INLINE Row PairBytes(hn::VFromD<hn::Repartition<uint8_t, D16>> bytes) {
    const hn::Repartition<uint8_t, D16> d8;
    constexpr uint8_t none = 0x80;  // a byte of zeros
    alignas(16) static constexpr uint8_t kLow[16] = {0, none, 1, none, 1, none, 2, none,
                                                     2, none, 3, none, 3, none, 4, none};
    alignas(16) static constexpr uint8_t kHigh[16] = {4, none, 5, none, 5, none, 6, none,
                                                      6, none, 7, none, 7, none, 8, none};
    return {hn::BitCast(D16(), hn::TableLookupBytesOr0(bytes, hn::LoadDup128(d8, kLow))),
            hn::BitCast(D16(), hn::TableLookupBytesOr0(bytes, hn::LoadDup128(d8, kHigh)))};
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
  /// start + a0 b0 + a1 b1 + c0 d0 + c1 d1 of neighbours.
  static HWY_INLINE V32 PairSums(V16 a, V16 b, V16 c, V16 d, V32 start) {
#if HWY_ARCH_X86
    V32 unused = start;  // one instruction adds neighbours' products to one sum
    return AddPairProducts(D32(), c, d, AddPairProducts(D32(), a, b, start, unused), unused);
#else
    V32 high = hn::Zero(D32());
    V32 low = AddPairProducts(D32(), a, b, hn::Zero(D32()), high);
    low = AddPairProducts(D32(), c, d, low, high);
    return hn::Add(hn::RearrangeToOddPlusEven(low, high), start);
#endif
  }

  /// Samples between a row and the next one.
  template <class Shift>
  class Interpolation {
   public:
    HWY_INLINE Interpolation(const SampleWeights& weights, Shift shift)
        : shift_(shift),
          upper_(hn::BitCast(D16(), hn::Set(D32(), Pair(weights.here, weights.right)))),
          lower_(hn::BitCast(D16(), hn::Set(D32(), Pair(weights.below, weights.both)))),
          half_(hn::Set(D32(), 1 << (shift.bits() - 1))) {}
    HWY_INLINE V16 operator()(const Row& row, const Row& next) const {
      return hn::ReorderDemote2To(D16(), shift_(PairSums(row.low, upper_, next.low, lower_, half_)),
                                  shift_(PairSums(row.high, upper_, next.high, lower_, half_)));
    }

   private:
    Shift shift_;
    V16 upper_, lower_;
    V32 half_;
  };

  /// Distance of a window's rows.
  int stride() const { return kSide > 0 ? TrackWindows::stride(kSide) : any_stride_; }

  int any_side_, any_stride_;
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_TRACK_WINDOW_INL_H_

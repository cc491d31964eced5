// SPDX-License-Identifier: Apache-2.0
// The cost of a tap (one pixel of the reference with its candidates), and window costs by running sums: a column of
// costs is updated by the row that enters and the row that leaves the window, the window by the column that enters and
// the one that leaves. Exact, because integers: the direct sums modulo nothing. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_
#undef VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_
#else
#define VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/band.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Where one row meets another: pixel `ref` of the reference and the candidates from `other` on. A small value that
/// lives in registers: one step right is the next pixel of both.
template <class E>
struct Cursor {
  const E* ref;
  const E* other;
  std::ptrdiff_t ref_stride, other_stride;

  HWY_INLINE Cursor(const RowPair<E>& row, int x, int position)
      : ref(row.ref + x), other(row.other + position), ref_stride(row.ref_stride), other_stride(row.other_stride) {}
  HWY_INLINE void Step() {
    ++ref;
    --other;
  }
};

/// How bytes are loaded: one after the other, or so that halves of 16 bits come apart in order.
struct InOrder {
  template <class D8>
  static HWY_INLINE hn::VFromD<D8> Load(D8 d, const uint8_t* p) {
    return hn::LoadU(d, p);
  }
};
struct ForInterleave {
  template <class D8>
  static HWY_INLINE hn::VFromD<D8> Load(D8 d, const uint8_t* p) {
    return LoadForInterleave(d, p);
  }
};

/// Costs that fit a byte, of a vector of candidates from `k` on: |a - b|. kSmall: values below 128, whose difference is
/// a signed byte.
template <bool kSmall>
struct SadTap {
  using Element = uint8_t;
  static constexpr int planes = 1;
  template <class Order, class D8>
  static HWY_INLINE hn::VFromD<D8> Cost(D8 d, const Cursor<uint8_t>& at, int k) {
    const auto ref = hn::Set(d, *at.ref), other = Order::Load(d, at.other + k);
    if constexpr (kSmall) {
      const hn::RebindToSigned<D8> signed_bytes;
      return hn::BitCast(d, hn::Abs(hn::BitCast(signed_bytes, hn::Sub(ref, other))));
    } else {
      return AbsDiff8(ref, other);
    }
  }
};

/// Hamming distance of census words that lie as byte planes.
template <int kPlanes>
struct CensusTap {
  using Element = uint8_t;
  static constexpr int planes = kPlanes;
  template <class Order, class D8>
  static HWY_INLINE hn::VFromD<D8> Cost(D8 d, const Cursor<uint8_t>& at, int k) {
    hn::VFromD<D8> differing[size_t{kPlanes}];
    for (int p = 0; p < kPlanes; ++p)
      differing[p] = hn::Xor(hn::Set(d, at.ref[p * at.ref_stride]), Order::Load(d, at.other + p * at.other_stride + k));
    return PopCountAll8(differing);
  }
};

/// Costs of any width, for the compiler's vectoriser.
template <class E, bool kSquare>
struct WideTap {
  using Element = E;
  static HWY_INLINE uint32_t Scalar(const Cursor<E>& at, int k) {
    const int32_t difference = int32_t{*at.ref} - int32_t{at.other[k]};
    const auto magnitude = static_cast<uint32_t>(difference < 0 ? -difference : difference);
    return kSquare ? magnitude * magnitude : magnitude;
  }
};

/// True for the taps above that fit a byte.
template <class Tap>
inline constexpr bool fits_byte = true;
template <class E, bool kSquare>
inline constexpr bool fits_byte<WideTap<E, kSquare>> = false;

/// The costs of `count` candidates, a whole number of vectors or costs that do not fit a byte.
template <class Tap, class T>
HWY_INLINE void TapCosts(const Cursor<typename Tap::Element>& at, int count, T* HWY_RESTRICT out) {
  if constexpr (fits_byte<Tap>) {
    const hn::ScalableTag<uint8_t> d;
    const int n = static_cast<int>(hn::Lanes(d));
    uint8_t own[Tap::planes];  // which no store can change: their vectors stay in registers
    for (int p = 0; p < Tap::planes; ++p) own[p] = at.ref[p * at.ref_stride];
    Cursor<uint8_t> here = at;
    here.ref = own;
    here.ref_stride = 1;
    for (int k = 0; k < count; k += n) hn::Store(Tap::template Cost<InOrder>(d, here, k), d, out + k);
  } else {
    for (int k = 0; k < count; ++k) out[k] = static_cast<T>(Tap::Scalar(at, k));
  }
}

/// The two rows that change the columns: `plus` enters the window, `minus` leaves it. `inside` as in PreparedRows.
template <class E>
struct RowChange {
  RowPair<E> plus, minus;
  const uint8_t* inside;
};

/// Sums of 16 bits from byte taps. A unit of candidates is a vector of sums; a block of two, which come from one vector
/// of taps, stays in registers along the row.
template <class Tap>
class ByteSums {
 public:
  using Sum = uint16_t;
  using Element = uint8_t;
  static constexpr int block = 2;  ///< Units.
  static int UnitLanes() { return static_cast<int>(hn::Lanes(hn::ScalableTag<uint16_t>())); }

  /// Columns [first, last) of the unit at candidate `k0` after the row change, and their sum on top of its `window`;
  /// `columns` is column 0 at that candidate.
  template <bool kMasked>
  static HWY_INLINE void Enter(const RowChange<uint8_t>& rows, const MatchLayout& layout, int first, int last, int k0,
                               uint16_t* columns, uint16_t* window) {
    const hn::ScalableTag<uint16_t> d16;
    Change<kMasked> change(rows, layout, first, k0);
    uint16_t* column = columns + first * static_cast<std::ptrdiff_t>(layout.padded);
    auto sum = hn::Load(d16, window);
    for (int count = last - first; count > 0; --count, column += layout.padded) {
      auto taps = hn::Load(d16, column), unused = taps;
      change.AddTo(taps, unused);
      change.Step();
      hn::Store(taps, d16, column);
      sum = hn::Add(sum, taps);
    }
    hn::Store(sum, d16, window);
  }

  /// Pixels [x0, x1) of kUnits units at candidate `k0`: the entering column x + rx is updated when kUpdate, then window
  /// sums go to slab rows. `window` holds the running sums between calls; `columns` is column 0 at candidate k0.
  template <int kUnits, bool kUpdate, bool kMasked, bool kOutside>
  static HWY_INLINE void Slide(const RowChange<uint8_t>& rows, const MatchLayout& layout, int x0, int x1, int k0,
                               const uint16_t* outside, uint16_t* columns, uint16_t* window, uint16_t* slab) {
    constexpr bool kBoth = kUnits == 2;
    const hn::ScalableTag<uint16_t> d16;
    const size_t n = kBoth ? hn::Lanes(d16) : 0;  // a lone unit is its own second one, which the compiler leaves out
    auto low = hn::Load(d16, window);
    auto high = hn::Load(d16, window + n);
    const std::ptrdiff_t step = layout.padded;
    const std::ptrdiff_t slab_step = layout.slab_stride();
    uint16_t* in = columns + (x0 + layout.rx) * step;
    const uint16_t* out = columns + (x0 - layout.rx - 1) * step;
    Change<kMasked> change(rows, layout, kUpdate ? x0 + layout.rx : 0, k0);
    outside += layout.position(x0, k0);
    for (int count = x1 - x0; count > 0; --count) {
      auto in_low = hn::Load(d16, in);
      auto in_high = hn::Load(d16, in + n);
      if (kUpdate) {
        change.AddTo(in_low, in_high);
        change.Step();
        hn::Store(in_low, d16, in);
        if (kBoth) hn::Store(in_high, d16, in + n);
      }
      low = hn::Add(low, hn::Sub(in_low, hn::Load(d16, out)));
      if (kBoth) high = hn::Add(high, hn::Sub(in_high, hn::Load(d16, out + n)));
      if (kOutside) {
        hn::Store(hn::Or(low, hn::LoadU(d16, outside)), d16, slab);
        if (kBoth) hn::Store(hn::Or(high, hn::LoadU(d16, outside + n)), d16, slab + n);
        --outside;
      } else {
        hn::Store(low, d16, slab);
        if (kBoth) hn::Store(high, d16, slab + n);
      }
      in += step;
      out += step;
      slab += slab_step;
    }
    hn::Store(low, d16, window);
    if (kBoth) hn::Store(high, d16, window + n);
  }

 private:
  /// What the row change does to one column, then to the next.
  template <bool kMasked>
  struct Change {
    Cursor<uint8_t> plus, minus;
    const uint8_t* inside;

    HWY_INLINE Change(const RowChange<uint8_t>& rows, const MatchLayout& layout, int x, int k0)
        : plus(rows.plus, x, layout.position(x, k0)),
          minus(rows.minus, x, layout.position(x, k0)),
          inside(rows.inside + layout.position(x, k0)) {}
    HWY_INLINE void Step() {
      plus.Step();
      minus.Step();
      --inside;
    }
    template <class V16>
    HWY_INLINE void AddTo(V16& low, V16& high) const {
      const hn::ScalableTag<uint8_t> d8;
      auto added = Tap::template Cost<ForInterleave>(d8, plus, 0);
      auto removed = Tap::template Cost<ForInterleave>(d8, minus, 0);
      if (kMasked) {
        const auto mask = LoadForInterleave(d8, inside);
        added = hn::And(added, mask);
        removed = hn::And(removed, mask);
      }
      AddDifference(added, removed, low, high);
    }
  };
};

/// Sums of any width from any tap, written for the compiler's vectoriser. A unit is a block too.
template <class Tap, class S>
class WideSums {
 public:
  using Sum = S;
  using Element = typename Tap::Element;
  static constexpr int block = 1;  ///< Units.
  static constexpr int UnitLanes() { return unit; }

  template <bool kMasked>
  static HWY_INLINE void Enter(const RowChange<Element>& rows, const MatchLayout& layout, int first, int last, int k0,
                               S* columns, S* window) {
    for (int x = first; x < last; ++x) {
      const S* HWY_RESTRICT column = columns + x * static_cast<std::ptrdiff_t>(layout.padded);
      Update<kMasked>(rows, layout, x, k0, columns + x * static_cast<std::ptrdiff_t>(layout.padded));
      for (int k = 0; k < unit; ++k) window[k] = static_cast<S>(window[k] + column[k]);
    }
  }

  template <int kUnits, bool kUpdate, bool kMasked, bool kOutside>
  static HWY_INLINE void Slide(const RowChange<Element>& rows, const MatchLayout& layout, int x0, int x1, int k0,
                               const S* outside, S* columns, S* window, S* slab) {
    const std::ptrdiff_t step = layout.padded, slab_step = layout.slab_stride();
    S* in = columns + (x0 + layout.rx) * step;
    const S* out = columns + (x0 - layout.rx - 1) * step;
    for (int x = x0; x < x1; ++x) {
      if (kUpdate) Update<kMasked>(rows, layout, x + layout.rx, k0, in);
      Move<kOutside>(in, out, outside + layout.position(x, k0), window, slab);
      in += step;
      out += step;
      slab += slab_step;
    }
  }

 private:
  static constexpr int unit = MatchLayout::wide_unit;

  template <bool kMasked>
  static HWY_INLINE void Update(const RowChange<Element>& rows, const MatchLayout& layout, int x, int k0,
                                S* HWY_RESTRICT column) {
    const int position = layout.position(x, k0);
    const Cursor<Element> plus(rows.plus, x, position), minus(rows.minus, x, position);
    const uint8_t* HWY_RESTRICT inside = rows.inside + position;
    if constexpr (fits_byte<Tap>) {
      HWY_ALIGN uint8_t added[unit], removed[unit];
      TapCosts<Tap>(plus, unit, added);
      TapCosts<Tap>(minus, unit, removed);
      for (int k = 0; k < unit; ++k) {
        const auto change = static_cast<S>(S{added[k]} - S{removed[k]});
        column[k] = static_cast<S>(column[k] + (kMasked && inside[k] == 0 ? S{0} : change));
      }
    } else {
      for (int k = 0; k < unit; ++k) {
        const auto change =
            static_cast<S>(static_cast<S>(Tap::Scalar(plus, k)) - static_cast<S>(Tap::Scalar(minus, k)));
        column[k] = static_cast<S>(column[k] + (kMasked && inside[k] == 0 ? S{0} : change));
      }
    }
  }

  template <bool kOutside>
  static HWY_INLINE void Move(const S* HWY_RESTRICT in, const S* HWY_RESTRICT out, const S* HWY_RESTRICT outside,
                              S* HWY_RESTRICT window, S* HWY_RESTRICT slab) {
    for (int k = 0; k < unit; ++k) {
      window[k] = static_cast<S>(window[k] + static_cast<S>(in[k] - out[k]));
      slab[k] = kOutside ? static_cast<S>(window[k] | outside[k]) : window[k];
    }
  }
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_

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
/// The same for quarters of 32 bits.
struct ForTwoInterleaves {
  template <class D8>
  static HWY_INLINE hn::VFromD<D8> Load(D8 d, const uint8_t* p) {
    return LoadForTwoInterleaves(d, p);
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

/// Sums of 16 bits of taps that fit a byte. A unit of candidates is a vector of sums; a block of two, which come from
/// one vector of taps, stays in registers along the row. With AVX2 taps are loaded in order, since an exchange of
/// quarters takes longer than one of halves at the end: a unit is two vectors, of quarters 0 and 2, and 1 and 3.
template <class AnyTap>
struct SumsOfTaps {
  using Sum = uint16_t;
  using Tap = AnyTap;
#if HWY_TARGET == HWY_AVX2
  using Order = InOrder;
  static constexpr bool crossed = true;
  static constexpr int unit_vectors = 2;
  static constexpr int block = 1;  ///< Units.
#else
  using Order = ForInterleave;
  static constexpr bool crossed = false;
  static constexpr int unit_vectors = 1;
  static constexpr int block = 2;  ///< Units.
#endif
  static constexpr size_t of_taps = 2;  ///< Vectors of sums that a vector of taps goes to.
  /// The first kVectors of these.
  template <size_t kVectors, class V8, class V16>
  static HWY_INLINE void Add(V8 added, V8 removed, V16* sums) {
    auto unused = sums[0];  // which the compiler leaves out
    AddDifference(added, removed, sums[0], kVectors == 1 ? unused : sums[kVectors - 1]);
  }
};

/// Sums of 32 bits of the squares of differences of bytes. A unit is what comes of one vector of bytes.
struct SumsOfSquares {
  using Sum = uint32_t;
  using Tap = SadTap<false>;
  using Order = ForTwoInterleaves;
  static constexpr bool crossed = false;
  static constexpr int unit_vectors = 4;
  static constexpr int block = 1;  ///< Units.
  static constexpr size_t of_taps = 4;
  template <size_t kVectors, class V8, class V32>
  static HWY_INLINE void Add(V8 added, V8 removed, V32* sums) {
    static_assert(kVectors == of_taps);
    AddDifferenceOfSquares(added, removed, sums);
  }
};

/// Running sums in whole vectors, in one of the ways above.
template <class Way>
class VectorSums {
 public:
  using Sum = typename Way::Sum;
  using Element = uint8_t;
  static constexpr int block = Way::block;  ///< Units.
  /// Units that stay in registers together where there are so many.
  static constexpr int most = Way::of_taps == 2 && Way::Tap::planes == 1 ? 4 / Way::unit_vectors : block;
  static int UnitLanes() { return Way::unit_vectors * static_cast<int>(hn::Lanes(D())); }

  /// Columns [first, last) of the unit at candidate `k0` after the row change, and their sum on top of its `window`;
  /// `columns` is column 0 at that candidate.
  template <bool kMasked>
  static HWY_INLINE void Enter(const RowChange<uint8_t>& rows, const MatchLayout& layout, int first, int last, int k0,
                               Sum* columns, Sum* window) {
    constexpr size_t kVectors = Way::unit_vectors;
    Change<kMasked> change(rows, layout, first, k0);
    Sum* column = columns + first * static_cast<std::ptrdiff_t>(layout.padded);
    Vectors<kVectors> sums(window);
    for (int count = last - first; count > 0; --count, column += layout.padded) {
      Vectors<kVectors> taps(column);
      change.AddTo(taps);
      change.Step();
      taps.Store(column);
      for (size_t v = 0; v < kVectors; ++v) sums.v[v] = hn::Add(sums.v[v], taps.v[v]);
    }
    sums.Store(window);
  }

  /// Pixels [x0, x1) of kUnits units at candidate `k0`: the entering column x + rx is updated when kUpdate, then window
  /// sums go to slab rows. `window` holds the running sums between calls; `columns` is column 0 at candidate k0.
  template <int kUnits, bool kUpdate, bool kMasked, bool kOutside>
  static HWY_INLINE void Slide(const RowChange<uint8_t>& rows, const MatchLayout& layout, int x0, int x1, int k0,
                               const Sum* outside, Sum* columns, Sum* window, Sum* slab) {
    constexpr size_t kVectors = kUnits * Way::unit_vectors;
    const D d;
    const size_t n = hn::Lanes(d);
    Vectors<kVectors> sums(window);
    const std::ptrdiff_t step = layout.padded;
    const std::ptrdiff_t slab_step = layout.slab_stride();
    Sum* in = columns + (x0 + layout.rx) * step;
    const Sum* out = columns + (x0 - layout.rx - 1) * step;
    Change<kMasked> change(rows, layout, kUpdate ? x0 + layout.rx : 0, k0);
    outside += layout.position(x0, k0);
    for (int count = x1 - x0; count > 0; --count) {
      Vectors<kVectors> entering(in);
      if (kUpdate) {
        change.AddTo(entering);
        change.Step();
        entering.Store(in);
      }
      for (size_t v = 0; v < kVectors; ++v)
        sums.v[v] = hn::Add(sums.v[v], hn::Sub(entering.v[v], hn::Load(d, out + v * n)));
      sums.template StoreInOrder<kOutside>(outside, slab);
      if (kOutside) --outside;
      in += step;
      out += step;
      slab += slab_step;
    }
    sums.Store(window);
  }

 private:
  using D = hn::ScalableTag<Sum>;

  template <size_t kVectors>
  struct Vectors {
    hn::VFromD<D> v[kVectors];

    explicit HWY_INLINE Vectors(const Sum* from) {
      for (size_t i = 0; i < kVectors; ++i) v[i] = hn::Load(D(), from + i * hn::Lanes(D()));
    }
    HWY_INLINE void Store(Sum* to) const {
      for (size_t i = 0; i < kVectors; ++i) hn::Store(v[i], D(), to + i * hn::Lanes(D()));
    }
    /// With kOutside none where `outside` has it.
    template <bool kOutside>
    HWY_INLINE void StoreInOrder(const Sum* outside, Sum* to) const {
      const D d;
      const size_t n = hn::Lanes(d);
      const auto store = [&](hn::VFromD<D> sums, size_t i) HWY_ATTR {
        hn::Store(kOutside ? hn::Or(sums, hn::LoadU(d, outside + i * n)) : sums, d, to + i * n);
      };
      for (size_t i = 0; i < kVectors; ++i) {
        if constexpr (!Way::crossed)
          store(v[i], i);
        else if (i % 2 == 0)
          store(hn::ConcatLowerLower(d, v[i + 1], v[i]), i);
        else
          store(hn::ConcatUpperUpper(d, v[i], v[i - 1]), i);
      }
    }
  };

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
    template <size_t kVectors>
    HWY_INLINE void AddTo(Vectors<kVectors>& sums) const {
      using Order = typename Way::Order;
      constexpr size_t kEach = kVectors < Way::of_taps ? kVectors : Way::of_taps;
      const hn::ScalableTag<uint8_t> d8;
      for (size_t v = 0; v < kVectors; v += kEach) {
        const int k = static_cast<int>(v / kEach * hn::Lanes(d8));
        auto added = Way::Tap::template Cost<Order>(d8, plus, k);
        auto removed = Way::Tap::template Cost<Order>(d8, minus, k);
        if (kMasked) {
          const auto mask = Order::Load(d8, inside + k);
          added = hn::And(added, mask);
          removed = hn::And(removed, mask);
        }
        Way::template Add<kEach>(added, removed, sums.v + v);
      }
    }
  };
};

/// Sums of 16 bits of costs that fit a byte.
template <class Tap>
using ByteSums = VectorSums<SumsOfTaps<Tap>>;

/// Sums of any width from any tap, written for the compiler's vectoriser. A unit is a block too.
template <class Tap, class S>
class WideSums {
 public:
  using Sum = S;
  using Element = typename Tap::Element;
  static constexpr int block = 1, most = 1;  ///< Units.
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

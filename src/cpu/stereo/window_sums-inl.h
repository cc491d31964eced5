// SPDX-License-Identifier: Apache-2.0
// Window costs by running sums: a column of costs is updated by the row that enters and the row that leaves the window,
// the window by the column that enters and the one that leaves. Exact, because integers: the direct sums modulo nothing.
// Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_
#undef VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_
#else
#define VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "cpu/simd_shims-inl.h"
#include "cpu/stereo/band.hpp"
#include "cpu/stereo/layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Tap costs that fit a byte: |a - b|.
struct SadTap {
  using Element = uint8_t;
  static constexpr int planes = 1;
  template <class D8>
  static HWY_INLINE hn::VFromD<D8> Cost(D8 d, const RowPair<uint8_t>& row, int x, int position) {
    return AbsDiff8(hn::Set(d, row.ref[x]), LoadForInterleave(d, row.other + position));
  }
  static uint32_t Scalar(const RowPair<uint8_t>& row, int x, int position) {
    const int difference = int{row.ref[x]} - int{row.other[position]};
    return static_cast<uint32_t>(difference < 0 ? -difference : difference);
  }
};

/// Hamming distance of census words that lie as byte planes.
template <int kPlanes>
struct CensusTap {
  using Element = uint8_t;
  static constexpr int planes = kPlanes;
  template <class D8>
  static HWY_INLINE hn::VFromD<D8> Cost(D8 d, const RowPair<uint8_t>& row, int x, int position) {
    auto sum = hn::Zero(d);
    for (int p = 0; p < kPlanes; ++p) {
      const auto word = hn::Set(d, row.ref[p * row.ref_stride + x]);
      const auto other = LoadForInterleave(d, row.other + p * row.other_stride + position);
      sum = hn::Add(sum, PopCount8(hn::Xor(word, other)));
    }
    return sum;
  }
  static uint32_t Scalar(const RowPair<uint8_t>& row, int x, int position) {
    uint32_t sum = 0;
    for (int p = 0; p < kPlanes; ++p)
      sum += static_cast<uint32_t>(__builtin_popcount(static_cast<unsigned>(
          row.ref[p * row.ref_stride + x] ^ row.other[p * row.other_stride + position])));
    return sum;
  }
};

/// Tap costs of more than a byte.
template <class E, bool kSquare>
struct WideTap {
  using Element = E;
  static constexpr int planes = 1;
  static HWY_INLINE uint32_t Scalar(const RowPair<E>& row, int x, int position) {
    const int32_t difference = int32_t{row.ref[x]} - int32_t{row.other[position]};
    const auto magnitude = static_cast<uint32_t>(difference < 0 ? -difference : difference);
    return kSquare ? magnitude * magnitude : magnitude;
  }
};

/// The two rows that change the columns: `plus` enters the window, `minus` leaves it. `inside` is 255 at positions of the
/// mirrored row that lie in the picture.
template <class E>
struct RowChange {
  RowPair<E> plus, minus;
  const uint8_t* inside;
};

/// Sums of 16 bits from byte taps: one block of Lanes(bytes) candidates at a time, in registers along the row.
template <class Tap>
class ByteSums {
 public:
  using Sum = uint16_t;
  using Element = uint8_t;

  /// Column `x` of block `k0` after the row change; all arrays start at candidate k0.
  template <bool kMasked>
  static HWY_INLINE void Update(const RowChange<uint8_t>& rows, const MatchLayout& layout, int x, int k0,
                                uint16_t* HWY_RESTRICT column) {
    const hn::ScalableTag<uint8_t> d8;
    const hn::ScalableTag<uint16_t> d16;
    auto low = hn::Load(d16, column);
    auto high = hn::Load(d16, column + hn::Lanes(d16));
    Change<kMasked>(rows, x, layout.position(x, k0), low, high);
    hn::Store(low, d16, column);
    hn::Store(high, d16, column + hn::Lanes(d16));
    (void)d8;
  }

  template <bool kMasked, class V16>
  static HWY_INLINE void Change(const RowChange<uint8_t>& rows, int x, int position, V16& low, V16& high) {
    const hn::ScalableTag<uint8_t> d8;
    auto plus = Tap::Cost(d8, rows.plus, x, position);
    auto minus = Tap::Cost(d8, rows.minus, x, position);
    if (kMasked) {
      const auto mask = LoadForInterleave(d8, rows.inside + position);
      plus = hn::And(plus, mask);
      minus = hn::And(minus, mask);
    }
    AddDifference(plus, minus, low, high);
  }

  /// Pixels [x0, x1): the entering column x + rx is updated when kUpdate, then window sums go to slab rows. `window` holds
  /// the running sums of this block between calls; `columns` is column 0 of this block.
  template <bool kUpdate, bool kMasked>
  static HWY_INLINE void Slide(const RowChange<uint8_t>& rows, const MatchLayout& layout, int x0, int x1, int k0,
                               uint16_t* columns, uint16_t* window, uint16_t* slab) {
    const hn::ScalableTag<uint16_t> d16;
    const size_t n = hn::Lanes(d16);
    auto low = hn::Load(d16, window);
    auto high = hn::Load(d16, window + n);
    const std::ptrdiff_t step = layout.padded;
    const std::ptrdiff_t slab_step = layout.slab_stride();
    uint16_t* HWY_RESTRICT in = columns + (x0 + layout.rx) * step;
    const uint16_t* out = columns + (x0 - layout.rx - 1) * step;
    for (int x = x0; x < x1; ++x, in += step, out += step, slab += slab_step) {
      auto in_low = hn::Load(d16, in);
      auto in_high = hn::Load(d16, in + n);
      if (kUpdate) {
        Change<kMasked>(rows, x + layout.rx, layout.position(x + layout.rx, k0), in_low, in_high);
        hn::Store(in_low, d16, in);
        hn::Store(in_high, d16, in + n);
      }
      low = hn::Add(low, hn::Sub(in_low, hn::Load(d16, out)));
      high = hn::Add(high, hn::Sub(in_high, hn::Load(d16, out + n)));
      hn::Store(low, d16, slab);
      hn::Store(high, d16, slab + n);
    }
    hn::Store(low, d16, window);
    hn::Store(high, d16, window + n);
  }

  static size_t BlockLanes() { return hn::Lanes(hn::ScalableTag<uint8_t>()); }
};

/// Sums of any width from any tap, written for the compiler's vectoriser: one block is all candidates.
template <class Tap, class S>
class WideSums {
 public:
  using Sum = S;
  using Element = typename Tap::Element;

  template <bool kMasked>
  static HWY_INLINE void Update(const RowChange<Element>& rows, const MatchLayout& layout, int x, int k0,
                                S* HWY_RESTRICT column) {
    const int position = layout.position(x, k0);
    const int count = static_cast<int>(BlockLanes());
    for (int k = 0; k < count; ++k) {
      S change = static_cast<S>(static_cast<S>(Tap::Scalar(rows.plus, x, position + k)) -
                                static_cast<S>(Tap::Scalar(rows.minus, x, position + k)));
      if (kMasked && rows.inside[position + k] == 0) change = 0;
      column[k] = static_cast<S>(column[k] + change);
    }
  }

  template <bool kUpdate, bool kMasked>
  static HWY_INLINE void Slide(const RowChange<Element>& rows, const MatchLayout& layout, int x0, int x1, int k0,
                               S* columns, S* window, S* slab) {
    const int count = static_cast<int>(BlockLanes());
    const std::ptrdiff_t step = layout.padded;
    for (int x = x0; x < x1; ++x, slab += layout.slab_stride()) {
      S* in = columns + (x + layout.rx) * step;
      const S* out = columns + (x - layout.rx - 1) * step;
      if (kUpdate) Update<kMasked>(rows, layout, x + layout.rx, k0, in);
      for (int k = 0; k < count; ++k) {
        window[k] = static_cast<S>(window[k] + static_cast<S>(in[k] - out[k]));
        slab[k] = window[k];
      }
    }
  }

  static constexpr size_t BlockLanes() { return 64; }
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_WINDOW_SUMS_INL_H_

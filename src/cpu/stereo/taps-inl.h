// SPDX-License-Identifier: Apache-2.0
// The cost of one tap: one pixel of the reference with its candidates. Compiled once per target.

#if defined(VERGENCE_CPU_STEREO_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_STEREO_TAPS_INL_H_
#undef VERGENCE_CPU_STEREO_TAPS_INL_H_
#else
#define VERGENCE_CPU_STEREO_TAPS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

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
  template <class Order, class D8>
  static HWY_INLINE hn::VFromD<D8> Cost(D8 d, const Cursor<uint8_t>& at, int k) {
    auto sum = hn::Zero(d);
    for (int p = 0; p < kPlanes; ++p) {
      const auto word = hn::Set(d, at.ref[p * at.ref_stride]);
      sum = hn::Add(sum, PopCount8(hn::Xor(word, Order::Load(d, at.other + p * at.other_stride + k))));
    }
    return sum;
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
    for (int k = 0; k < count; k += n) hn::Store(Tap::template Cost<InOrder>(d, at, k), d, out + k);
  } else {
    for (int k = 0; k < count; ++k) out[k] = static_cast<T>(Tap::Scalar(at, k));
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_STEREO_TAPS_INL_H_

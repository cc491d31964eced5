// SPDX-License-Identifier: Apache-2.0
// From rows of a disparity map to rows of bits: which pixels are valid, and which are close to their right and upper
// neighbour. Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_PIXEL_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_PIXEL_BITS_INL_H_
#undef VERGENCE_CPU_POSTFILTER_PIXEL_BITS_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_PIXEL_BITS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cpu/postfilter/bit_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Pixels whose bits are stored together: a vector, and at least a byte of bits.
template <class D>
constexpr int BitGroup(D) {
  return std::max(static_cast<int>(hn::MaxLanes(D())), 8);
}

/// Stores the bits of one group; mask_at(i) is the mask of the group's pixels i, i + 1, ...
template <class D, class MaskAt>
HWY_INLINE void StoreGroup(D d, MaskAt mask_at, std::uint8_t* bits) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (lanes >= 8) {
    hn::StoreMaskBits(d, mask_at(0), bits);
  } else {
    unsigned byte = 0;
    for (int i = 0; i < 8; i += lanes) {
      std::uint8_t part[8];
      hn::StoreMaskBits(d, mask_at(i), part);
      byte |= static_cast<unsigned>(part[0]) << i;
    }
    bits[0] = static_cast<std::uint8_t>(byte);
  }
}

/// Calls group(row, byte) for each group of pixels of a row, `byte` being the offset of its bits and row[0] its first
/// pixel; one pixel to the right of the group may be read. The last group gets a copy, continued by `padding`. With
/// `upper`, group(row, upper_row, byte).
template <class D, class T, class Group>
HWY_INLINE void ForEachGroup(D, const T* row, const T* upper, int width, T padding, Group group) {
  constexpr int size = BitGroup(D());
  int x = 0;
  for (; x + size < width; x += size) group(row + x, upper + (upper != nullptr ? x : 0), x / 8);
  HWY_ALIGN T last[static_cast<std::size_t>(size + 1)];
  HWY_ALIGN T last_upper[static_cast<std::size_t>(size + 1)];
  std::fill(std::copy(row + x, row + width, last), last + size + 1, padding);
  if (upper != nullptr) std::fill(std::copy(upper + x, upper + width, last_upper), last_upper + size + 1, padding);
  group(last, last_upper, x / 8);
}

inline std::uint8_t* BitBytes(std::uint64_t* words) { return reinterpret_cast<std::uint8_t*>(words); }

/// Bit x: pixel x is valid. Bits past the width are 0.
template <class T>
HWY_INLINE void ValidBits(const T* row, int width, T invalid, std::uint64_t* valid) {
  const hn::ScalableTag<T> d;
  const auto none = hn::Set(d, invalid);
  valid[bit_words(width) - 1] = 0;
  const T* const no_row = nullptr;
  ForEachGroup(d, row, no_row, width, invalid, [&](const T* pixels, const T*, int byte) HWY_ATTR {
    StoreGroup(
        d, [&](int i) HWY_ATTR { return hn::Ne(hn::LoadU(d, pixels + i), none); }, BitBytes(valid) + byte);
  });
}

/// |a - b| <= range, for any values: the difference is taken modulo 2^bits, unsigned.
template <class D, class V>
HWY_INLINE hn::Mask<D> IsClose(D d, V a, V b, hn::Vec<hn::RebindToUnsigned<D>> range) {
  const hn::RebindToUnsigned<D> du;
  const auto difference = hn::BitCast(du, hn::Sub(hn::Max(a, b), hn::Min(a, b)));
  return hn::RebindMask(d, hn::Eq(hn::Max(difference, range), range));
}

/// What the speckle filter asks of a row. `upper` may be null: then `up` is not written.
struct NeighbourBits {
  std::uint64_t* valid;
  std::uint64_t* right;  ///< Close to the right neighbour; means something where both are valid.
  std::uint64_t* up;     ///< Close to the upper neighbour, which is valid; means something where the pixel is valid.
};
template <class T>
HWY_INLINE void FindNeighbours(const T* row, const T* upper, int width, T invalid, int range,
                               const NeighbourBits& out) {
  const hn::ScalableTag<T> d;
  using Unsigned = std::make_unsigned_t<T>;
  const auto none = hn::Set(d, invalid);
  const auto most = hn::Set(hn::RebindToUnsigned<decltype(d)>(), static_cast<Unsigned>(range));
  const int last_word = bit_words(width) - 1;
  out.valid[last_word] = out.right[last_word] = 0;
  if (upper != nullptr) out.up[last_word] = 0;
  ForEachGroup(d, row, upper, width, invalid, [&](const T* pixels, const T* above, int byte) HWY_ATTR {
    const auto at = [&](const T* p, int i) HWY_ATTR { return hn::LoadU(d, p + i); };
    StoreGroup(
        d, [&](int i) HWY_ATTR { return hn::Ne(at(pixels, i), none); }, BitBytes(out.valid) + byte);
    StoreGroup(
        d, [&](int i) HWY_ATTR { return IsClose(d, at(pixels, i), at(pixels, i + 1), most); },
        BitBytes(out.right) + byte);
    if (upper == nullptr) return;
    const auto joins = [&](int i) HWY_ATTR {
      const auto a = at(above, i);
      return hn::And(IsClose(d, at(pixels, i), a, most), hn::Ne(a, none));
    };
    StoreGroup(d, joins, BitBytes(out.up) + byte);
  });
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_PIXEL_BITS_INL_H_

// SPDX-License-Identifier: Apache-2.0
// How invalid pixels take part in a median by sorting network: alternately as the lowest and the highest value, the
// lowest first. Each pair of them leaves the median where it was, and a single one moves it to the lower of two
// middles, which is the median of the valid ones. A list that was made on its own starts with the lowest value; where
// an odd number of invalid pixels came before it, it must start with the highest one (`Switch`). Compiled once per
// target.

#if defined(VERGENCE_CPU_POSTFILTER_MEDIAN_LISTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_MEDIAN_LISTS_INL_H_
#undef VERGENCE_CPU_POSTFILTER_MEDIAN_LISTS_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_MEDIAN_LISTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "vergence/image.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// None of the values is invalid.
template <std::size_t kCount, class D, class V = hn::Vec<D>>
HWY_INLINE bool AllValid(D d, const V (&values)[kCount], V invalid) {
  auto any = hn::Eq(values[0], invalid);
  for (std::size_t i = 1; i < kCount; ++i) any = hn::Or(any, hn::Eq(values[i], invalid));
  return hn::AllFalse(d, any);
}

/// Replaces invalid values as said above. Returns all bits set where their number was odd.
template <std::size_t kCount, class D, class V = hn::Vec<D>>
HWY_INLINE V Alternate(D d, V (&values)[kCount], V invalid) {
  using T = hn::TFromD<D>;
  const V lowest = hn::Set(d, std::numeric_limits<T>::min());
  V odd = hn::Zero(d);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto is_invalid = hn::Eq(values[i], invalid);
    values[i] = hn::IfThenElse(is_invalid, hn::Xor(lowest, odd), values[i]);  // ~lowest is the highest
    odd = hn::Xor(odd, hn::VecFromMask(d, is_invalid));
  }
  return odd;
}

/// Where `before` and `odd` are set: the list, which holds an odd number of invalid pixels, starts with the highest
/// value instead of the lowest.
template <std::size_t kCount, class D, class V = hn::Vec<D>>
HWY_INLINE void Switch(D d, V before, V odd, V (&list)[kCount]) {
  using T = hn::TFromD<D>;
  const auto mask = hn::MaskFromVec(hn::And(before, odd));
  for (std::size_t i = 0; i + 1 < kCount; ++i) list[i] = hn::IfThenElse(mask, list[i + 1], list[i]);
  list[kCount - 1] = hn::IfThenElse(mask, hn::Set(d, std::numeric_limits<T>::max()), list[kCount - 1]);
}

/// Pixels of a tile, so chosen that all its lists stay in the first-level cache.
template <class T>
constexpr int kMedianTile = static_cast<int>(1024 / sizeof(T));
/// The same with two vectors beside it, which keeps rows aligned.
template <class T>
constexpr std::size_t kMedianRow = static_cast<std::size_t>(kMedianTile<T>) + 2 * hn::MaxLanes(hn::ScalableTag<T>());

/// Rows of the picture below a tile. Row() starts `radius` columns left of the tile and can be read two vectors
/// further than the tile is wide; pixels outside the picture are invalid. Six rows in turn can be held.
template <class T>
class TileRows {
 public:
  TileRows(ImageView<const T> in, int x, int radius, T invalid) : in_(in), start_(x - radius), invalid_(invalid) {
    std::fill(outside_, outside_ + kMedianRow<T>, invalid);
    inside_ = start_ >= 0 && start_ + static_cast<int>(kMedianRow<T>) <= in.width();
  }
  HWY_INLINE const T* Row(int y) {
    if (y < 0 || y >= in_.height()) return outside_;
    return inside_ ? in_.row(y) + start_ : Copy(y);
  }

 private:
  const T* Copy(int y) {
    const int slot = y % 6;
    T* const copy = copies_[slot];
    if (held_[slot] == y) return copy;
    held_[slot] = y;
    const int first = std::max(0, -start_);
    const int last = std::min(static_cast<int>(kMedianRow<T>), in_.width() - start_);
    std::fill(copy, copy + first, invalid_);
    std::copy(in_.row(y) + start_ + first, in_.row(y) + start_ + last, copy + first);
    std::fill(copy + last, copy + kMedianRow<T>, invalid_);
    return copy;
  }

  ImageView<const T> in_;
  int start_;
  T invalid_;
  bool inside_;
  int held_[6] = {-1, -1, -1, -1, -1, -1};  ///< The rows that were copied.
  HWY_ALIGN T outside_[kMedianRow<T>];
  HWY_ALIGN T copies_[6][kMedianRow<T>];
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_MEDIAN_LISTS_INL_H_

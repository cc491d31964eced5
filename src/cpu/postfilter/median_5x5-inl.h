// SPDX-License-Identifier: Apache-2.0
// The median of 5x5, for two rows of windows at a time. Their four common rows give columns that are sorted and merged
// with their right neighbour once for all windows; of a window's 20 common pixels only the 6 middle ones can be the
// median, which the fifth row then chooses (sharing as in Adams, "Fast median filters using separable sorting
// networks", 2021). Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_MEDIAN_5X5_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_MEDIAN_5X5_INL_H_
#undef VERGENCE_CPU_POSTFILTER_MEDIAN_5X5_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_MEDIAN_5X5_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "cpu/postfilter/median_lists-inl.h"
#include "cpu/postfilter/median_networks-inl.h"
#include "cpu/postfilter/store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class Median5x5 {
 public:
  static constexpr int kRadius = 2;

  Median5x5(ImageView<const T> in, ImageView<T> out, T invalid) : in_(in), out_(out), invalid_(invalid) {}

  /// Columns [x, x + width) of rows [first, last); width is at most kMedianTile<T>.
  void Tile(int x, int width, int first, int last) {
    TileRows<T> rows(in_, x, kRadius, invalid_);
    const int blocks = (width + kLanes - 1) / kLanes;
    for (int y = first; y < last; y += 2) {
      const T* const at[6] = {rows.Row(y - 2), rows.Row(y - 1), rows.Row(y),
                              rows.Row(y + 1), rows.Row(y + 2), rows.Row(y + 3)};
      for (int block = 0; block <= blocks; ++block) Column(at, block);
      for (int block = 0; block <= blocks; ++block) Pair(block, block < blocks);
      T* const out[2] = {out_.row(y) + x, y + 1 < last ? out_.row(y + 1) + x : nullptr};
      for (int block = 0; block < blocks; ++block) {
        if (IsFull(at, block))
          Windows<true>(at, block, width - block * kLanes, out);
        else
          Windows<false>(at, block, width - block * kLanes, out);
      }
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  static_assert(kLanes >= 4, "a window beside a vector's last pixel ends in the next vector");

  template <std::size_t kCount>
  HWY_INLINE void LoadList(const T (&from)[kCount][kMedianRow<T>], int i, V (&list)[kCount]) const {
    for (std::size_t k = 0; k < kCount; ++k) list[k] = hn::LoadU(d_, from[k] + i);
  }

  /// Sorts a vector of columns of the four common rows.
  HWY_INLINE void Column(const T* const (&rows)[6], int block) {
    const int i = block * kLanes;
    V column[4];
    for (int k = 0; k < 4; ++k) column[k] = hn::LoadU(d_, rows[k + 1] + i);
    const V invalid = hn::Set(d_, invalid_);
    V odd = hn::Zero(d_);
    full_[block] = AllValid(d_, column, invalid);
    if (!full_[block]) odd = Alternate(d_, column, invalid);
    Sort4(column);
    for (int k = 0; k < 4; ++k) hn::Store(column[k], d_, columns_[k] + i);
    hn::Store(odd, d_, column_odd_ + i);
  }

  /// Merges a vector of columns with their right neighbours.
  HWY_INLINE void Pair(int block, bool has_next) {
    const int i = block * kLanes;
    V left[4], right[4], pair[8];
    LoadList(columns_, i, left);
    LoadList(columns_, i + 1, right);
    V odd = hn::Zero(d_);
    if (!full_[block] || !has_next || !full_[block + 1]) {
      const V odd_left = hn::Load(d_, column_odd_ + i);
      const V odd_right = hn::LoadU(d_, column_odd_ + i + 1);
      Switch(d_, odd_left, odd_right, right);
      odd = hn::Xor(odd_left, odd_right);
    }
    Merge44(left, right, pair);
    for (int k = 0; k < 8; ++k) hn::Store(pair[k], d_, pairs_[k] + i);
    hn::Store(odd, d_, pair_odd_ + i);
  }

  /// No pixel of the windows around the vector is invalid.
  HWY_INLINE bool IsFull(const T* const (&rows)[6], int block) const {
    if (!full_[block] || !full_[block + 1]) return false;
    const int i = block * kLanes;
    const V ends[4] = {hn::LoadU(d_, rows[0] + i), hn::LoadU(d_, rows[0] + i + 4), hn::LoadU(d_, rows[5] + i),
                       hn::LoadU(d_, rows[5] + i + 4)};
    return AllValid(d_, ends, hn::Set(d_, invalid_));
  }

  /// Two rows of a vector of windows.
  template <bool kFull>
  HWY_INLINE void Windows(const T* const (&rows)[6], int block, int count, T* const (&out)[2]) const {
    const int i = block * kLanes;
    const V invalid = hn::Set(d_, invalid_);
    if constexpr (!kFull) {
      const auto holes = hn::And(hn::Eq(hn::LoadU(d_, rows[2] + i + kRadius), invalid),
                                 hn::Eq(hn::LoadU(d_, rows[3] + i + kRadius), invalid));
      if (hn::AllTrue(d_, holes)) {
        for (T* const row : out)
          if (row != nullptr) StoreFirst(d_, invalid, count, row + i);
        return;
      }
    }
    V middle[6];
    const V odd = Common<kFull>(i, middle);
    Finish<kFull>(rows[0], rows[2], i, middle, odd, count, out[0]);
    if (out[1] != nullptr) Finish<kFull>(rows[5], rows[3], i, middle, odd, count, out[1]);
  }

  /// The middle six of the windows' common pixels. Returns where the number of invalid ones among them is odd.
  template <bool kFull>
  HWY_INLINE V Common(int i, V (&middle)[6]) const {
    V left[8], centre[8], right[4], merged[12];
    LoadList(pairs_, i, left);
    LoadList(pairs_, i + 2, centre);
    LoadList(columns_, i + 4, right);
    V odd = hn::Zero(d_);
    if constexpr (!kFull) {
      const V odd_left = hn::Load(d_, pair_odd_ + i);
      const V odd_right = hn::LoadU(d_, column_odd_ + i + 4);
      odd = hn::LoadU(d_, pair_odd_ + i + 2);
      Switch(d_, odd, odd_right, right);
      odd = hn::Xor(odd, odd_right);
      Switch(d_, odd, odd_left, left);
      odd = hn::Xor(odd, odd_left);
    }
    Merge84(centre, right, merged);
    Middle6Of20(left, merged, middle);
    return odd;
  }

  /// Adds the row that is a window's own, and stores its medians.
  template <bool kFull>
  HWY_INLINE void Finish(const T* own_row, const T* centre_row, int i, const V (&middle)[6], V odd, int count,
                         T* out) const {
    V own[5];
    for (int k = 0; k < 5; ++k) own[k] = hn::LoadU(d_, own_row + i + k);
    if constexpr (kFull) {
      Sort5(own);
      StoreFirst(d_, Middle11(middle, own), count, out + i);
    } else {
      const V invalid = hn::Set(d_, invalid_);
      const V own_odd = Alternate(d_, own, invalid);
      Sort5(own);
      Switch(d_, odd, own_odd, own);
      const auto is_hole = hn::Eq(hn::LoadU(d_, centre_row + i + kRadius), invalid);
      StoreFirst(d_, hn::IfThenElse(is_hole, invalid, Middle11(middle, own)), count, out + i);
    }
  }

  const D d_;
  ImageView<const T> in_;
  ImageView<T> out_;
  T invalid_;
  /// No pixel of the vector's columns is invalid.
  bool full_[static_cast<std::size_t>(kMedianTile<T> / kLanes + 1)] = {};
  HWY_ALIGN T columns_[4][kMedianRow<T>] = {};
  HWY_ALIGN T pairs_[8][kMedianRow<T>];
  HWY_ALIGN T column_odd_[kMedianRow<T>] = {};  ///< Columns with an odd number of invalid pixels.
  HWY_ALIGN T pair_odd_[kMedianRow<T>];
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_MEDIAN_5X5_INL_H_

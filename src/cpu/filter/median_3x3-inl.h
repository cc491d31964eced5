// SPDX-License-Identifier: Apache-2.0
// The median of 3x3. Columns of three are sorted once for the three windows that they are part of; the median is the
// middle one of the largest low, the middle middle and the smallest high value (Smith, "Implementing median filters in
// XC4000E FPGAs", 1996). Compiled once per target.

#if defined(VERGENCE_CPU_FILTER_MEDIAN_3X3_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_FILTER_MEDIAN_3X3_INL_H_
#undef VERGENCE_CPU_FILTER_MEDIAN_3X3_INL_H_
#else
#define VERGENCE_CPU_FILTER_MEDIAN_3X3_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "cpu/filter/median_lists-inl.h"
#include "cpu/filter/median_networks-inl.h"
#include "cpu/filter/store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class Median3x3 {
 public:
  static constexpr int kRadius = 1;

  Median3x3(ImageView<const T> in, ImageView<T> out, T invalid) : in_(in), out_(out), invalid_(invalid) {}

  /// Columns [x, x + width) of rows [first, last); width is at most kMedianTile<T>.
  void Tile(int x, int width, int first, int last) {
    TileRows<T> rows(in_, x, kRadius, invalid_);
    const int blocks = (width + kLanes - 1) / kLanes;
    for (int y = first; y < last; ++y) {
      const T* const at[3] = {rows.row(y - 1, 0), rows.row(y, 1), rows.row(y + 1, 2)};
      for (int block = 0; block <= blocks; ++block) Column(at, block);
      T* const out = out_.row(y) + x;
      for (int block = 0; block < blocks; ++block) {
        const auto median = full_[block] && full_[block + 1] ? Full(block) : WithHoles(at[1], block);
        StoreFirst(d_, median, width - block * kLanes, out + block * kLanes);
      }
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));

  /// Sorts a vector of columns.
  HWY_INLINE void Column(const T* const (&rows)[3], int block) {
    const int i = block * kLanes;
    V column[3] = {hn::LoadU(d_, rows[0] + i), hn::LoadU(d_, rows[1] + i), hn::LoadU(d_, rows[2] + i)};
    const V invalid = hn::Set(d_, invalid_);
    V odd = hn::Zero(d_);
    full_[block] = AllValid(d_, column, invalid);
    if (!full_[block]) odd = Alternate(d_, column, invalid);
    Sort3(column);
    for (int k = 0; k < 3; ++k) hn::Store(column[k], d_, columns_[k] + i);
    hn::Store(odd, d_, odd_ + i);
  }

  static HWY_INLINE V Middle9(const V (&a)[3], const V (&b)[3], const V (&c)[3]) {
    return Middle3(hn::Max(hn::Max(a[0], b[0]), c[0]), Middle3(a[1], b[1], c[1]), hn::Min(hn::Min(a[2], b[2]), c[2]));
  }
  HWY_INLINE void LoadColumn(int i, V (&column)[3]) const {
    for (int k = 0; k < 3; ++k) column[k] = hn::LoadU(d_, columns_[k] + i);
  }

  HWY_INLINE V Full(int block) const {
    V a[3], b[3], c[3];
    LoadColumn(block * kLanes, a);
    LoadColumn(block * kLanes + 1, b);
    LoadColumn(block * kLanes + 2, c);
    return Middle9(a, b, c);
  }

  HWY_INLINE V WithHoles(const T* centre_row, int block) const {
    const int i = block * kLanes;
    const V invalid = hn::Set(d_, invalid_);
    const auto is_hole = hn::Eq(hn::LoadU(d_, centre_row + i + kRadius), invalid);
    if (hn::AllTrue(d_, is_hole)) return invalid;
    V a[3], b[3], c[3];
    LoadColumn(i, a);
    LoadColumn(i + 1, b);
    LoadColumn(i + 2, c);
    const V odd_a = hn::Load(d_, odd_ + i);
    const V odd_b = hn::LoadU(d_, odd_ + i + 1);
    Switch(d_, odd_a, odd_b, b);
    Switch(d_, hn::Xor(odd_a, odd_b), hn::LoadU(d_, odd_ + i + 2), c);
    return hn::IfThenElse(is_hole, invalid, Middle9(a, b, c));
  }

  const D d_;
  ImageView<const T> in_;
  ImageView<T> out_;
  T invalid_;
  bool full_[static_cast<std::size_t>(kMedianTile<T> / kLanes + 1)];  ///< No pixel of the vector's columns is invalid.
  HWY_ALIGN T columns_[3][kMedianRow<T>];
  HWY_ALIGN T odd_[kMedianRow<T>] = {};  ///< Columns with an odd number of invalid pixels.
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_FILTER_MEDIAN_3X3_INL_H_

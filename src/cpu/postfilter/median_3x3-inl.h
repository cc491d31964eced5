// SPDX-License-Identifier: Apache-2.0
// The median of 3x3. Columns of three are sorted once for the three windows that they are part of; the median is the
// middle one of the largest low, the middle middle and the smallest high value (Smith, "Implementing median filters in
// XC4000E FPGAs", 1996). Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_MEDIAN_3X3_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_MEDIAN_3X3_INL_H_
#undef VERGENCE_CPU_POSTFILTER_MEDIAN_3X3_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_MEDIAN_3X3_INL_H_
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
class Median3x3 {
 public:
  static constexpr int kRadius = 1;

  Median3x3(ImageView<const T> in, ImageView<T> out, T invalid) : in_(in), out_(out), invalid_(invalid) {}

  /// Columns [x, x + width) of rows [first, last); width is at most kMedianTile<T>.
  void Tile(int x, int width, int first, int last) {
    TileRows<T> rows(in_, x, kRadius, invalid_);
    const int blocks = (width + kLanes - 1) / kLanes;
    for (int y = first; y < last; y += 2) {
      const T* const at[4] = {rows.Row(y - 1), rows.Row(y), rows.Row(y + 1), rows.Row(y + 2)};
      for (int block = 0; block <= blocks; ++block) Columns(at, block);
      Row(0, at[1], width, out_.row(y) + x);
      if (y + 1 < last) Row(1, at[2], width, out_.row(y + 1) + x);
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));

  /// The columns of one row of windows.
  struct Sorted {  // NOLINT(cppcoreguidelines-pro-type-member-init): values are stored before they are loaded
    HWY_ALIGN T values[3][kMedianRow<T>];
    HWY_ALIGN T odd[kMedianRow<T>] = {};  ///< Those with an odd number of invalid pixels.
  };

  /// Sorts a vector of columns for two rows of windows, which share the two middle rows.
  HWY_INLINE void Columns(const T* const (&rows)[4], int block) {
    const int i = block * kLanes;
    V pixels[4];
    for (int k = 0; k < 4; ++k) pixels[k] = hn::LoadU(d_, rows[k] + i);
    const V invalid = hn::Set(d_, invalid_);
    full_[block] = AllValid(d_, pixels, invalid);
    if (full_[block]) {
      V low = pixels[1], high = pixels[2];
      Exchange(low, high);
      const V zero = hn::Zero(d_);
      V upper[3] = {low, high, pixels[0]}, lower[3] = {low, high, pixels[3]};
      StoreColumns(upper, zero, i, sorted_[0]);
      StoreColumns(lower, zero, i, sorted_[1]);
    } else {
      for (int row = 0; row < 2; ++row) {
        V column[3] = {pixels[row], pixels[row + 1], pixels[row + 2]};
        const V odd = Alternate(d_, column, invalid);
        Exchange(column[0], column[1]);
        StoreColumns(column, odd, i, sorted_[row]);
      }
    }
  }
  /// The first two values of the column are in order already.
  HWY_INLINE void StoreColumns(V (&column)[3], V odd, int i, Sorted& to) const {
    Merge21(column[0], column[1], column[2]);
    for (int k = 0; k < 3; ++k) hn::Store(column[k], d_, to.values[k] + i);
    hn::Store(odd, d_, to.odd + i);
  }

  void Row(int row, const T* centre_row, int width, T* out) const {
    const Sorted& columns = sorted_[row];
    const auto median = [&](int block, int x) HWY_ATTR {
      return full_[block] && full_[block + 1] ? Full(columns, x) : WithHoles(columns, centre_row, x);
    };
    int block = 0, x = 0;
    for (; x + kLanes <= width; ++block, x += kLanes) hn::StoreU(median(block, x), d_, out + x);
    if (x < width) StoreFirst(d_, median(block, x), width - x, out + x);
  }

  static HWY_INLINE V Middle9(const V (&a)[3], const V (&b)[3], const V (&c)[3]) {
    return Middle3(hn::Max(hn::Max(a[0], b[0]), c[0]), Middle3(a[1], b[1], c[1]), hn::Min(hn::Min(a[2], b[2]), c[2]));
  }
  HWY_INLINE void LoadColumn(const Sorted& columns, int i, V (&column)[3]) const {
    for (int k = 0; k < 3; ++k) column[k] = hn::LoadU(d_, columns.values[k] + i);
  }

  HWY_INLINE V Full(const Sorted& columns, int i) const {
    V a[3], b[3], c[3];
    LoadColumn(columns, i, a);
    LoadColumn(columns, i + 1, b);
    LoadColumn(columns, i + 2, c);
    return Middle9(a, b, c);
  }

  HWY_INLINE V WithHoles(const Sorted& columns, const T* centre_row, int i) const {
    const V invalid = hn::Set(d_, invalid_);
    const auto is_hole = hn::Eq(hn::LoadU(d_, centre_row + i + kRadius), invalid);
    if (hn::AllTrue(d_, is_hole)) return invalid;
    V a[3], b[3], c[3];
    LoadColumn(columns, i, a);
    LoadColumn(columns, i + 1, b);
    LoadColumn(columns, i + 2, c);
    const V odd_a = hn::Load(d_, columns.odd + i);
    const V odd_b = hn::LoadU(d_, columns.odd + i + 1);
    Switch(d_, odd_a, odd_b, b);
    Switch(d_, hn::Xor(odd_a, odd_b), hn::LoadU(d_, columns.odd + i + 2), c);
    return hn::IfThenElse(is_hole, invalid, Middle9(a, b, c));
  }

  const D d_;
  ImageView<const T> in_;
  ImageView<T> out_;
  T invalid_;
  /// No pixel of the vector's columns is invalid.
  bool full_[static_cast<std::size_t>(kMedianTile<T> / kLanes + 1)] = {};
  Sorted sorted_[2];
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_MEDIAN_3X3_INL_H_

// SPDX-License-Identifier: Apache-2.0
// Sums of a frame's tiles at all places, and their ranges over neighbouring places
// (docs/algorithms/motion/elimination.md).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/motion/costs.hpp"
#include "cpu/motion/plane.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// Places that are looked at together: 8 beside each other, 4 below.
struct PlaceGroup {
  static constexpr int width = 8;
  static constexpr int height = 4;
  static constexpr int places = width * height;
  /// Where a group begins that holds this column or row.
  static int first_column(int x) { return x & -width; }
  static int first_row(int y) { return y & -height; }
};

/// A cell of 4x4 pixels counts as floor(its sum / 2^shift), so that 16 cells fit 16 bits: of bytes the sum itself.
inline int cell_shift(int max_pixel) {
  return std::max(static_cast<int>(std::bit_width(static_cast<unsigned>(max_pixel))) - 8, 0);
}

/// Sums of the tiles of one size, tile by tile where its first pixel lies: at most 16 cells, which 16 bits hold.
/// Squares of 4x4 places lie one after the other, each row by row: a group is two of them.
class TileSums {
 public:
  /// Of tiles of so many pixels in the plane with `around` pixels beside and above the picture.
  void reserve(int side, Size size, int around_x, int around_y);
  /// Of a square; x and y are multiples of 4.
  std::uint16_t* at(int x, int y) { return sums_.row(0) + offset(x, y); }
  const std::uint16_t* at(int x, int y) const { return sums_.row(0) + offset(x, y); }
  /// Numbers between a square and the one below it.
  std::ptrdiff_t pitch() const { return pitch_; }
  int first_x() const { return first_x_; }
  int first_y() const { return first_y_; }
  /// Places of a row, in whole groups; rows of squares.
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  std::size_t bytes() const { return static_cast<std::size_t>(pitch_ * rows_) * sizeof(std::uint16_t); }

 private:
  std::ptrdiff_t offset(int x, int y) const {
    return (std::ptrdiff_t{y} - first_y_) / 4 * pitch_ + (std::ptrdiff_t{x} - first_x_) * 4;
  }
  int first_x_ = 0, first_y_ = 0;
  int columns_ = 0, rows_ = 0;
  std::ptrdiff_t pitch_ = 0;
  Image<std::uint16_t> sums_;  ///< a row of squares to a row, all of them aligned
};

/// The least and the largest sum of every group of places.
class SumRanges {
 public:
  void reserve(const TileSums& sums);
  /// The least one; the largest lies most() numbers behind it. x and y are a group's first.
  std::uint16_t* at(int x, int y) { return ranges_.data() + offset(x, y); }
  const std::uint16_t* at(int x, int y) const { return ranges_.data() + offset(x, y); }
  std::ptrdiff_t most() const { return most_; }
  std::ptrdiff_t pitch() const { return pitch_; }
  std::size_t bytes() const { return ranges_.capacity() * sizeof(std::uint16_t); }

 private:
  std::ptrdiff_t offset(int x, int y) const {
    return (std::ptrdiff_t{y} - first_y_) / PlaceGroup::height * pitch_ +
           (std::ptrdiff_t{x} - first_x_) / PlaceGroup::width;
  }
  int first_x_ = 0, first_y_ = 0;
  std::ptrdiff_t pitch_ = 0, most_ = 0;
  std::vector<std::uint16_t> ranges_;
};

/// The cells of a block.
struct BlockCells {
  static constexpr std::size_t across = PackedBlock<std::uint8_t>::stride / 4;  ///< from a row to the next
  using Sums = std::array<std::uint16_t, across * across>;

  static void of(const Context& context, const PackedBlock<std::uint8_t>& block, int shift, Sums& sums);
  static void of(const Context& context, const PackedBlock<std::uint16_t>& block, int shift, Sums& sums);
};

/// Which tiles serve blocks of a size: levels from coarse to fine. Of the first, ranges are known too.
struct TileLevels {
  std::array<int, 3> sides{};  ///< 0 = none

  static TileLevels of(Size block);
  bool any() const { return sides[0] > 0; }
};

/// The sums of a reference frame.
class EliminationFrame {
 public:
  void reserve(const TileLevels& levels, Size size, int around_x, int around_y);
  /// Takes the sums of the plane, whose pixels are at most max_pixel.
  template <class P>
  void fill(Context& context, const TileLevels& levels, const Plane<P>& plane, int max_pixel);
  const TileSums& of(int side) const { return sums_[index(side)]; }
  const SumRanges& ranges() const { return ranges_; }
  std::size_t bytes() const { return sums_[0].bytes() + sums_[1].bytes() + sums_[2].bytes() + ranges_.bytes(); }

 private:
  static std::size_t index(int side) { return side == 4 ? 0 : side == 8 ? 1 : 2; }
  std::array<TileSums, 3> sums_;  ///< 4, 8, 16 px
  SumRanges ranges_;              ///< of the coarsest
};

}  // namespace vergence::cpu

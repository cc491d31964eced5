// SPDX-License-Identifier: Apache-2.0
// What all ways of filling holes share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/parallel.hpp"
#include "cpu/postfilter/bit_rows.hpp"
#include "cpu/postfilter/scratch.hpp"
#include "cpu/postfilter/stages.hpp"

namespace vergence::cpu {

template <class T>
struct FillJob {
  const StereoPlan& plan;
  Threads& threads;
  FillScratch& scratch;
  ImageView<const T> in;
  ImageView<T> out;

  T invalid() const { return static_cast<T>(plan.invalid); }
  int width() const { return plan.size.width; }
  int height() const { return plan.size.height; }
  /// Only pixels in these columns and rows are filled; the map is read everywhere.
  int left() const { return plan.roi.x; }
  int right() const { return plan.roi.x + plan.roi.width; }
  bool fills_row(int y) const { return y >= plan.roi.y && y < plan.roi.y + plan.roi.height; }

  /// Calls body(first, last) for the holes of a row, as far as they are to be filled.
  template <class Body>
  void for_each_hole(const std::uint64_t* valid, Body&& body) const {
    cpu::for_each_hole(valid, width(), [&](int first, int last) {
      first = std::max(first, left());
      last = std::min(last, right());
      if (first < last) body(first, last);
    });
  }
  void copy_row(int y) const { std::copy(in.row(y), in.row(y) + width(), out.row(y)); }
};

/// Fewest rows that are worth a thread.
constexpr int fill_rows_per_band = 32;

/// Type of a sum over a window of at most 255 x 255 values of type T.
template <class T>
struct WindowSum;
template <>
struct WindowSum<std::int16_t> {
  using Type = std::int32_t;
};
template <>
struct WindowSum<std::int32_t> {
  using Type = std::int64_t;
};

/// Totals from -radius to width + radius, and a vector more, of the pixels before.
constexpr int totals_length(int width, int radius) { return width + 2 * radius + 1 + 16; }

/// Rows of one block of `nearest`.
constexpr int nearest_block = 32;
constexpr int nearest_blocks(int height) { return (height + nearest_block - 1) / nearest_block; }

/// A pixel column that may hold the nearest valid pixel of some hole of a row.
struct NearestSite {
  std::int64_t height;  ///< Column^2 + distance^2 in the column.
  std::int32_t column;
  std::int32_t row;
};

}  // namespace vergence::cpu

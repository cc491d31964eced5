// SPDX-License-Identifier: Apache-2.0
// Successive elimination for SAD of bytes: sums of the reference's tiles at all places, and which candidates of a row
// their bounds leave (docs/algorithms/motion/elimination.md). Tiles have 32, 16, 8 or 4 px; pixels that no whole tile
// covers leave the bound a bound.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/motion/block_walk.hpp"

namespace vergence::cpu {

/// Sums of the tiles of one size, tile by tile where its first pixel lies: at most 16 x 16 x 255, which 16 bits hold;
/// those of 32 px are in quarters.
class TileSums {
 public:
  /// Geometry of the plane whose pixels are summed.
  void reserve(const Plane<std::uint8_t>& plane);
  std::uint16_t* at(int x, int y) { return sums_.data() + offset(x, y); }
  const std::uint16_t* at(int x, int y) const { return sums_.data() + offset(x, y); }
  std::ptrdiff_t stride() const { return stride_; }
  std::size_t bytes() const { return sums_.capacity() * sizeof(std::uint16_t); }

 private:
  std::ptrdiff_t offset(int x, int y) const {
    return (std::ptrdiff_t{y} + margin_y_) * stride_ + std::ptrdiff_t{x} + margin_x_;
  }
  std::ptrdiff_t stride_ = 0;
  int margin_x_ = 0;
  int margin_y_ = 0;
  std::vector<std::uint16_t> sums_;
};

/// Which tiles serve blocks of a size: levels from coarse to fine.
struct TileLevels {
  std::array<int, 4> sides{};  ///< 0 = none

  static TileLevels of(Size block);
  bool any() const { return sides[1] > 0; }
  int largest() const { return std::max(sides[0], sides[1]); }
};

/// The sums of a reference frame.
class EliminationFrame {
 public:
  void reserve(const TileLevels& levels, const Plane<std::uint8_t>& plane);
  /// Sums of the plane with `around` pixels beside and above the picture.
  void fill(Context& context, const TileLevels& levels, const Plane<std::uint8_t>& plane, int around_x, int around_y);
  const TileSums& of(int side) const { return sums_[index(side)]; }
  std::size_t bytes() const { return sums_[0].bytes() + sums_[1].bytes() + sums_[2].bytes() + sums_[3].bytes(); }

 private:
  static std::size_t index(int side) { return side == 4 ? 0 : side == 8 ? 1 : side == 16 ? 2 : 3; }
  std::array<TileSums, 4> sums_;  ///< 4, 8, 16, 32 px
};

/// One level of a block: its tiles' sums, and where the reference's lie from the block's first pixel on.
struct BoundLevel {
  static constexpr int most = 256;
  int count = 0;
  const std::uint16_t* sums = nullptr;  ///< of the reference, for displacement 0 of the first column and row
  std::ptrdiff_t stride = 0;
  std::array<std::uint32_t, most> own{};  ///< twice in 32 bits, which are broadcast faster
  std::array<std::ptrdiff_t, most> offset{};
};

struct BoundLevels {
  std::array<BoundLevel, 4> levels;
  int worth = 0;  ///< the last level is for so many candidates at once, to be faster than their costs
};

/// A candidate that the bounds leave: its row and column, and the bound, saturated.
struct Survivor {
  std::uint16_t row;
  std::uint16_t column;
  std::uint16_t bound;
};

/// Rows of candidates below each other, and what is asked about them.
struct BoundStrip {
  static constexpr int most_rows = 16;
  int dy = 0;
  int rows = 0;
  int count = 0;           ///< of columns, from 0
  std::uint16_t most = 0;  ///< bounds above it eliminate
  int enough = 0;          ///< when so many are left, the strip need not be finished
};
/// Candidates whose bounds are at most `most`; returns how many, more than `enough` where it stopped early. `left` has
/// room for 64 more than `enough`.
using Survivors = int (*)(const BoundLevels& levels, const BoundStrip& strip, Survivor* left);
Survivors survivors(std::int64_t target);

/// The tiles of a block, from the column of its first candidate on.
void begin_bounds(const Context& context, const TileLevels& levels, const EliminationFrame& frame,
                  const BlockWalk<std::uint8_t>& walk, BoundLevels& bounds);

}  // namespace vergence::cpu

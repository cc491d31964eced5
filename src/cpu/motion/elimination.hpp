// SPDX-License-Identifier: Apache-2.0
// Successive elimination for SAD: which candidates of a block the bounds by sums of tiles leave
// (docs/algorithms/motion/elimination.md). Tiles have 16, 8 or 4 px; pixels that no whole tile covers make the bound
// lower, which keeps it a lower bound.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/context.hpp"
#include "cpu/motion/block_walk.hpp"
#include "cpu/motion/tile_sums.hpp"

namespace vergence::cpu {

/// One level of a block: its tiles' sums, and where the reference's lie.
struct BoundLevel {
  static constexpr int most = 256;
  int count = 0;
  bool refines = false;                   ///< its tiles cover what those of the first level do, and nothing else
  const std::uint16_t* sums = nullptr;    ///< of the reference, for the first group of places
  std::uint32_t total = 0;                ///< of all tiles
  std::array<std::uint32_t, most> own{};  ///< twice in 32 bits, which are broadcast faster
  std::array<std::ptrdiff_t, most> offset{};
};

/// The places of a block's candidates in groups, and its levels.
struct BoundLevels {
  static constexpr int most_columns = 132;  ///< 1025 candidates side by side
  std::array<BoundLevel, 3> levels;
  std::ptrdiff_t pitch = 0;  ///< of the sums of every level
  /// Of the first level.
  const std::uint16_t* ranges = nullptr;
  std::ptrdiff_t most = 0, range_pitch = 0;
  std::array<std::ptrdiff_t, BoundLevel::most> range_offset{};
  int dx = 0, dy = 0;                 ///< displacement of the first place
  int columns = 0, rows = 0;          ///< of groups
  std::uint32_t left = 0, right = 0;  ///< places of the first and the last column that are candidates, a bit each
  std::uint32_t top = 0, bottom = 0;  ///< of the first and the last row
  int worth = 0;                      ///< least number of candidates of a group for which the last level pays
  int width = 0, height = 0;          ///< of the block whose offsets are known
  int shift = 0;                      ///< of its cells' sums
  std::uint64_t rounded = 0;          ///< 2^shift times a bound by sums is at most the SAD and this

  /// The largest bound by sums of a candidate whose SAD is at most this.
  std::uint16_t most_of(std::uint64_t sad) const {
    return static_cast<std::uint16_t>(std::min<std::uint64_t>((sad + rounded) >> shift, 65535));
  }
  /// The least SAD of a candidate with this bound by sums.
  std::uint64_t sad_of(std::uint16_t bound) const {
    const std::uint64_t sad = std::uint64_t{bound} << shift;
    return sad - std::min(sad, rounded);
  }
};

/// A candidate that the bounds leave, and its bound by sums.
struct Survivor {
  std::int16_t dx;
  std::int16_t dy;
  std::uint16_t bound;
};

/// Rows of groups below each other, and how they are searched.
struct BoundStrip {
  static constexpr int most_rows = 16;
  int row = 0;
  int rows = 0;
  std::uint16_t most = 0;  ///< bounds by sums above it eliminate
  int enough = 0;          ///< the search of the strip stops early when this many are left
};
/// Candidates whose bounds are at most `most`; returns how many, more than `enough` where it stopped early. `left`
/// holds up to one group more than `enough`.
using Survivors = int (*)(const BoundLevels& levels, const BoundStrip& strip, Survivor* left);
Survivors survivors(std::int64_t target);

/// The tiles of a block and the groups of its candidates; `shift` is that of the frame's cells.
template <class P>
void begin_bounds(const Context& context, const TileLevels& levels, const EliminationFrame& frame,
                  const BlockWalk<P>& walk, int shift, BoundLevels& bounds);

}  // namespace vergence::cpu

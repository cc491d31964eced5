// SPDX-License-Identifier: Apache-2.0
// The program that the paper starts from, as it ran on one core: for each block a copy of it and of its search area,
// then SADs one after the other, pixel by pixel. Its rules are those of reference/motion/exact_lab.hpp, which says what
// must come out; this one is what is timed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "published/exact_lab.hpp"
#include "vergence/image.hpp"

namespace vergence::studies::motion_cuda {

namespace exact = reference::exact_lab;

inline constexpr int block_side = exact::block_side;
inline constexpr int reach = exact::farthest;
inline constexpr int span = 2 * reach;               ///< Candidates in a row or column.
inline constexpr int area_side = span + block_side;  ///< px
inline constexpr int sentinel = 9999999;             ///< What no SAD is; as in the kernels.
inline constexpr int candidates = span * span;       ///< Of a block.

using Block = std::array<std::uint8_t, block_side * block_side>;
using Area = std::array<std::uint8_t, area_side * area_side>;

/// Two frames of one size.
struct FramePair {
  ImageView<const std::uint8_t> current, reference;
};

/// A block's upper left pixel.
struct Place {
  int x = 0, y = 0;
};
Place place_of(Size blocks, int index);

void get_block(ImageView<const std::uint8_t> current, Place place, Block& block);
/// Zeros outside the frame.
void get_area(ImageView<const std::uint8_t> reference, Place place, Area& area);

/// The search of one block, which can be left and taken up again: candidates in the program's order.
class LabSearch {
 public:
  /// Copies block and area.
  LabSearch(const FramePair& frames, Place place);
  /// Tries up to `count` further candidates of the full search; whether any are left.
  bool advance(int count);
  /// The step search, in the program's 3x3.
  void step();
  const exact::Match& best() const { return best_; }

 private:
  void attempt(int dx, int dy);
  Size size_;
  Place place_;
  Block block_;
  Area area_;
  int next_ = 0;
  exact::Match best_;
};

}  // namespace vergence::studies::motion_cuda

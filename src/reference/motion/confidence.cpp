// SPDX-License-Identifier: Apache-2.0
// Reference: how much each block's final vector can be relied upon.
#include "definitions/motion/confidence.h"

#include <cstdint>

#include "reference/motion/block_search.hpp"
#include "reference/motion/stages.hpp"

namespace vergence::reference {
namespace {

/// What the block itself would cost one pixel to the side or down, over the pairs of pixels inside it. SATD has no such
/// measure of its own and takes SAD's.
template <class P>
std::uint64_t texture(MotionCost cost, const MotionPictures<P>& pictures, const Block& block, int dx, int dy) {
  std::uint64_t sum = 0;
  for (int y = block.y; y < block.y + block.height - dy; ++y)
    for (int x = block.x; x < block.x + block.width - dx; ++x) {
      const auto a = static_cast<std::uint64_t>(current_pixel(pictures, x, y));
      const auto b = static_cast<std::uint64_t>(current_pixel(pictures, x + dx, y + dy));
      sum += cost == MotionCost::ssd ? definitions::ssd_tap(a, b) : definitions::sad_tap(a, b);
    }
  return sum;
}

}  // namespace

template <class P>
void confidence(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block_size, const MotionMaps& maps) {
  for (int row = 0; row < maps.vectors.height(); ++row)
    for (int column = 0; column < maps.vectors.width(); ++column) {
      const Block block = make_block(plan.size, block_size, column, row);
      const MotionCost cost = plan.options.cost;
      const MotionVector v = maps.vectors(column, row);
      maps.confidence(column, row) = static_cast<std::uint8_t>(definitions::motion_confidence(
          maps.cost(column, row), distortion(cost, pictures, block, 0, 0), v.dx == 0 && v.dy == 0,
          texture(cost, pictures, block, 1, 0), texture(cost, pictures, block, 0, 1)));
    }
}

template void confidence(const MotionPlan&, const MotionPictures<std::uint8_t>&, Size, const MotionMaps&);
template void confidence(const MotionPlan&, const MotionPictures<std::uint16_t>&, Size, const MotionMaps&);

}  // namespace vergence::reference

// SPDX-License-Identifier: Apache-2.0
// Chooses the functions of a cost; packs blocks.
#include "cpu/motion/costs.hpp"

#include <algorithm>
#include <type_traits>

namespace vergence::cpu {

template <class P>
void PackedBlock<P>::pack(const ImageView<const P>& picture, const Rect& block) {
  width = block.width;
  height = block.height;
  for (int y = 0; y < height; ++y) {
    P* const to = pixels.data() + y * stride;
    std::copy_n(picture.row(block.y + y) + block.x, width, to);
    std::fill(to + width, to + stride, P{0});
  }
}

template <class P>
CostFunctions<P> cost_functions(MotionCost cost, std::int64_t target) {
  if (cost == MotionCost::satd) return satd_functions<P>(target);
  if constexpr (std::is_same_v<P, std::uint8_t>) {
    if (cost == MotionCost::sad) return byte_sad_functions(target);
  }
  return square_functions<P>(cost, target);
}

template struct PackedBlock<std::uint8_t>;
template struct PackedBlock<std::uint16_t>;
template CostFunctions<std::uint8_t> cost_functions(MotionCost, std::int64_t);
template CostFunctions<std::uint16_t> cost_functions(MotionCost, std::int64_t);

}  // namespace vergence::cpu

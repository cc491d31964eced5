// SPDX-License-Identifier: Apache-2.0
// Chooses the functions of a cost; packs blocks.
#include "cpu/motion/costs.hpp"

#include <algorithm>
#include <type_traits>

namespace vergence::cpu {

namespace {

/// Rows of a width that the compiler knows are copied without a call.
template <int kWidth, class P>
void copy_rows(const ImageView<const P>& picture, const Rect& block, P* to) {
  for (int y = 0; y < block.height; ++y, to += PackedBlock<P>::stride)
    std::copy_n(picture.row(block.y + y) + block.x, kWidth > 0 ? kWidth : block.width, to);
}

}  // namespace

template <class P>
void PackedBlock<P>::pack(const ImageView<const P>& picture, const Rect& block) {
  width = block.width;
  height = block.height;
  if (width < widest)
    for (int y = 0; y < height; ++y) std::fill_n(pixels.data() + y * stride + width, widest - width, P{0});
  widest = std::max(widest, width);
  switch (width) {
    case 4:
      return copy_rows<4>(picture, block, pixels.data());
    case 8:
      return copy_rows<8>(picture, block, pixels.data());
    case 16:
      return copy_rows<16>(picture, block, pixels.data());
    case 32:
      return copy_rows<32>(picture, block, pixels.data());
    default:
      return copy_rows<0>(picture, block, pixels.data());
  }
}

template <class P>
CostFunctions<P> cost_functions(MotionCost cost, std::int64_t target, [[maybe_unused]] int max_pixel) {
  if (cost == MotionCost::satd) return satd_functions<P>(target);
  if (cost == MotionCost::ssd) return square_functions<P>(target);
  if constexpr (std::is_same_v<P, std::uint8_t>)
    return byte_sad_functions(target);
  else
    return word_sad_functions(target, max_pixel);
}

template struct PackedBlock<std::uint8_t>;
template struct PackedBlock<std::uint16_t>;
template CostFunctions<std::uint8_t> cost_functions(MotionCost, std::int64_t, int);
template CostFunctions<std::uint16_t> cost_functions(MotionCost, std::int64_t, int);

}  // namespace vergence::cpu

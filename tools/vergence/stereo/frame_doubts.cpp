// SPDX-License-Identifier: Apache-2.0
// What both pictures of a frame are doubted for.
#include "stereo/frame_doubts.hpp"

#include <fmt/format.h>

#include "vergence/inspect.hpp"

namespace vergence::cli {
namespace {

Size blocks_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? inspect_enlarged(ImageView<const std::uint8_t>(picture.u8.view()))
                                    : inspect_enlarged(ImageView<const std::uint16_t>(picture.u16.view()));
}

}  // namespace

std::string enlarged_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  constexpr Size none{1, 1};
  const Size of_left = blocks_of(frame.left), of_right = blocks_of(frame.right);
  if (of_left == none && of_right == none) return {};
  const Size block = of_left != none ? of_left : of_right;
  const std::string blocks = fmt::format("blocks of {}x{} equal pixels", block.width, block.height);
  if (of_left == of_right)
    return fmt::format(
        "{} and {} are enlarged without interpolation: they are made of {}, so that maps hold the disparities of "
        "blocks: give both as before, in {}x{} px",
        left, right, blocks, frame.left.width() / block.width, frame.left.height() / block.height);
  return fmt::format(
      "{} is enlarged without interpolation: it is made of {}, and the other one is not: give both as their cameras "
      "took them, or enlarge it with interpolation",
      of_left != none ? left : right, blocks);
}

}  // namespace vergence::cli

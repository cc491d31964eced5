// SPDX-License-Identifier: Apache-2.0
// Whether rectified pictures look rectified.
#include "rectify/look.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vergence/inspect.hpp"

namespace vergence::cli {
namespace {

constexpr const char* cure =
    "check that the calibration is that of these cameras, of this size and in this order, and that the pictures are "
    "raw";

std::string text_of(const PairFindings& found) {
  switch (found.problem) {
    case PairProblem::same_picture:
      return "the rectified pictures are the same picture: give those of both cameras";
    case PairProblem::exchanged:
      return "left and right seem to be exchanged: points have negative disparities once they are rectified: exchange "
             "LEFT and RIGHT, or the cameras of the calibration";
    case PairProblem::not_rectified:
      return fmt::format(
          "the rectified pictures do not fit: of {} sample points found in both, {} % lie in another row ({} .. {} px "
          "lower in the right one): {}",
          found.found, 100 * (found.found - found.same_row) / std::max(1, found.found), found.row_low, found.row_high,
          cure);
    case PairProblem::row_offset:
      return fmt::format("rows of the rectified pictures do not quite meet, towards edges or corners: {}", cure);
    case PairProblem::no_agreement:
      return fmt::format("the rectified pictures hardly agree: {}", cure);
    default:
      return "";  // of brightness, focus, ranges: `stereo` tells
  }
}

template <class Pixel>
std::string look_at(StereoRectifier& rectifier, const Image<Pixel>& left, const Image<Pixel>& right,
                    StereoOptions options) {
  const Rect& valid = rectifier.rig().valid;
  Image<Pixel> left_out(rectifier.size()), right_out(rectifier.size());
  rectifier.rectify_left(left, left_out);
  rectifier.rectify_right(right, right_out);
  options.disparities = std::max(1, valid.width / 2);
  return text_of(inspect_pair(ImageView<const Pixel>(left_out.view()).crop(valid),
                              ImageView<const Pixel>(right_out.view()).crop(valid), options));
}

}  // namespace

std::string rectified_warning(StereoRectifier& rectifier, const StereoFrame& frame) {
  constexpr Size least{64, 48};  // px; smaller ones tell nothing
  const RectifiedRig& rig = rectifier.rig();
  if (rig.vertical || rig.valid.width < least.width || rig.valid.height < least.height) return "";
  StereoOptions options;
  options.cost = StereoCost::census_9x7;  // brightness is no matter of rectification
  if (frame.left.depth == Depth::u8) return look_at(rectifier, frame.left.u8, frame.right.u8, options);
  options.depth = Depth::u16;
  options.max_value = frame.left.max_value;
  return look_at(rectifier, frame.left.u16, frame.right.u16, options);
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Lost pixels and blocks of a pair, and parts in large pixels.
#include "stereo/spots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "vergence/inspect_frame.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence::cli {

std::string spots_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  constexpr int least_salt = Spots::least_salt;
  const Spots a = inspect_spots(pair.left.view()), b = inspect_spots(pair.right.view());
  const auto which = [&](bool in_left, bool in_right) {
    return in_left && in_right ? "both pictures have" : (in_left ? left : right) + " has";
  };
  if (std::max(a.salt_permille, b.salt_permille) >= least_salt)
    return fmt::format(
        "{} single black and white pixels amid others (salt and pepper), {:.1f} %: matches go astray there: check "
        "cable and sensor, or filter it, as with `ffmpeg -i FILE -vf median=radius=1 OUT`",
        which(a.salt_permille >= least_salt, b.salt_permille >= least_salt),
        std::max(a.salt_permille, b.salt_permille) / 10.0);
  if (a.blocks + b.blocks == 0) return {};
  for (const auto& [spots, picture, name] :
       {std::tuple(a, pair.left.view(), left), std::tuple(b, pair.right.view(), right)})
    if (const BlockSteps steps = inspect_blocks(picture); spots.blocks > 0 && steps.are_strong())
      return fmt::format(
          "{} was compressed strongly: steps between blocks of 8x8 px are {:.1f} times those within them, and matches "
          "hold on to these: use what the camera gave, or a higher quality",
          name, steps.percent / 100.0);
  return fmt::format(
      "{} {} blocks of 16x16 px of one grey level, or of one row, with seams around them: a decoder lost them, and "
      "nothing can be found there: record or copy it anew",
      which(a.blocks > 0, b.blocks > 0), std::max(a.blocks, b.blocks));
}

std::string large_pixels_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  const auto look = [](ImageView<const std::uint8_t> picture) {
    const LargePixels found = inspect_large_pixels(picture);
    constexpr int told_as_enlarged = 8;  // px
    const bool is_whole =
        10 * found.part.width >= 9 * picture.width() && 10 * found.part.height >= 9 * picture.height();
    return is_whole && found.side <= told_as_enlarged ? LargePixels{} : found;
  };
  const LargePixels a = look(pair.left.view()), b = look(pair.right.view());
  if (a.side + b.side == 0) return {};
  const auto& [side, part] = a.side > 0 ? a : b;
  return fmt::format(
      "a part of {} is in large pixels, as where faces are made unknown: {}x{} px from ({}, {}) on{} consist of "
      "squares "
      "of {} px of one level each: {}: use what the cameras gave, or leave that part out of the map",
      a.side > 0 && b.side > 0 ? "both pictures"
      : a.side > 0             ? left
                               : right,
      part.width, part.height, part.x, part.y, a.side > 0 && b.side > 0 ? " in the left one" : "", side,
      a.side > 0 && b.side > 0 ? "disparities there are those of the squares"
                               : "nothing of the other one matches that");
}

}  // namespace vergence::cli

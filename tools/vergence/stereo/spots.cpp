// SPDX-License-Identifier: Apache-2.0
// Lost pixels and blocks of a pair.
#include "stereo/spots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/upper_bytes.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {

std::string spots_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  constexpr int least_salt = Spots::least_salt;
  const Spots a = inspect_spots(UpperBytes(frame.left).view()), b = inspect_spots(UpperBytes(frame.right).view());
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
  return fmt::format(
      "{} {} blocks of 16x16 px of one grey level, or of one row, with seams around them: a decoder lost them, and "
      "nothing can be found there: record or copy it anew",
      which(a.blocks > 0, b.blocks > 0), std::max(a.blocks, b.blocks));
}

}  // namespace vergence::cli

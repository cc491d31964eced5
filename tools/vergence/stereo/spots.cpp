// SPDX-License-Identifier: Apache-2.0
// Lost pixels and blocks of a pair, echoes, and rows that swing.
#include "stereo/spots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/middle.hpp"
#include "cli/upper_bytes.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {
namespace {

/// The median of the steps from row `y` to row `y + apart` in columns [first, end) of a map in 1/16 px, but for edges
/// of depth; no_step where few are known.
constexpr int no_step = 1 << 20;
template <class Disparity>
int step_of_rows(const Image<Disparity>& map, int invalid, int y, int apart, int first, int end) {
  constexpr int most = 64, least_apart = 4, looked = 32, enough = 8;  // 1/16 px; px; pixels
  std::vector<int> steps;
  for (int x = first; x < end; x += std::max(least_apart, (end - first) / looked)) {
    const int here = map(x, y), there = map(x, y + apart);
    if (here != invalid && there != invalid && std::abs(there - here) <= most) steps.push_back(there - here);
  }
  if (static_cast<int>(steps.size()) < enough) return no_step;
  return middle_of(std::move(steps));
}

struct Swing {
  int way = 0, net = 0;  ///< 1/16 px: up and down together, and what is left of it.
  int turns = 0;
};
/// Of the steps that all four parts of the width take alike.
template <class Disparity>
Swing swing_of(const Image<Disparity>& map, int invalid) {
  constexpr int parts = 4, alike = 12, least_step = 6, high = 512;  // 1/16 px; rows
  const int apart = map.height() < high ? 6 : 12;
  Swing swing;
  int last = 0;
  for (int y = 0; y + apart < map.height(); y += apart) {
    std::array<int, parts> steps{};
    for (int i = 0; i < parts; ++i)
      steps[static_cast<std::size_t>(i)] =
          step_of_rows(map, invalid, y, apart, map.width() * i / parts, map.width() * (i + 1) / parts);
    std::sort(steps.begin(), steps.end());
    const int step = (steps[1] + steps[2]) / 2;
    if (steps[3] == no_step || steps[3] - steps[0] > alike || std::abs(step) < least_step) continue;
    swing.way += std::abs(step);
    swing.net += step;
    swing.turns += last != 0 && (step > 0) != (last > 0) ? 1 : 0;
    last = step;
  }
  return swing;
}

}  // namespace

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

std::string echo_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const EchoFindings found = inspect_echo(UpperBytes(frame.left).view(), UpperBytes(frame.right).view());
  if (found.distance == 0) return {};
  return fmt::format(
      "{} holds itself once more, fainter, {} px along its rows (correlation of its steps {} % above the other one's): "
      "an echo of its cable, or a ghost of its lens, which matches with what it is not: check cable, termination and "
      "lens",
      found.in_right ? right : left, found.distance, found.percent);
}

std::string swing_warning(const StereoMaps& maps, int invalid) {
  constexpr int least = 8 * 16, least_turns = 2;  // 1/16 px; 45 maps of 15 good pairs have 0
  const Swing swing = maps.wide ? swing_of(maps.wide_map, invalid) : swing_of(maps.narrow, invalid);
  if (swing.turns < least_turns || swing.way - std::abs(swing.net) < least) return {};
  return fmt::format(
      "disparities go up and down from row to row, by {:.0f} px in all, in near and far parts of the picture alike: "
      "rows of one view swing along themselves, as where a camera with a rolling shutter vibrates: disparities are off "
      "by that: hold the cameras still, or give them global shutters",
      swing.way / 16.0);
}

}  // namespace vergence::cli

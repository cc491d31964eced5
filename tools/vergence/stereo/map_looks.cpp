// SPDX-License-Identifier: Apache-2.0
// What the map of a pair tells of its pictures.
#include "stereo/map_looks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/middle.hpp"
#include "cli/upper_bytes.hpp"
#include "vergence/inspect.hpp"

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

std::string misled_warning(const StereoFrame& frame, const StereoOptions& options, const StereoMaps& maps,
                           int invalid) {
  constexpr int percent = 11, least = 10;  // good pairs have 5 % at most
  const bool sees_brightness = options.cost == StereoCost::sad || options.cost == StereoCost::ssd;
  if (!sees_brightness || options.fill != StereoFill::none) return {};  // filled pixels were not matched
  const UpperBytes left(frame.left), right(frame.right);
  const MisledFindings found = maps.wide
                                   ? inspect_misled(left.view(), right.view(), maps.wide_map.view(), invalid, options)
                                   : inspect_misled(left.view(), right.view(), maps.narrow.view(), invalid, options);
  if (found.elsewhere < least || 100 * found.elsewhere < percent * found.points) return {};
  return fmt::format(
      "the map is wrong at many places: {} of {} sample points fit far better at another disparity once only what is "
      "brighter counts, not by how much: brightness differs by little, by gain, shade, range or light of lamps, and "
      "misleads where there is little texture: give --preset quality, or --cost census-9x7",
      found.elsewhere, found.points);
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Runs the reference match on a small scene and keeps every map.
#pragma once

#include <cstdint>

#include "plan/stereo/plan.hpp"
#include "reference/stereo/stages.hpp"
#include "support/maps.hpp"

namespace vergence::test {

/// Everything `match` can write.
struct Matched {
  Image<std::int16_t> disparity;
  Image<std::uint8_t> confidence;
  Image<std::uint32_t> cost, second_cost, before, after;
};

template <class P>
Matched reference_match(const StereoOptions& options, const Image<P>& left, const Image<P>& right,
                        const SourceMasks& masks = {}) {
  const Size size = left.size();
  Matched out{Image<std::int16_t>(size),  Image<std::uint8_t>(size),  Image<std::uint32_t>(size),
              Image<std::uint32_t>(size), Image<std::uint32_t>(size), Image<std::uint32_t>(size)};
  const MatchMaps<std::int16_t> maps{out.disparity, out.confidence, out.cost, out.second_cost, out.before, out.after};
  reference::match<P, std::int16_t>(make_stereo_plan(size, options, masks), left, right, maps);
  return out;
}

/// Everything off: the cheapest candidate, in whole pixels, of single pixels.
inline StereoOptions plain(int disparities, Size window = {1, 1}) {
  StereoOptions options;
  options.window = window;
  options.disparities = disparities;
  options.subpixel = false;
  options.reject_ties = false;
  options.left_right = -1;
  options.speckle_size = 0;
  return options;
}

/// no_cost as the maps' values show it.
inline constexpr std::int64_t none = no_cost;

}  // namespace vergence::test

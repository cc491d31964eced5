// SPDX-License-Identifier: Apache-2.0
// The presets of tracks: settings that have a name. docs/presets.md shows what differs; a test compares.
#include <array>

#include "core/option_fields.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

TrackOptions fast() {
  TrackOptions o;
  o.window = 15;
  o.iterations = 10;
  o.epsilon = 0.03;
  o.refill = 60;
  o.max_residual = 0;
  o.forward_backward = 0;
  return o;
}

TrackOptions strict() {
  TrackOptions o;
  o.guess = TrackGuess::velocity;
  o.must_converge = true;
  o.min_separation = 3;
  o.grid = {8, 6};
  return o;
}

const std::array<TrackPreset, 3>& presets() {
  static const std::array<TrackPreset, 3> list{{
      {"fast", "A smaller window, few steps, no checks: a third of the time; points that went astray are kept.",
       fast()},
      {"default",
       "21x21, three coarse levels, 30 steps of at least 0.01 px; points are checked backwards and by their residual.",
       TrackOptions{}},
      {"strict", "Reliable tracks: checked, converged, apart from each other, spread over the frame.", strict()},
  }};
  return list;
}

}  // namespace

std::span<const TrackPreset> track_presets() { return presets(); }

const TrackPreset& track_preset(std::string_view name) { return option_fields::find_preset(presets(), "track", name); }

}  // namespace vergence

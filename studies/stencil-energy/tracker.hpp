// SPDX-License-Identifier: Apache-2.0
// The whole tracker on a stream of frames: the published program, its phases on devices, and this library's tracker.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stencil-energy/effort.hpp"
#include "stencil-energy/follower.hpp"

namespace vergence::studies::stencil_energy {

/// A row of the paper's table III: who does it.
struct Tracker {
  std::string name;     ///< "exact-sdvbs", "published", "ours".
  std::string prepare;  ///< Device of the first phase: "one core", "cpu", "cuda:0".
  std::string update;   ///< Device of the second phase.
  Worker worker;        ///< Whose joules these are.
  int threads = 0;      ///< Of a device cpu; 0: all.

  std::string on() const;
};

/// How often, and what of it.
struct Rounds {
  int rounds = 1;
  int energy_frames = 0;  ///< > 0: joules for so many frames, and for a detection.
  bool warm = true;       ///< A round before that is not counted: kernels are compiled, memory is touched.
};

/// Detects once and follows a stream in rounds. Counts say frames/s of the middle round, features, and what each phase
/// took. `places`, where given, gets where the features were after Following::compare_at.
Cell measure_tracker(const Effort& effort, Joules& joules, const Stream& stream, const Tracker& tracker,
                     const Following& following, const Rounds& rounds,
                     const std::function<std::unique_ptr<Follower>()>& make,
                     std::vector<std::pair<float, float>>* places = nullptr);

/// The largest distance between places of one list and those of the other, px; negative where their numbers differ.
double farthest(const std::vector<std::pair<float, float>>& a, const std::vector<std::pair<float, float>>& b);

/// The first frame of a clip, moved by so many 1/100 px a frame to the right and half as many down, in bilinear
/// samples: so little that the published tracker, whose steps go away from the solution, keeps its features.
std::vector<Image<std::uint8_t>> drifting(ImageView<const std::uint8_t> first, int hundredths, int frames);

}  // namespace vergence::studies::stencil_energy

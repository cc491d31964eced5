// SPDX-License-Identifier: Apache-2.0
// Tuning: finds the fastest launch configurations of a GPU (group sizes, work per work-item). They change speed and
// never a byte. Read device.hpp first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vergence/device.hpp"
#include "vergence/image.hpp"

namespace vergence {

/// One launch configuration that was tried.
struct TuneCandidate {
  std::vector<std::pair<std::string, int>> numbers;  ///< What tells it apart, by name.
  double ms = 0;                                     ///< Kernels of one frame by the device's clock; 0 where wrong.
  std::string wrong;  ///< Why it may not win: the first byte that differs from `reference`, or an error. Else empty.
};

/// What was found out about one entry point.
struct TuneResult {
  std::string entry;                      ///< "match-sad", ..., "motion-full", ..., "track-points"
  std::vector<TuneCandidate> candidates;  ///< The default first.
  std::size_t winner = 0;                 ///< Index of the fastest right one; the default unless another is 2 % faster.
  std::string folder;                     ///< Where the winner is kept.
};

struct TuneOptions {
  /// Size of the pictures with which candidates are timed, 64x16 .. 16384x16384.
  Size size{1280, 720};
  /// Frames in a measurement, 1 .. 1000; fewer where a measurement would take longer than half a second. Three
  /// measurements are made, and the shortest counts.
  int repeat = 5;
  /// Seed of the random pictures.
  std::uint64_t seed = 1;
};

/// Why OpenCL and CUDA devices can keep nothing in the cache folder (DeviceOptions::kernel_cache), with the cure: they
/// work, but compile their kernels in every process and have no tuning. Empty where they can, and where VERGENCE_CACHE
/// is off.
std::string cache_folder_problem();

/// What can be tuned on a device, in a fixed order; empty where nothing can.
std::vector<std::string> tune_entries(const Device& device);

/// Times all candidates of an entry, checks each against `reference` before it may win, and keeps the winner in the
/// cache folder for this device and driver: matchers, estimators and trackers made from then on use it. Throws
/// Error(not_found) for an unknown entry, Error(unsupported) for a device without any, Error(io) where the winner
/// cannot be kept, and Error(device) where no candidate is right.
///
/// ```cpp
/// const Device device("cuda:0");
/// for (const std::string& entry : tune_entries(device)) {
///   const TuneResult result = tune(device, entry, {.size = {1920, 1080}});
///   double fastest_ms = result.candidates[result.winner].ms;
/// }
/// ```
TuneResult tune(const Device& device, const std::string& entry, const TuneOptions& options = {});

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// One track case, and one case of the filters, on `reference` and on other devices.
#pragma once

#include <string>
#include <vector>

#include "vergence/device.hpp"
#include "verify/filter_run.hpp"
#include "verify/track_run.hpp"

namespace vergence::fuzz {

class TrackCompare {
 public:
  /// The device `cpu` with every SIMD target of this machine.
  TrackCompare();
  /// Every OpenCL and CUDA device of this machine that has tracks and filters.
  static TrackCompare on_gpus();
  /// "AVX2, SSE4, ..."
  const std::string& targets() const { return names_; }

  /// Empty where all give the same numbers and nothing else was touched, else which target differs where.
  template <class P>
  std::string difference(const TrackCase& track_case, const TrackFrames<P>& frames, const TrackPoints& points,
                         int padding) const;
  /// The same with make_track_frames() and make_track_points().
  std::string difference(const TrackCase& track_case, int padding) const;
  std::string difference(const FilterCase& filter_case, int padding) const;

 private:
  explicit TrackCompare(std::vector<Device> devices) : reference_("reference"), devices_(std::move(devices)) {}
  Device reference_;
  std::vector<Device> devices_;
  std::string names_;
};

}  // namespace vergence::fuzz

// SPDX-License-Identifier: Apache-2.0
// What a device offers whose work can be launched in several ways.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence::backend {

class Device;

/// A launch configuration: how the work of an entry point is divided, as named whole numbers in a fixed order. Changes
/// speed and nothing else.
using Tuning = std::vector<std::pair<std::string, int>>;

/// Work of tracks: following points, or preparing frames alone.
struct TrackWorkload {
  TrackOptions options;
  bool follows_points = true;
};
/// What the candidates of an entry are timed with: the settings of its domain.
using Workload = std::variant<StereoOptions, MotionOptions, TrackWorkload>;

/// What is tuned apart from anything else.
struct TuningEntry {
  std::string name;
  Workload workload;
  std::vector<Tuning> candidates;  ///< The default first.
};

class Tuner {
 public:
  virtual ~Tuner() = default;
  virtual std::vector<TuningEntry> entries() const = 0;
  /// This device, launching the entry's work so; Error(invalid_argument) where that is none of its candidates.
  virtual std::shared_ptr<Device> configured(const std::string& entry, const Tuning& tuning) const = 0;
  /// The folder that launch configurations are kept in; Error(io) where there is none.
  virtual std::string folder() const = 0;
  /// For all later objects of such devices, in this process and in others; Error(io) where it cannot be kept.
  virtual void keep(const std::string& entry, const Tuning& tuning) = 0;
};

}  // namespace vergence::backend

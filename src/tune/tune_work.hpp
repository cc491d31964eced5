// SPDX-License-Identifier: Apache-2.0
// The work on which candidates of an entry are tried: pictures, expected results, and a clock.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "backend/tuning.hpp"
#include "vergence/device.hpp"
#include "vergence/tune.hpp"

namespace vergence {

class TuneWork {
 public:
  virtual ~TuneWork() = default;
  /// Empty and the time of a frame on the device, or the first value that differs from the expected one.
  virtual std::string run(const Device& device, double& ms) const = 0;
};

/// One for each domain of backend::Workload.
std::unique_ptr<TuneWork> make_work(const StereoOptions& stereo, const TuneOptions& options);
std::unique_ptr<TuneWork> make_work(const MotionOptions& motion, const TuneOptions& options);
std::unique_ptr<TuneWork> make_work(const backend::TrackWorkload& tracks, const TuneOptions& options);

/// Of three measurements of `repeat` frames the least, per frame, by the device's clock. Slow devices get fewer frames.
template <class Computer, class F>
double least_ms(Computer& computer, int repeat, F&& once) {
  constexpr double enough = 500;
  computer.measure(true);
  once();  // warms up, and says how slow it is
  const double first = computer.times().value_or(DeviceTimes{}).kernel_ms;
  const int frames = first * repeat > enough ? std::max(1, static_cast<int>(enough / first)) : repeat;
  double least = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < frames; ++i) once();
    const double ms = computer.times().value_or(DeviceTimes{}).kernel_ms / frames;
    if (round == 0 || ms < least) least = ms;
  }
  computer.measure(false);
  return least;
}

}  // namespace vergence

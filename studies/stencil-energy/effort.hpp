// SPDX-License-Identifier: Apache-2.0
// How much is run, until when, and what it takes in joules.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "common/settings.hpp"
#include "vergence/energy.hpp"

namespace vergence::studies::stencil_energy {

struct Effort {
  explicit Effort(const Settings& settings);
  int launches, runs, search_runs;
  double cell_seconds, seconds, energy_seconds;  ///< 0: no bound; of energy: not measured.

  /// Whether the whole study's time is over.
  bool over() const;
  /// Runs of one launch, where a run takes so long and a cell may take cell_seconds.
  int runs_within(double run_ms) const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Counters of energy around repeated work.
class Joules {
 public:
  Joules(const Effort& effort, const std::string& board);
  /// Why nothing can be counted; empty where something can.
  const std::string& reason() const { return reason_; }
  /// Repeats `action`, which does `frames` frames, for energy_seconds or a run of the counters that is long enough, and
  /// says joules for `unit` frames, watts, and the energy-delay product of `delay` frames; or why there is nothing.
  Json around(const std::function<void()>& action, double frames, double unit, double delay, double flop_per_frame);
  /// What is used while nothing runs.
  Json idle();
  /// Which counters there are, and which are not, and why.
  Json about() const;

 private:
  const Effort& effort_;
  EnergyMeter meter_;
  std::string reason_;
};

/// "not available: WHY"
Json not_available(const std::string& why);
/// A refusal of a cell because of the study's time.
inline constexpr const char* time_is_over = "not measured: the study's time was over";

}  // namespace vergence::studies::stencil_energy

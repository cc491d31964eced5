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

/// What does the work whose joules are asked for.
enum class Worker { processor, board, both };

/// Counters of energy around repeated work. A sum is given only where what works is counted: work of the processor has
/// no joules where only a board is.
class Joules {
 public:
  Joules(const Effort& effort, const std::string& board);
  /// Why nothing can be said of a worker; empty where something can.
  std::string reason(Worker worker) const;
  /// Repeats `action`, which does `frames` frames, for energy_seconds or a run of the counters that is long enough, and
  /// says joules for `unit` frames, watts, the energy-delay product of `delay` frames, what was summed and which
  /// counters were missing; or why there is nothing. Where the processor has no counter, the sum of work on a board is
  /// the board's alone.
  Json around(Worker worker, const std::function<void()>& action, double frames, double unit, double delay,
              double flop_per_frame);
  /// What each counter's part uses while nothing runs.
  Json idle();
  /// Which counters there are, and which are not, and why.
  Json about() const;

 private:
  bool counts_processor() const;
  const Effort& effort_;
  EnergyMeter meter_;
};

/// "not available: WHY"
Json not_available(const std::string& why);
/// A refusal of a cell because of the study's time.
inline constexpr const char* time_is_over = "not measured: the study's time was over";

}  // namespace vergence::studies::stencil_energy

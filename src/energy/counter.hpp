// SPDX-License-Identifier: Apache-2.0
// A counter of energy as it is read: a number that grows, and may start again from 0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vergence/energy.hpp"

namespace vergence::energy {

/// Adds up what a counter counts from one reading to the next.
class Counter {
 public:
  /// `unit` is what a step is worth in joules. A counter that falls has started again after `range` steps; `range` 0
  /// stands for one that never does.
  Counter(EnergyCounter about, double unit, std::uint64_t range)
      : about_(std::move(about)), unit_(unit), range_(range) {}
  virtual ~Counter() = default;
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  const EnergyCounter& about() const { return about_; }
  bool wraps() const { return range_ > 0; }
  /// The first reading of a measurement.
  void start();
  /// A further one. At most one turn may lie between two.
  void look();
  /// From the first reading to the last; without a figure where one of them failed. Says nothing of sums.
  EnergyReading reading() const;

 protected:
  /// Steps; throws Error.
  virtual std::uint64_t read() = 0;

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t read_at(Clock::time_point& time);

  EnergyCounter about_;
  double unit_;
  std::uint64_t range_;
  std::uint64_t last_ = 0, steps_ = 0;
  Clock::time_point first_time_, last_time_;
  std::string problem_;
};

/// What one source of counters offers and lacks.
struct Sources {
  std::vector<std::unique_ptr<Counter>> counters;
  std::vector<MissingEnergy> missing;
};

}  // namespace vergence::energy

// SPDX-License-Identifier: Apache-2.0
// Readings of a counter, and what lies between them.
#include "energy/counter.hpp"

#include <fmt/format.h>

#include "vergence/error.hpp"

namespace vergence::energy {

/// The time is the middle of the reading, which may take milliseconds.
std::uint64_t Counter::read_at(Clock::time_point& time) {
  const Clock::time_point before = Clock::now();
  const std::uint64_t value = read();
  time = before + (Clock::now() - before) / 2;
  return value;
}

void Counter::start() {
  steps_ = 0;
  problem_.clear();
  try {
    last_ = read_at(first_time_);
    last_time_ = first_time_;
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

void Counter::look() {
  if (!problem_.empty()) return;
  try {
    const std::uint64_t value = read_at(last_time_);
    if (value < last_ && last_ > range_) {
      problem_ = fmt::format("the counter fell from {} to {}: it was set back", last_, value);
      return;
    }
    steps_ += value >= last_ ? value - last_ : range_ - last_ + value;
    last_ = value;
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

EnergyReading Counter::reading() const {
  EnergyReading reading{about_, {}, 0, false, problem_};
  if (!problem_.empty()) return reading;
  reading.joules = static_cast<double>(steps_) * unit_;
  reading.seconds = std::chrono::duration<double>(last_time_ - first_time_).count();
  return reading;
}

}  // namespace vergence::energy

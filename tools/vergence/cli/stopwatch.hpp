// SPDX-License-Identifier: Apache-2.0
// What a part of a run took.
#pragma once

#include <chrono>
#include <utility>

namespace vergence::cli {

class Stopwatch {
 public:
  /// Since it was made, or since the last lap().
  double ms() const { return between(start_, Clock::now()); }
  /// The same, and starts anew.
  double lap() {
    const Clock::time_point now = Clock::now();
    return between(std::exchange(start_, now), now);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double between(Clock::time_point start, Clock::time_point end) {
    return std::chrono::duration<double, std::milli>(end - start).count();
  }
  Clock::time_point start_ = Clock::now();
};

}  // namespace vergence::cli

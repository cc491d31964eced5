// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every platform (the standard library's distributions are not): splitmix64 of
// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
#pragma once

#include <cstdint>

namespace vergence {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// low .. high, both included; low <= high. (The remainder's bias is far below what a test could notice.)
  int within(int low, int high) {
    const auto span = static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low) + 1;
    return static_cast<int>(low + static_cast<std::int64_t>(next() % span));
  }
  /// True once in `n` times.
  bool once_in(int n) { return within(1, n) == 1; }

 private:
  std::uint64_t state_;
};

}  // namespace vergence

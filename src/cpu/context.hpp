// SPDX-License-Identifier: Apache-2.0
// What every stage on the CPU runs with: its threads and its SIMD target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parallel.hpp"

namespace vergence::cpu {

struct Context {
  explicit Context(int thread_count, std::int64_t simd_target) : threads(thread_count), target(simd_target) {}
  Threads threads;
  std::int64_t target;  ///< One HWY_* target bit.
};

/// The targets compiled in that this machine runs, best first.
std::vector<std::int64_t> simd_targets();
/// "AVX2", "NEON", ... as Highway names them.
std::string simd_name(std::int64_t target);

}  // namespace vergence::cpu

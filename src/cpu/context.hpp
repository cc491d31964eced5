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

/// The targets linked in that this machine runs, best first; none where the program was built for another machine.
std::vector<std::int64_t> simd_targets();
/// False where the program was built for one machine alone (VERGENCE_SIMD_REST=OFF).
bool has_all_targets();
/// "AVX2", "NEON", ... as Highway names them.
std::string simd_name(std::int64_t target);

}  // namespace vergence::cpu

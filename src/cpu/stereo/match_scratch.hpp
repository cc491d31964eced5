// SPDX-License-Identifier: Apache-2.0
// Memory that a matcher keeps between frames: one worker per thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace vergence::cpu {

class MatchScratch {
 public:
  /// What one thread needs; its type depends on the plan's pixels and sums.
  struct Worker {
    virtual ~Worker() = default;
    virtual std::size_t bytes() const = 0;
  };
  std::vector<std::unique_ptr<Worker>> workers;
  std::unique_ptr<Worker> shared;  ///< What all threads work in.

  std::size_t bytes() const {
    std::size_t sum = shared != nullptr ? shared->bytes() : 0;
    for (const auto& worker : workers) sum += worker != nullptr ? worker->bytes() : 0;
    return sum;
  }
};

}  // namespace vergence::cpu

// SPDX-License-Identifier: Apache-2.0
// Exhaustive searches that have kernels of their own.
#pragma once

#include <memory>

#include "gpu/motion/search.hpp"

namespace vergence::gpu {

class Exhaustive {
 public:
  virtual ~Exhaustive() = default;
  /// Vectors, costs and J of all blocks; or, where it was made with `second_best`, the second-best J of blocks whose
  /// vectors are known.
  virtual void run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const = 0;
};

/// Takes the least of each block's keys, by choose.cl; `found` (may be null) holds those of blocks that need no search.
void choose(Queue& queue, const Kernel& kernel, const Buffer& keys, MotionBuffers& buffers, bool predicted,
            const Buffer* found);

/// Nothing where the settings or the device want search.cl.
std::unique_ptr<Exhaustive> make_exhaustive(const MotionPlan& plan, Size block, Programs& programs,
                                            const MotionTuning& tuning, bool second_best);

}  // namespace vergence::gpu

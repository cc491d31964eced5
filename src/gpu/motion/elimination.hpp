// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD on bytes that leaves out what bounds rule out.
#pragma once

#include <memory>

#include "gpu/motion/search.hpp"

namespace vergence::gpu {

class Elimination {
 public:
  static bool serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning);
  Elimination(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning);
  /// Leaves the best key of each block in found(), or none where too many candidates are left.
  void run(Queue& queue, const MotionLevel& frames, const MotionBuffers& buffers, bool predicted) const;
  const Buffer& found() const { return *found_; }
  /// How many blocks have none, and their numbers.
  const Buffer& hard() const { return *hard_; }

 private:
  Size plane_;
  int pitch_, group_, plane_words_ = 0;
  const Kernel *rows_, *cells_, *eliminate_;
  std::unique_ptr<Buffer> planes_, sums_, part_sums_, cell_sums_, parts_, found_, hard_;
};

}  // namespace vergence::gpu

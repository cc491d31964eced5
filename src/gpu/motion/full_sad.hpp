// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD on bytes, for devices that sum differences of bytes fast.
#pragma once

#include <memory>

#include "gpu/motion/elimination.hpp"
#include "gpu/motion/exhaustive.hpp"
#include "gpu/motion/tiles.hpp"

namespace vergence::gpu {

class FullSad final : public Exhaustive {
 public:
  static bool serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning);
  /// `second_best`: finds the second best J of blocks whose vectors are known.
  FullSad(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning, bool second_best);
  void run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const override;

  /// The tiles of the candidates of a block, and the panels of the block.
  struct Shape : Tiles {
    int chunk = 0, panel_words = 0, panel_rows = 0;
  };

 private:
  Shape shape_;
  std::size_t hard_groups_ = 0;  ///< Groups that share the tiles of the blocks that an elimination leaves.
  const Kernel *search_, *choose_;
  std::unique_ptr<Buffer> keys_;
  std::unique_ptr<Elimination> eliminate_;  ///< Goes first, where it serves.
};

}  // namespace vergence::gpu

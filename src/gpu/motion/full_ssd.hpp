// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SSD on bytes, for devices that multiply small matrices of bytes.
#pragma once

#include <memory>

#include "gpu/motion/exhaustive.hpp"

namespace vergence::gpu {

class FullSsd final : public Exhaustive {
 public:
  static bool serves(const MotionPlan& plan, Size block, const Properties& properties, const MotionTuning& tuning);
  FullSsd(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning, bool second_best);
  void run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const override;

  /// The tiles of the candidates of a block.
  struct Shape {
    int origin = 0, warps = 0, tiles_x = 0, tiles_y = 0;  ///< No warps where nothing fits.
  };

 private:
  void add_squares(Queue& queue, const MotionLevel& frames) const;

  Size block_, last_, plane_;  ///< Sides of whole blocks, and of the last one in each direction.
  int pitch_;
  Shape shape_;
  const Kernel *square_rows_, *square_boxes_, *search_, *choose_;
  std::unique_ptr<Buffer> sums_, boxes_, keys_;
};

}  // namespace vergence::gpu

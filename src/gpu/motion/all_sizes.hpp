// SPDX-License-Identifier: Apache-2.0
// The exhaustive search by SAD or SSD on bytes for all block sizes at once, for devices that sum differences of bytes
// fast.
#pragma once

#include <array>
#include <memory>

#include "gpu/motion/search.hpp"
#include "gpu/motion/tiles.hpp"

namespace vergence::gpu {

class AllSizes {
 public:
  /// False where each size needs a search of its own.
  static bool serves(const MotionPlan& plan, const Properties& properties, const MotionTuning& tuning);
  /// `second_best`: finds the second best J of blocks whose vectors are known.
  AllSizes(const MotionPlan& plan, Programs& programs, const MotionTuning& tuning, bool second_best);

  /// What is known of the blocks of a size, in the order of MotionSizesEstimator::sides.
  struct Field {
    MotionBuffers* buffers;
    bool predicted;
  };
  using Fields = std::array<Field, 4>;
  /// Vectors, costs and J of all blocks of all sizes, or the second best J.
  void run(Queue& queue, const MotionLevel& frames, const Fields& fields) const;

 private:
  Tiles shape_;
  Size squares_;  ///< Of 64 px, per row and column.
  const Kernel *search_, *choose_;
  std::array<std::unique_ptr<Buffer>, 4> keys_;
};

}  // namespace vergence::gpu

// SPDX-License-Identifier: Apache-2.0
// The search of one block size on a GPU, of any kind.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/motion/tuning.hpp"
#include "gpu/program.hpp"
#include "gpu/shared/motion/search.h"
#include "plan/motion/plan.hpp"

namespace vergence::gpu {

/// Both frames on one level; rows begin at multiples of 16 bytes, `pitch` pixels apart.
struct MotionLevel {
  /// With memory for both frames, or for none.
  MotionLevel(Size size, std::size_t pixel_bytes, Device& device);
  MotionLevel(Size size, std::size_t pixel_bytes);
  /// Of one frame.
  static std::size_t bytes(Size size, std::size_t pixel_bytes);
  Size size;
  int pitch;
  std::shared_ptr<Buffer> current, reference;
};

/// What kernels are told of a level, and of the displacements that are searched there.
shared::FrameArguments frame_arguments(const MotionLevel& frames);
shared::LevelArguments level_arguments(const MotionLevel& frames, MotionRange x, MotionRange y, bool predicted);

/// What is known of the blocks of one size, in raster order: vectors as two numbers of 16 bits, costs of 64 bits.
struct MotionBuffers {
  MotionBuffers(Size grid, Device& device);
  Size grid;
  std::shared_ptr<Buffer> predictions, vectors;
  std::unique_ptr<Buffer> costs, j, second, confidences;
  std::array<std::unique_ptr<Buffer>, 2> coarse;  ///< Vectors of a level, and of the one above it.
};

/// The words that blocks.h needs.
Defines block_defines(const MotionPlan& plan, Size block, const MotionTuning& tuning, const Properties& properties);
/// A power of two that the device allows.
int block_group(const MotionTuning& tuning, const Properties& properties);

class Exhaustive;
class StepGrids;
class Walk;

class BlockSearch {
 public:
  BlockSearch(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning);
  BlockSearch(BlockSearch&&) noexcept;
  ~BlockSearch();
  /// Vectors, costs and J of all blocks, and their second best J where it is wanted. `levels` holds the frames, and the
  /// coarse levels that the plan asks for.
  void run(Queue& queue, const std::vector<MotionLevel>& levels, MotionBuffers& buffers, bool predicted,
           bool want_second) const;
  /// Compiles what only the second best needs.
  void prepare_second(Programs& programs);

 private:
  /// What is searched on a level: blocks, or cells of tz.
  Size grid_of(int level, Size size) const;
  void prepare_coarsest(Programs& programs);
  void prepare_search(Programs& programs);

  MotionPlan plan_;
  Size block_;
  MotionTuning tuning_;
  int group_;
  const Kernel* search_ = nullptr;  ///< Null where others do all.
  std::unique_ptr<Exhaustive> exhaustive_, second_;
  std::unique_ptr<StepGrids> grids_;
  std::vector<Walk> walks_;  ///< By level: all but the coarsest; none where search.cl does it.
  /// The coarsest level of tz, where FullSad serves it.
  std::unique_ptr<Exhaustive> coarsest_;
  std::unique_ptr<MotionBuffers> coarsest_buffers_;
};

/// Coarse levels of the plan's search; 0 where it has none.
int coarse_levels(const MotionPlan& plan);

}  // namespace vergence::gpu

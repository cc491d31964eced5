// SPDX-License-Identifier: Apache-2.0
// Which exhaustive search serves, and the last step of all of them.
#include "gpu/motion/exhaustive.hpp"

#include <vector>

#include "gpu/grid.hpp"
#include "gpu/motion/full_sad.hpp"
#include "gpu/motion/full_ssd.hpp"
#include "gpu/shared/motion/exhaustive.h"

namespace vergence::gpu {

std::unique_ptr<Exhaustive> make_exhaustive(const MotionPlan& plan, Size block, Programs& programs,
                                            const MotionTuning& tuning, bool second_best) {
  const Properties& properties = programs.device().properties();
  if (FullSad::serves(plan, block, properties, tuning))
    return std::make_unique<FullSad>(plan, block, programs, tuning, second_best);
  if (FullSsd::serves(plan, block, properties, tuning))
    return std::make_unique<FullSsd>(plan, block, programs, tuning, second_best);
  return nullptr;
}

void choose(Queue& queue, const Kernel& kernel, const Buffer& keys, MotionBuffers& buffers, bool predicted,
            const Buffer* found) {
  constexpr int group = 64;
  const int blocks = buffers.grid.width * buffers.grid.height;
  std::vector<Argument> arguments{keys,           *buffers.predictions, *buffers.vectors,
                                  *buffers.costs, *buffers.j,           *buffers.second};
  if (found != nullptr) arguments.emplace_back(*found);
  arguments.emplace_back(shared::ChooseArguments{.blocks = blocks, .predicted = predicted ? 1 : 0});
  queue.launch(kernel, {groups_for(blocks, group), 1, 1}, {group, 1, 1}, arguments);
}

}  // namespace vergence::gpu

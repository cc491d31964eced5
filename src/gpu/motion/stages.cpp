// SPDX-License-Identifier: Apache-2.0
// Launches of what comes before and after a motion search.
#include "gpu/motion/stages.hpp"

#include <algorithm>
#include <array>

#include "gpu/grid.hpp"
#include "gpu/shared/motion/stages.h"

namespace vergence::gpu {
namespace {

constexpr int most_at_once = 3;  ///< Levels that pyramid.cl makes.

Range groups_of(Size grid) { return {static_cast<std::size_t>(grid.width), static_cast<std::size_t>(grid.height), 1}; }

const char* pixel_of(const MotionPlan& plan) { return plan.options.depth == Depth::u8 ? "uchar" : "ushort"; }

}  // namespace

MotionPyramid::MotionPyramid(const MotionPlan& plan, Programs& programs) : properties_(programs.device().properties()) {
  for (int levels = 1; levels <= std::min(coarse_levels(plan), most_at_once); ++levels)
    halve_.push_back(&programs.kernel("motion/pyramid.cl",
                                      Grid(plan.size, properties_)
                                          .defines()
                                          .set("PIXEL", pixel_of(plan))
                                          .set("BYTES", plan.options.depth == Depth::u8 ? 1 : 0)
                                          .set("ROLLED", properties_.is_cpu ? 1 : 0)
                                          .set("LEVELS", levels),
                                      "pyramid"));
}

void MotionPyramid::run(Queue& queue, std::vector<MotionLevel>& levels, bool both) const {
  for (std::size_t first = 0, count = 0; first + 1 < levels.size(); first += count) {
    count = std::min<std::size_t>(levels.size() - 1 - first, most_at_once);
    const MotionLevel& fine = levels[first];
    const auto level = [&](std::size_t i) -> const MotionLevel& { return levels[first + std::min(i, count)]; };
    const auto run_frame = [&](std::shared_ptr<Buffer> MotionLevel::*frame) {
      const Size size = level(count).size;
      const shared::PyramidArguments scalars{.width = size.width,
                                             .height = size.height,
                                             .fine_width = fine.size.width,
                                             .fine_height = fine.size.height,
                                             .fine_pitch = fine.pitch,
                                             .pitch_1 = level(1).pitch,
                                             .pitch_2 = level(2).pitch,
                                             .pitch_3 = level(3).pitch};
      Grid(size, properties_)
          .run(queue, *halve_[count - 1], {*(fine.*frame), *(level(1).*frame), *(level(2).*frame), *(level(3).*frame)},
               scalars);
    };
    run_frame(&MotionLevel::current);
    if (both) run_frame(&MotionLevel::reference);
  }
}

MotionRefine::MotionRefine(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning)
    : options_(plan.options),
      group_(block_group(tuning, programs.device().properties())),
      refine_(&programs.kernel("motion/refine.cl",
                               block_defines(plan, block, tuning, programs.device().properties())
                                   .set("LAMBDA", options_.lambda)
                                   .set("QUARTERS", options_.subpel == MotionSubpel::quarter ? 1 : 0)
                                   .set("LUMA", 1)
                                   .set("MAX_PIXEL", plan.max_pixel),
                               "refine")) {}

void MotionRefine::run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const {
  const std::array<Argument, 7> arguments{*frames.current,
                                          *frames.reference,
                                          *buffers.predictions,
                                          *buffers.vectors,
                                          *buffers.costs,
                                          *buffers.j,
                                          level_arguments(frames, options_.range_x, options_.range_y, predicted)};
  queue.launch(*refine_, groups_of(buffers.grid), {static_cast<std::size_t>(group_), 1, 1}, arguments);
}

MotionConfidence::MotionConfidence(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning)
    : group_(block_group(tuning, programs.device().properties())),
      confidence_(&programs.kernel("motion/confidence.cl",
                                   block_defines(plan, block, tuning, programs.device().properties()), "confidence")) {}

void MotionConfidence::run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers) const {
  const std::array<Argument, 6> arguments{*frames.current, *frames.reference,    *buffers.vectors,
                                          *buffers.costs,  *buffers.confidences, frame_arguments(frames)};
  queue.launch(*confidence_, groups_of(buffers.grid), {static_cast<std::size_t>(group_), 1, 1}, arguments);
}

MotionPredict::MotionPredict(const MotionPlan& plan, const PlaneScale& scale, Programs& programs)
    : size_(plane_size(plan.size, scale)),
      grid_(plan.grids.front()),
      properties_(programs.device().properties()),
      predict_(&programs.kernel("motion/predict.cl",
                                Grid(size_, properties_)
                                    .defines()
                                    .set("PIXEL", pixel_of(plan))
                                    .set("ROLLED", properties_.is_cpu ? 1 : 0)
                                    .set("LUMA", scale.is_luma ? 1 : 0)
                                    .set("SCALE_X", scale.x)
                                    .set("SCALE_Y", scale.y)
                                    .set("BLOCK_W", plan.options.block.width >> scale.x)
                                    .set("BLOCK_H", plan.options.block.height >> scale.y)
                                    .set("OVERLAP", plan.options.overlap ? 1 : 0)
                                    .set("MAX_PIXEL", plan.max_pixel),
                                "predict")) {}

void MotionPredict::run(Queue& queue, const Buffer& reference, const Buffer& vectors, Buffer& prediction) const {
  Grid(size_, properties_)
      .run(queue, *predict_, {reference, vectors, prediction},
           shared::PredictArguments{
               .width = size_.width, .height = size_.height, .across = grid_.width, .down = grid_.height});
}

}  // namespace vergence::gpu

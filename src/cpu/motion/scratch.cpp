// SPDX-License-Identifier: Apache-2.0
// Allocates the scratch memory for the stages of an estimator, and takes frames over.
#include "cpu/motion/scratch.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "cpu/motion/interpolate.hpp"
#include "cpu/motion/pyramid.hpp"

namespace vergence::cpu {
namespace {

int farthest(MotionRange range) { return std::max(-range.first, range.last); }

/// Costs of blocks, and of the 8x8 pixels at least that stand for them on coarse levels.
bool is_wide(const MotionPlan& plan) {
  const MotionOptions& o = plan.options;
  if (o.cost != MotionCost::ssd || o.depth == Depth::u8) return false;
  const Size block = plan.blocks.back();
  const auto area =
      static_cast<std::uint64_t>(std::max(block.width, 8)) * static_cast<std::uint64_t>(std::max(block.height, 8));
  const auto pixel = static_cast<std::uint64_t>(plan.max_pixel);
  return pixel * pixel * area > std::numeric_limits<std::uint32_t>::max();
}

bool needs_levels(const MotionOptions& o) {
  return o.search == MotionSearch::hierarchical || (o.search == MotionSearch::tz && o.levels > 0);
}

/// Where candidates end beside the frame.
int around(const MotionOptions& o, MotionRange range) { return o.border == MotionBorder::pad ? farthest(range) : 0; }

}  // namespace

template <class P>
MotionScratch<P>::MotionScratch(const MotionPlan& plan, Context& context) {
  const MotionOptions& o = plan.options;
  plane.reserve(plan.size, around(o, o.range_x) + taps, around(o, o.range_y) + taps);
  frame = {{},        &plane,  cost_functions<P>(o.cost, context.target, plan.max_pixel), o.border, o.range_x,
           o.range_y, o.lambda};
  wide = is_wide(plan);
  minimum = row_minimum(context.target);
  find_survivors = survivors(context.target);
  if (o.search == MotionSearch::full && o.cost == MotionCost::sad && !plan.all_sizes) tiles = TileLevels::of(o.block);
  sums.reserve(tiles, plan.size, around(o, o.range_x), around(o, o.range_y));
  if constexpr (std::is_same_v<P, std::uint8_t>) {
    if (o.cost == MotionCost::sad) best_of_small = vergence::cpu::best_of_small(context.target);
  }
  if (needs_levels(o)) reserve_levels(plan, *this);
  const int columns = o.range_x.last - o.range_x.first + 1;
  workers.resize(static_cast<std::size_t>(context.threads.count()));
  for (auto& worker : workers) {
    worker = std::make_unique<MotionWorker<P>>();
    worker->costs.resize(static_cast<std::size_t>(4 * (columns + grid_slack)));
    if (o.subpel != MotionSubpel::none) worker->filtered.resize(Interpolation::scratch);
    if (plan.all_sizes) worker->square = make_square(plan, *this);
    worker->left.resize(static_cast<std::size_t>(BoundStrip::most_rows * PlaceGroup::height * columns + grid_slack));
  }
}

template <class P>
std::size_t MotionScratch<P>::bytes() const {
  std::size_t bytes = plane.bytes() + sums.bytes();
  for (const MotionLevel<P>& level : levels)
    bytes += level.plane.bytes() +
             static_cast<std::size_t>(level.current.stride() * level.current.height() +
                                      level.reference.stride() * level.reference.height()) +
             level.found.capacity() * sizeof(PixelVector);
  for (const auto& worker : workers)
    bytes += sizeof(MotionWorker<P>) + worker->costs.capacity() * sizeof(std::uint32_t) +
             worker->wide_costs.capacity() * sizeof(std::uint64_t) + worker->left.capacity() * sizeof(Survivor) +
             worker->filtered.capacity() * sizeof(std::int32_t) +
             (worker->square != nullptr ? worker->square->bytes() : 0);
  return bytes;
}

template <class P>
void begin_motion(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch,
                  const MotionPictures<P>& pictures) {
  scratch.frame.current = pictures.current;
  scratch.plane.fill(context.threads, pictures.reference, scratch.plane.margin_y());
  if (scratch.tiles.any()) scratch.sums.fill(context, scratch.tiles, scratch.plane, plan.max_pixel);
  fill_levels(context, scratch, pictures);
}

template class MotionScratch<std::uint8_t>;
template class MotionScratch<std::uint16_t>;
template void begin_motion(const MotionPlan&, Context&, MotionScratch<std::uint8_t>&,
                           const MotionPictures<std::uint8_t>&);
template void begin_motion(const MotionPlan&, Context&, MotionScratch<std::uint16_t>&,
                           const MotionPictures<std::uint16_t>&);

}  // namespace vergence::cpu

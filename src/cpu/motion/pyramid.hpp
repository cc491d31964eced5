// SPDX-License-Identifier: Apache-2.0
// Coarse levels of the frames, and the search of a block on one of them.
#pragma once

#include "cpu/motion/scratch.hpp"
#include "definitions/motion/pyramid.h"

namespace vergence::cpu {

/// Halves rows first .. last of a level from the level below it.
template <class P>
void half_rows(const Context& context, ImageView<const P> picture, int first, int last, ImageView<P> half);

/// Memory for plan.options.levels coarse levels.
template <class P>
void reserve_levels(const MotionPlan& plan, MotionScratch<P>& scratch);
/// The levels of two frames.
template <class P>
void fill_levels(Context& context, MotionScratch<P>& scratch, const MotionPictures<P>& pictures);

/// The search of walk's block on a level above 0: the pixels that stand for it, no rate.
template <class P>
void begin_coarse(const MotionScratch<P>& scratch, int level, const BlockWalk<P>& walk, BlockWalk<P>& coarse) {
  const SearchFrame<P>& frame = scratch.levels[static_cast<std::size_t>(level - 1)].frame;
  const Size size = frame.reference->size();
  const Rect& block = walk.block();
  coarse.begin(frame,
               {definitions::coarse_start(block.x, block.width, level, size.width),
                definitions::coarse_start(block.y, block.height, level, size.height),
                definitions::coarse_extent(block.x, block.width, level, size.width),
                definitions::coarse_extent(block.y, block.height, level, size.height)},
               {});
}

}  // namespace vergence::cpu

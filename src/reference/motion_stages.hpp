// SPDX-License-Identifier: Apache-2.0
// The reference stages of motion: THE SPECIFICATION, scalar and single-threaded, written to be read and never
// optimised. P is the type of a pixel (uint8_t, uint16_t).
#pragma once

#include <span>

#include "motion/pictures.hpp"
#include "motion/plan.hpp"

namespace vergence::reference {

/// Tries every candidate of every block of plan.blocks.front().
template <class P>
void full(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);

/// The same for each of plan.blocks, from the costs of 8x8 blocks.
template <class P>
void all_sizes(const MotionPlan& plan, const MotionPictures<P>& pictures, std::span<const MotionMaps> maps);

}  // namespace vergence::reference

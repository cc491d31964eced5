// SPDX-License-Identifier: Apache-2.0
// The reference stages of motion: THE SPECIFICATION, scalar and single-threaded, written to be read and never
// optimised. P is the type of a pixel (uint8_t, uint16_t).
#pragma once

#include <cstdint>
#include <span>

#include "plan/motion/pictures.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::reference {

/// Tries every candidate of every block of plan.blocks.front().
template <class P>
void full(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);

/// As `full`, but candidates that sums of pixels prove excluded are not tried; no second_j. Returns how many were
/// tried.
template <class P>
std::int64_t elimination(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);

/// Searches that try fewer candidates, by the same rules.
template <class P>
void step(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);
template <class P>
void diamond(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);
template <class P>
void hexagon(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);
template <class P>
void tz(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);
template <class P>
void hierarchical(const MotionPlan& plan, const MotionPictures<P>& pictures, const MotionMaps& maps);

/// As `full`, for each of plan.blocks, from the costs of 8x8 blocks.
template <class P>
void all_sizes(const MotionPlan& plan, const MotionPictures<P>& pictures, std::span<const MotionMaps> maps);

/// Half- or quarter-pixel vectors, and their costs, in place of the whole-pixel ones of blocks of that size.
template <class P>
void refine(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block, const MotionMaps& maps);

/// maps.confidence from maps.vectors and maps.cost, both final; all three are given.
template <class P>
void confidence(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block, const MotionMaps& maps);

/// The plane of the current frame that vectors of blocks of plan.options.block predict.
template <class P>
void predict(const MotionPlan& plan, ImageView<const P> reference, ImageView<const MotionVector> vectors,
             const PlaneScale& scale, ImageView<P> prediction);

}  // namespace vergence::reference

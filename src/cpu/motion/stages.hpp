// SPDX-License-Identifier: Apache-2.0
// The stages of motion on the CPU: SIMD through Google Highway with run-time dispatch, threads through
// core/parallel.hpp. Each gives the bytes of the function of the same name in reference/motion/stages.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "cpu/context.hpp"
#include "plan/motion/pictures.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::cpu {

/// What the stages of one estimator share: planes of the frames, and scratch memory for each worker. Sized when it is
/// made, so that nothing is allocated per frame.
template <class P>
class MotionScratch;

/// Takes two frames over; the stages below work on them until the next call.
template <class P>
void begin_motion(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch,
                  const MotionPictures<P>& pictures);

/// The searches, on the frames of begin_motion. `full` leaves candidates out that sums of pixels prove excluded.
template <class P>
void full(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps);
template <class P>
void step(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps);
template <class P>
void diamond(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps);
template <class P>
void hexagon(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps);
template <class P>
void tz(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps);
template <class P>
void hierarchical(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, const MotionMaps& maps);
template <class P>
void all_sizes(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, std::span<const MotionMaps> maps);

/// What may follow a search.
template <class P>
void refine(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, Size block, const MotionMaps& maps);
template <class P>
void confidence(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, Size block,
                const MotionMaps& maps);

template <class P>
void predict(const MotionPlan& plan, Context& context, MotionScratch<P>& scratch, ImageView<const P> reference,
             ImageView<const MotionVector> vectors, const PlaneScale& scale, ImageView<P> prediction);

}  // namespace vergence::cpu

// SPDX-License-Identifier: Apache-2.0
// The reference stages of tracks: THE SPECIFICATION, scalar and single-threaded, written to be read and never
// optimised. P is the type of a pixel (uint8_t, uint16_t).
#pragma once

#include <span>
#include <vector>

#include "backend/track.hpp"
#include "plan/track/frame.hpp"
#include "plan/track/plan.hpp"

namespace vergence::reference {

/// frame.pictures from a picture as it came.
template <class P>
void pyramid(const TrackPlan& plan, ImageView<const P> picture, TrackFrame<P>& frame);

/// frame.dx and frame.dy from frame.pictures.
template <class P>
void gradients(const TrackPlan& plan, TrackFrame<P>& frame);

/// See backend::Track::corners.
template <class P>
void corners(const TrackPlan& plan, const TrackFrame<P>& frame, ImageView<const std::uint8_t> mask,
             std::vector<backend::Corner>& corners);

/// See backend::Track::lk.
template <class P>
void lk(const TrackPlan& plan, const TrackFrame<P>& previous, const TrackFrame<P>& current,
        std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found);

}  // namespace vergence::reference

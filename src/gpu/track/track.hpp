// SPDX-License-Identifier: Apache-2.0
// backend::Track on a GPU.
#pragma once

#include <memory>

#include "backend/track.hpp"
#include "gpu/device.hpp"
#include "gpu/track/tuning.hpp"

namespace vergence::gpu {

/// The device has doubles.
std::unique_ptr<backend::Track> make_track(const TrackPlan& plan, const std::shared_ptr<Device>& device,
                                           const TrackTuning& tuning);

}  // namespace vergence::gpu

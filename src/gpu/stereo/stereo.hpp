// SPDX-License-Identifier: Apache-2.0
// backend::Stereo on a GPU.
#pragma once

#include <memory>

#include "backend/stereo.hpp"
#include "gpu/stereo/match.hpp"

namespace vergence::gpu {

std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan, const std::shared_ptr<Device>& device);
/// The same with a launch configuration that is not the default.
std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan, const std::shared_ptr<Device>& device,
                                             const MatchTuning& tuning);

}  // namespace vergence::gpu

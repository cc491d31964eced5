// SPDX-License-Identifier: Apache-2.0
// backend::Motion on a GPU.
#pragma once

#include <memory>

#include "backend/motion.hpp"
#include "gpu/device.hpp"
#include "gpu/motion/tuning.hpp"

namespace vergence::gpu {

std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan, const std::shared_ptr<Device>& device,
                                             const MotionTuning& tuning);

}  // namespace vergence::gpu

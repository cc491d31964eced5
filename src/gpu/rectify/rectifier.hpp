// SPDX-License-Identifier: Apache-2.0
// backend::Rectifier on a GPU.
#pragma once

#include <memory>

#include "backend/rectify.hpp"
#include "gpu/device.hpp"
#include "plan/rectify/plan.hpp"

namespace vergence::gpu {

std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan,
                                                   const std::shared_ptr<Device>& device);

}  // namespace vergence::gpu

// SPDX-License-Identifier: Apache-2.0
// backend::Filters on a GPU.
#pragma once

#include <memory>

#include "backend/filter.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu {

std::unique_ptr<backend::Filters> make_filters(Size size, const std::shared_ptr<Device>& device);

}  // namespace vergence::gpu

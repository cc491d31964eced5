// SPDX-License-Identifier: Apache-2.0
// Frames that exceed a device's memory, in bands of rows.
#pragma once

#include <memory>

#include "backend/device.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/device.hpp"

namespace vergence {

/// Stereo on a device; where it has memory of its own and that does not suffice (Error(out_of_memory), at once or at a
/// frame that asks for more maps), `match` is done there for one band of rows after the other, and what looks at whole
/// maps - speckle filter, median and filling - by the device `cpu` in host memory. The bytes are the same. Frames in
/// bands take and give pictures and maps in host memory alone. Throws Error(out_of_memory) where not even the smallest
/// band fits, and under SGM, whose paths cross all rows, wherever a whole frame does not.
std::unique_ptr<backend::Stereo> make_fitting_stereo(const Device& device, const StereoPlan& plan);

/// Rows above and below a row that its disparities depend on.
int rows_around(const StereoPlan& plan);

}  // namespace vergence

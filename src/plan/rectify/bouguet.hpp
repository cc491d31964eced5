// SPDX-License-Identifier: Apache-2.0
// Rotations and projections by Bouguet's method. The rig and the options have been checked.
#pragma once

#include "vergence/rectify.hpp"

namespace vergence::rectify {

/// All but `valid`. Throws Error(invalid_argument) where the cameras look along the baseline.
RectifiedRig bouguet(const StereoRig& rig, const RectifyOptions& options);

}  // namespace vergence::rectify

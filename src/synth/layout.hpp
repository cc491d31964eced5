// SPDX-License-Identifier: Apache-2.0
// Furnishes the room: from options to a world.
#pragma once

#include "synth/scene.hpp"
#include "synth/world.hpp"

namespace vergence::synth {

/// The room for these options; both disparities must be given.
World furnish(const SceneOptions& options);

/// A plane, without end, that the left camera at frame 0 sees at disparity at_center + slope_x u + slope_y v, where (u,
/// v) is the distance to the picture's centre in px. World must have its focal length and baseline.
Object plane_of_disparity(const World& world, double at_center, double slope_x, double slope_y);

}  // namespace vergence::synth

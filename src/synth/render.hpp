// SPDX-License-Identifier: Apache-2.0
// One frame of a world as pictures and truth.
#pragma once

#include "synth/scene.hpp"
#include "synth/world.hpp"

namespace vergence::synth {

/// Renders any world by the options' size, seed of the noise, exposure, samples and threads. Flow leads to frame + 1
/// where frame + 1 < options.frames. A pixel that meets nothing is black and has disparity 0.
SceneFrame render(const World& world, const SceneOptions& options, int frame);

}  // namespace vergence::synth

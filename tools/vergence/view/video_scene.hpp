// SPDX-License-Identifier: Apache-2.0
// A single video for motion and tracks.
#pragma once

#include <memory>

#include "view/scene.hpp"

namespace vergence::cli {

/// `arguments.left` is the video or the numbered pictures. UsageError where other arguments are for pairs.
std::unique_ptr<ViewScene> open_video_scene(const StereoArguments& arguments);

}  // namespace vergence::cli

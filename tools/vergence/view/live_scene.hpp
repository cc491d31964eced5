// SPDX-License-Identifier: Apache-2.0
// A live source: the frames that came last.
#pragma once

#include <memory>

#include "view/scene.hpp"

namespace vergence::cli {

/// `arguments.left` is the source; with --layout it holds both pictures. UsageError for what does not fit it.
std::unique_ptr<ViewScene> open_live_scene(const StereoArguments& arguments);

}  // namespace vergence::cli

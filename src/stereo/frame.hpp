// SPDX-License-Identifier: Apache-2.0
// What a caller hands over for one frame, once it has been checked: size, type, place, overlap, values.
#pragma once

#include <string_view>

#include "backend/stereo.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/stereo.hpp"

namespace vergence {

struct CheckedFrame {
  backend::StereoPair pair;
  backend::StereoTargets targets;
  bool wants_other = false;
  backend::StereoTargets other;  ///< The other view's map.
};

/// What decides whether pictures and maps are right.
struct FrameRules {
  const StereoPlan& plan;
  const void* space;        ///< See backend::Device::space.
  std::string_view device;  ///< Its name.
};

/// Throws Error(invalid_argument), or Error(unsupported) for cost maps of too large costs, naming what is wrong.
CheckedFrame check_frame(const FrameRules& rules, const StereoInput& input, const StereoOutput& output);

}  // namespace vergence

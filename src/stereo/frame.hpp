// SPDX-License-Identifier: Apache-2.0
// What a caller hands over for one frame, once it has been checked: size, type, place, overlap, values.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "backend/device.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence {

struct CheckedFrame {
  backend::StereoPair pair;
  backend::StereoTargets targets;
  std::array<backend::StereoTargets, 2> others;  ///< Of the other view, a map each.
  std::size_t other_count = 0;
};

/// What decides whether pictures and maps are right.
struct FrameRules {
  const StereoPlan& plan;
  const void* space;        ///< See backend::Device::space.
  std::string_view device;  ///< Its name.
};

/// `Picture` is an ImageView of const uint8_t or uint16_t, or a DeviceImage; `Map` an ImageView of int16_t or int32_t,
/// with StereoExtras, or a DeviceImage, with DeviceStereoExtras. Throws Error(invalid_argument), or Error(unsupported)
/// for cost maps of too large costs, naming what is wrong.
template <class Picture, class Map, class Extras>
CheckedFrame check_frame(const FrameRules& rules, const Picture& left, const Picture& right, const Map& disparity,
                         const Extras& extras);

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Calibration texts: Middlebury's calib.txt, KITTI's, and the YAML of OpenCV and ROS.
#pragma once

#include <string>
#include <string_view>

#include "vergence/io.hpp"

namespace vergence::io {

/// Cameras of a KITTI file; -1 = the usual pair.
struct CameraPair {
  int left = -1;
  int right = -1;
};
/// `name` is for messages.
Calibration parse_calibration(std::string_view text, const std::string& name, const CameraPair& cameras);
Calibration parse_calibration_pair(std::string_view left, const std::string& left_name, std::string_view right,
                                   const std::string& right_name);

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// The outputs that a command line of `vergence stereo` can ask for.
#pragma once

namespace vergence::cli {

enum class Output {
  disparity,
  color,
  gray,
  cost,
  confidence,
  confidence_color,
  validity,
  other,
  depth,
  depth_color,
  cloud,
  depth_deviation,
  rgbd
};

}  // namespace vergence::cli

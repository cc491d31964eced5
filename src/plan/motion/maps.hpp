// SPDX-License-Identifier: Apache-2.0
// What a search of blocks of one size reads and writes besides the frames.
#pragma once

#include "vergence/image.hpp"
#include "vergence/motion.hpp"

namespace vergence {

struct MotionMaps : MotionOutput {
  /// The field of the frame before, as prediction of the vectors; zero vectors where not given.
  ImageView<const MotionVector> previous{};
};

}  // namespace vergence

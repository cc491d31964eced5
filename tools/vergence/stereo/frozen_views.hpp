// SPDX-License-Identifier: Apache-2.0
// Views whose frames repeat while those of the other view go on.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "vergence/io.hpp"

namespace vergence::cli {

/// Compares every eighth row of each view with those of the frame before.
class FrozenViews {
 public:
  /// One line where a view has been the same for four frames in a row, or stood still for one, while the other one
  /// moved on, each once in a run; else "".
  std::string look(const StereoFrame& frame);

 private:
  std::array<GreyPicture, 2> before_;  ///< Every eighth row of both views, in the frame before.
  std::array<int, 2> repeats_{};       ///< Frames in a row in which this view is the same and the other one is not.
  std::array<int, 2> stalled_{};       ///< In the frame before: how far the other view moved, where this one stood.
  std::array<bool, 2> moved_{};        ///< Both views did, in the frame before the one before.
  std::int64_t frames_ = 0;
  bool told_of_stall_ = false, told_of_stop_ = false;
};

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Views whose frames repeat while those of the other view go on.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

/// Compares every eighth row of each view with those of the frame before.
class FrozenViews {
 public:
  /// One line where a view has been the same for four frames in a row, or stood still for one, while the other one
  /// moved on; else "".
  std::string look(const StereoFrame& frame);

 private:
  /// Every eighth row.
  struct Rows {
    std::vector<std::uint8_t> bytes;
    int sample_bytes = 1, max_value = 255;
  };
  static void copy_some_rows(const GreyPicture& picture, Rows& rows);
  /// In 1/256 grey levels of 255, in the mean.
  static std::int64_t change(const Rows& before, const Rows& now);

  /// Of both views, of the frame before and of this one.
  std::array<Rows, 2> before_, now_;
  std::array<int, 2> repeats_{};           ///< Frames in a row in which this view is the same and the other one is not.
  std::array<std::int64_t, 2> stalled_{};  ///< In the frame before: how far the other view moved, where this one stood.
  std::array<bool, 2> moved_{};            ///< Both views did, in the frame before the one before.
  std::int64_t frames_ = 0;
};

}  // namespace vergence::cli

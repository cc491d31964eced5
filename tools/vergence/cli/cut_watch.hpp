// SPDX-License-Identifier: Apache-2.0
// Frames at which the scene changes, or its brightness, at once: points cannot be followed there. `motion` reports cuts
// by its own vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/inspect.hpp"

namespace vergence::cli {

class CutWatch {
 public:
  /// Each frame beside the one before, from which it is so far.
  void see(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now, const ChangeFindings& rows,
           std::int64_t number);
  /// Lines about `video`.
  std::vector<std::string> warnings(const std::string& video) const;

 private:
  int last_change_ = -1;                ///< Of the frame before, in 1/256 grey levels.
  std::int64_t cut_ = -1, cuts_ = 0;    ///< The first frame of another scene, and how many there are.
  std::int64_t jump_ = -1, jumps_ = 0;  ///< The same of another brightness,
  int gain_percent_ = 100;              ///< and which one.
};

}  // namespace vergence::cli

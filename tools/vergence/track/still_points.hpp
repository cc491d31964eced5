// SPDX-License-Identifier: Apache-2.0
// Points that stand still while the others move: they hold on to letters, stuck pixels or a part that hung.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vergence/track.hpp"

namespace vergence::cli {

class StillPoints {
 public:
  struct Step {
    std::int32_t length = 0;  ///< In 1/1024 px, along x or y, whichever is longer.
    TrackPosition at;
  };
  /// Each frame; `seen` counts them from 1. Steps to those that are looked at (is_looked_at) count.
  void see(std::span<const Track> tracks, std::int64_t seen);
  /// One line about `video`, or "".
  std::string warning(const std::string& video) const;

 private:
  struct Place {
    std::uint64_t id = 0;
    TrackPosition at;
  };
  std::vector<Place> before_;  ///< By identity.
  std::int64_t steps_ = 0, still_ = 0;
};

}  // namespace vergence::cli

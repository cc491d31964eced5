// SPDX-License-Identifier: Apache-2.0
// A frame as tracking knows it, on devices that work in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "track/plan.hpp"
#include "vergence/image.hpp"

namespace vergence {

/// All levels, level 0 first. P is the type of the frames' pixels.
template <class P>
struct TrackFrame {
  std::vector<Image<P>> pictures;       ///< of at most 12 bits
  std::vector<Image<std::int16_t>> dx;  ///< across
  std::vector<Image<std::int16_t>> dy;  ///< down

  TrackFrame() = default;
  explicit TrackFrame(const TrackPlan& plan) {
    for (const Size& level : plan.levels) {
      pictures.emplace_back(level, P{0});
      dx.emplace_back(level, std::int16_t{0});
      dy.emplace_back(level, std::int16_t{0});
    }
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i)
      sum += static_cast<std::size_t>(pictures[i].stride() + dx[i].stride() + dy[i].stride()) *
             static_cast<std::size_t>(pictures[i].height());
    return sum;
  }
};

}  // namespace vergence

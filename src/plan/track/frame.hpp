// SPDX-License-Identifier: Apache-2.0
// A frame as tracking knows it, in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/track/plan.hpp"
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
  /// Of the same plan.
  void copy_from(const TrackFrame& other) {
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      pictures[i] = other.pictures[i].clone();
      dx[i] = other.dx[i].clone();
      dy[i] = other.dy[i].clone();
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

/// A frame that one device has prepared and another one takes: exactly one of the two has levels, as the depth says.
struct PreparedPlanes {
  TrackFrame<std::uint8_t> bytes;
  TrackFrame<std::uint16_t> words;

  PreparedPlanes() = default;
  explicit PreparedPlanes(const TrackPlan& plan) {
    if (plan.options.depth == Depth::u8)
      bytes = TrackFrame<std::uint8_t>(plan);
    else
      words = TrackFrame<std::uint16_t>(plan);
  }
  template <class P>
  TrackFrame<P>& of() {
    if constexpr (sizeof(P) == 1)
      return bytes;
    else
      return words;
  }
  template <class P>
  const TrackFrame<P>& of() const {
    return const_cast<PreparedPlanes*>(this)->of<P>();
  }
};

}  // namespace vergence

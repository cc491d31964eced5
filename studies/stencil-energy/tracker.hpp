// SPDX-License-Identifier: Apache-2.0
// The whole tracker on a stream of frames: the published program, and this library's on each device and on two.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stencil-energy/effort.hpp"
#include "vergence/image.hpp"

namespace vergence::studies::stencil_energy {

/// A clip played forward and back: frame 0, 1, .. last, last - 1, .. 0, 1, ..
class Stream {
 public:
  explicit Stream(std::vector<ImageView<const std::uint8_t>> clip) : clip_(std::move(clip)) {}
  const ImageView<const std::uint8_t>& frame(int i) const;
  Size size() const { return clip_.front().size(); }
  int clip_frames() const { return static_cast<int>(clip_.size()); }

 private:
  std::vector<ImageView<const std::uint8_t>> clip_;
};

/// What is followed.
struct Following {
  int window = 48;
  int features = 500;  ///< Sought in the first frame; none are sought later.
  int frames = 200;
};

/// A row of the paper's table III: who does it.
struct Tracker {
  std::string name;     ///< "exact-sdvbs", "ours".
  std::string prepare;  ///< Device of the first phase (blur, levels, gradients): "reference", "cpu", "cuda:0".
  std::string update;   ///< Device of the second phase.
  int threads = 0;      ///< Of a device cpu; 0: all.

  std::string on() const;
};

/// Follows a stream once; counts say frames/s, features, the shares of both phases; energy_frames > 0: joules for so
/// many frames too.
Cell measure_tracker(const Effort& effort, Joules& joules, const Stream& stream, const Tracker& tracker,
                     const Following& following, int energy_frames);

}  // namespace vergence::studies::stencil_energy

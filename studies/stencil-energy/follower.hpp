// SPDX-License-Identifier: Apache-2.0
// Trackers behind one interface: detection and following apart, what they took, and where the features went.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/devices.hpp"
#include "stencil-energy/variant.hpp"
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
  int compare_at = 0;  ///< The frame after which places are kept, to be compared; 0: the last.
};

/// What following a stream took, in ms.
struct Spent {
  double prepare = 0;    ///< The first phase: blur, levels, gradients.
  double read = 0;       ///< Of two devices: what copies a prepared frame out of the first,
  double hand_over = 0;  ///< and into the second one.
  double update = 0;     ///< The second phase.
  double whole = 0;      ///< Of the loop, where phases overlap.
  double loop() const { return whole > 0 ? whole : prepare + update; }
  int left = 0;
  double followed = 0;                          ///< Features of all frames.
  std::uint64_t last = 0;                       ///< A hash of where the features are at the end.
  std::vector<std::pair<float, float>> places;  ///< Px, after Following::compare_at.
  double plane_bytes = 0;                       ///< Of a prepared frame that is handed over.
};

class Follower {
 public:
  virtual ~Follower() = default;
  /// Finds the features of frame 0; returns their number.
  virtual int detect() = 0;
  /// Follows them through the frames. Frame 0, which the first of these is compared with, is prepared before.
  virtual Spent follow() = 0;
};

/// The published program on one core.
std::unique_ptr<Follower> make_exact(const Stream& stream, const Following& following);
/// Which OpenCL or CUDA device does which phase of the published program; both may be the same.
struct Mapping {
  gpu::Opened prepare, update;
  Variant filters;                                   ///< Their unrolling and group.
  bool prepare_shares = true, update_shares = true;  ///< Where it is a processor: works in the host's memory.
};
std::unique_ptr<Follower> make_published(const Stream& stream, const Following& following, const Mapping& mapping);
/// This library's tracker.
std::unique_ptr<Follower> make_ours(const Stream& stream, const Following& following, const std::string& prepare,
                                    const std::string& update, int threads);

/// Mixes the bits of a place into a hash.
std::uint64_t mixed(std::uint64_t hash, std::uint32_t bits);

}  // namespace vergence::studies::stencil_energy

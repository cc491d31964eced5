// SPDX-License-Identifier: Apache-2.0
// What a device offers for tracks: src/reference/track and docs/algorithms/track say what each call computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/times.hpp"
#include "plan/track/frame.hpp"
#include "plan/track/plan.hpp"
#include "vergence/image.hpp"
#include "vergence/track.hpp"

namespace vergence::backend {

/// A pixel that may become a point. Best first: higher scores, then the raster.
struct Corner {
  double score = 0;
  int x = 0;
  int y = 0;
};
inline bool is_better(const Corner& a, const Corner& b) {
  return a.score != b.score ? a.score > b.score : a.y != b.y ? a.y < b.y : a.x < b.x;
}

/// A point of the previous frame and where its search begins, both in position units, the guess on the picture.
struct TrackQuery {
  TrackPosition point;
  TrackPosition guess;
};

/// Tracks on one device for one plan. Between the calls the device holds two frames.
class Track : public Timed {
 public:
  /// The current frame becomes the previous one; pyramid and gradients of the new one. Exactly one view is given, as
  /// plan.options.depth says; it is read no more when this returns.
  virtual void push(ImageView<const std::uint8_t> frame8, ImageView<const std::uint16_t> frame16) = 0;
  /// As push, of a frame that a device has prepared for the same size, depth and levels.
  virtual void push(const PreparedPlanes& prepared) = 0;
  /// Copies the current frame's pyramid and gradients to `prepared`, which was made from the plan: those that any
  /// device gives. Whole when this returns.
  virtual void read(PreparedPlanes& prepared) = 0;
  /// Pixels of the current frame in plan.roi and where the mask (empty: everywhere) is not 0, that are no less than
  /// their eight neighbours and above options.quality of the best of them, in any order.
  virtual void corners(ImageView<const std::uint8_t> mask, std::vector<Corner>& corners) = 0;
  /// Of these the best ones, `enough` or more, where a device saves time by leaving out the others: each that it leaves
  /// out scores less than each that it gives. Whether none is left out.
  virtual bool best_corners(ImageView<const std::uint8_t> mask, std::size_t /*enough*/, std::vector<Corner>& best) {
    corners(mask, best);
    return true;
  }
  /// Points of the previous frame in the current one, and back where the plan asks for it.
  virtual void lk(std::span<const TrackQuery> queries, std::span<TrackedPoint> found) = 0;
  /// Bytes of host memory held.
  virtual std::size_t memory() const = 0;
};

}  // namespace vergence::backend

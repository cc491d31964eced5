// SPDX-License-Identifier: Apache-2.0
// The stages of tracks on a GPU: pyramid and gradients, points, corners. Each gives the bytes of the functions of the
// same names in reference/track/stages.hpp. All but what grows with the number of points is allocated and compiled by
// the constructors; run() only launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "backend/track.hpp"
#include "gpu/program.hpp"
#include "gpu/shared/track/points.h"
#include "gpu/track/tuning.hpp"
#include "plan/track/frame.hpp"
#include "plan/track/plan.hpp"

namespace vergence::gpu {

/// Where levels lie in the buffers of a frame: as kernels/track/levels.h says.
class TrackLevels {
 public:
  TrackLevels(const TrackPlan& plan, Device& device, Queue& queue);
  /// Of all levels.
  std::size_t pixels() const { return pixels_; }
  /// Of a level, in pixels: where it begins, and from row to row.
  std::size_t offset(std::size_t level) const { return offsets_[level]; }
  std::size_t pitch(std::size_t level) const { return pitches_[level]; }
  const Buffer& table() const { return *table_; }
  /// eigen_limit, step_unit and quality, for want of arguments that are doubles.
  const Buffer& numbers() const { return *numbers_; }

 private:
  std::size_t pixels_ = 0;
  std::vector<std::size_t> offsets_, pitches_;
  std::unique_ptr<Buffer> table_, numbers_;
};

/// A frame on the device.
struct TrackBuffers {
  TrackBuffers(const TrackPlan& plan, const TrackLevels& levels, Device& device);
  std::unique_ptr<Buffer> pictures, gradients;
};

/// Pyramid and gradients of a frame whose level 0 holds the pixels as they came.
class TrackPrepare {
 public:
  TrackPrepare(const TrackPlan& plan, Programs& programs, const TrackTuning& tuning);
  void run(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame) const;

 private:
  /// Some levels at once: their gradients, and the pictures of all but the first, and of the one after them.
  struct Pass {
    const Kernel* kernel;
    std::int32_t first;
    Range groups;
  };
  Size size_;
  std::size_t threads_;
  const Kernel* drop_ = nullptr;
  std::vector<Pass> passes_;
};

/// Prepared frames up and down, with what a device holds beside pixels and gradients left as it is. Both wait, so that
/// a pinned frame (PreparedFrame::pin) may be filled again. Memory is taken when a frame first comes or goes.
class TrackExchange {
 public:
  explicit TrackExchange(Programs& programs);
  void upload(Queue& queue, const TrackLevels& levels, const PreparedPlanes& prepared, const TrackBuffers& frame);
  void download(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, PreparedPlanes& prepared);

 private:
  void reserve(const TrackLevels& levels);
  template <class P>
  void upload(Queue& queue, const TrackLevels& levels, const TrackFrame<P>& from, const TrackBuffers& frame);
  template <class P>
  void download(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, TrackFrame<P>& to);

  Device& device_;
  const Kernel &join_, &split_;
  std::unique_ptr<Buffer> across_, down_;
};

/// Points of one frame in another.
class TrackPoints {
 public:
  TrackPoints(const TrackPlan& plan, Programs& programs, const TrackTuning& tuning);
  /// `queries` and `found` are arrays of backend::TrackQuery and TrackedPoint.
  void run(Queue& queue, const TrackLevels& levels, const TrackBuffers& previous, const TrackBuffers& current,
           const Buffer& queries, const Buffer& found, std::size_t count) const;

 private:
  /// A launch configuration of lk.cl.
  struct Lk {
    int lanes;  ///< Of a point.
    const Kernel* kernel;
  };
  TrackPlan plan_;
  Lk usual_, few_;  ///< The second one for up to so many points:
  std::size_t few_points_ = 0;
};

/// Corners of a frame.
class TrackCorners {
 public:
  TrackCorners(const TrackPlan& plan, Programs& programs);
  /// Waits for what it finds. `mask` without pixels allows all.
  void run(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, ImageView<const std::uint8_t> mask,
           std::vector<backend::Corner>& corners);
  /// backend::Track::best_corners.
  bool find_best(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, ImageView<const std::uint8_t> mask,
                 std::size_t enough, std::vector<backend::Corner>& best);

 private:
  void find_all(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, ImageView<const std::uint8_t> mask);
  void find_peaks(Queue& queue, const TrackLevels& levels);

  TrackPlan plan_;
  Device* device_;
  const Kernel* score_;
  const Kernel* threshold_;
  const Kernel* peaks_;
  const Kernel* cut_;
  const Kernel* keep_;
  shared::CornerArguments scalars_;
  std::size_t groups_, capacity_, best_capacity_ = 0;
  std::unique_ptr<Buffer> mask_, scores_, bests_, least_, counts_, found_, best_;
  std::vector<backend::Corner> downloaded_;  ///< A head, then corners.
};

}  // namespace vergence::gpu

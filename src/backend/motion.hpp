// SPDX-License-Identifier: Apache-2.0
// What a device offers for motion: src/reference/motion and docs/algorithms/motion say what each call computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "backend/times.hpp"
#include "plan/motion/maps.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/image.hpp"
#include "vergence/motion.hpp"

namespace vergence::backend {

/// Two frames; exactly one of the two pixel types is given, as plan.options.depth says.
struct MotionPair {
  ImageView<const std::uint8_t> current8, reference8;
  ImageView<const std::uint16_t> current16, reference16;
  /// The reference frame is the current frame of the previous call: a device that still holds it does not read it
  /// again.
  bool follows = false;
  /// With `follows`: the vectors that the previous call found also serve as predictions, and are not given again. Only
  /// for devices where keeps_frames() is true.
  bool continues = false;
};

/// A plane that predict() computes; exactly one of the two pixel types is given.
struct MotionPrediction {
  ImageView<const std::uint8_t> reference8;
  ImageView<const std::uint16_t> reference16;
  ImageView<const MotionVector> vectors;
  PlaneScale scale;
  ImageView<std::uint8_t> prediction8;
  ImageView<std::uint16_t> prediction16;
};

/// Motion on one device for one plan. The calls of one pair of frames come in this order: begin, search, those of
/// refine and confidence that are asked for, finish.
class Motion : public Timed {
 public:
  /// Names what is read and written; the maps are those of plan.blocks, in their order. Every view stays valid until
  /// finish returns.
  virtual void begin(const MotionPair& pair, std::span<const MotionMaps> maps) = 0;
  /// The search of the plan: vectors in whole pixels (stored in quarters), costs, second best.
  virtual void search() = 0;
  /// Half or quarter pixels, as the plan asks.
  virtual void refine() = 0;
  /// Fills the confidence maps that were given.
  virtual void confidence() = 0;
  /// Everything asked for in begin() has arrived in the maps when this returns.
  virtual void finish() = 0;
  /// As Stereo::submit, wait and another. Objects made by another() share the frames on the device: for them "the
  /// previous call" is the latest call of any of them.
  virtual void submit() { finish(); }
  virtual void wait() {}
  virtual std::unique_ptr<Motion> another() const { return nullptr; }
  /// Whether the current frame and the vectors of the previous call stay on the device.
  virtual bool keeps_frames() const { return false; }
  /// Predicts a plane of the current frame from the reference frame and the vectors. Not called between begin and
  /// finish; the plane is complete when this returns.
  virtual void predict(const MotionPrediction& plane) = 0;
  /// Bytes of host memory held.
  virtual std::size_t memory() const = 0;
};

}  // namespace vergence::backend

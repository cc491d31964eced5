// SPDX-License-Identifier: Apache-2.0
// What a device offers for stereo: src/reference/stereo says in the plainest code what each call computes,
// docs/algorithms/stereo and docs/algorithms/postfilter say it in words, and every other backend gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backend/event.hpp"
#include "backend/times.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/device_image.hpp"
#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::backend {

/// A rectified pair: two views of one of the two pixel types, as plan.options.depth says, or two images.
struct StereoPair {
  ImageView<const std::uint8_t> left8, right8;
  ImageView<const std::uint16_t> left16, right16;
  DeviceImage left, right;
};

/// Maps in the memory of the device; an empty image is not wanted.
struct StereoImages {
  DeviceImage mask, confidence;
  DeviceImage cost, second_cost, cost_before, cost_after;
};

/// Where the results go. One of the three disparity maps is given; the rest, views or images, may be empty. Only
/// devices with a space of their own are given images.
struct StereoTargets {
  ImageView<std::int16_t> disparity16;
  ImageView<std::int32_t> disparity32;
  ImageView<std::uint8_t> mask, confidence;
  ImageView<std::uint32_t> cost, second_cost, cost_before, cost_after;
  DeviceImage disparity;
  StereoImages images;
  /// Where order.done is given, all that is wanted are images; submit() sets the event, and wait() is not due.
  Order order;

  bool wants_mask() const { return !mask.empty() || !images.mask.empty(); }
  bool wants_confidence() const { return !confidence.empty() || !images.confidence.empty(); }
  bool wants_costs() const {
    return !cost.empty() || !second_cost.empty() || !cost_before.empty() || !cost_after.empty() ||
           !images.cost.empty() || !images.second_cost.empty() || !images.cost_before.empty() ||
           !images.cost_after.empty();
  }
};

/// One map, of the type that is not empty.
struct HostMap {
  ImageView<std::int16_t> narrow;
  ImageView<std::int32_t> wide;
};

/// Stereo on one device for one plan. The calls of one frame come in this order: begin, match, then those of speckle,
/// median and fill that the plan asks for, finish. Between them the device holds the current map.
class Stereo : public Timed {
 public:
  /// Other masks of the same size for the next frames, of a plan that has masks. False, and nothing is done, where
  /// another object is to be made instead.
  virtual bool set_masks(std::shared_ptr<const PlannedMasks> /*masks*/) { return false; }
  /// Names what the frame reads and writes; every view has plan.size and stays valid until finish returns.
  virtual void begin(const StereoPair& pair, const StereoTargets& targets) = 0;
  /// Prefilter, costs, winner, uniqueness, texture, sub-pixel and left-right check, fused; no cost volume is stored.
  virtual void match() = 0;
  /// Makes small regions of the current map invalid.
  virtual void speckle() = 0;
  /// Median of valid neighbours; invalid pixels stay invalid.
  virtual void median() = 0;
  /// Gives invalid pixels a value, reading the unfilled map only; none to those that show nothing.
  virtual void fill() = 0;
  /// Everything asked for in begin() has arrived in the targets when this returns.
  virtual void finish() = 0;
  /// As finish(), but may return before: then the targets are whole when wait() returns, and it is due before the next
  /// begin(). Pictures in host memory are read no more once begin() has returned.
  virtual void submit() { finish(); }
  virtual void wait() {}
  /// One more for the same plan, for frames that are under way at the same time; none where the device takes one frame
  /// after the other.
  virtual std::unique_ptr<Stereo> another() const { return nullptr; }
  /// Bytes of host memory held.
  virtual std::size_t memory() const = 0;
  /// Devices in host memory: where the current map lies, for who fills it, and what else the targets of begin() ask of
  /// match(), in the place of match().
  virtual HostMap current() { return {}; }
  /// See StereoMatcher::band_rows.
  virtual int band_rows() const { return 0; }
};

}  // namespace vergence::backend

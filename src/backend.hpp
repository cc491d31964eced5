// SPDX-License-Identifier: Apache-2.0
// What a device must offer: the table of contents of the project. Contracts stand here once; `src/reference` says in
// the plainest code what each entry point computes, docs/algorithms says it in words, and every other wing gives the
// same bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "stereo/plan.hpp"
#include "vergence/device.hpp"
#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::backend {

/// A rectified pair; exactly one of the two pixel types is given, as plan.options.depth says.
struct StereoPair {
  ImageView<const std::uint8_t> left8, right8;
  ImageView<const std::uint16_t> left16, right16;
};

/// Where the results go. `disparity16` or `disparity32` is given, the rest may be empty.
struct StereoTargets {
  ImageView<std::int16_t> disparity16;
  ImageView<std::int32_t> disparity32;
  ImageView<std::uint8_t> mask, confidence;
  ImageView<std::uint32_t> cost, second_cost, cost_before, cost_after;
};

/// What has a clock, and perhaps a compiler, of its own.
class Timed {
 public:
  virtual ~Timed() = default;
  /// Devices that work in host memory have neither.
  virtual void measure(bool /*on*/) {}
  /// Since it was made or last asked; waits for what is under way.
  virtual std::optional<DeviceTimes> times() { return std::nullopt; }
};

/// Stereo on one device for one plan. The calls of one frame come in this order: begin, match, then those of speckle,
/// median and fill that the plan asks for, finish. Between them the device holds the current map.
class Stereo : public Timed {
 public:
  /// Names what the frame reads and writes; every view has plan.size and stays valid until finish returns.
  virtual void begin(const StereoPair& pair, const StereoTargets& targets) = 0;
  /// Prefilter, costs, winner, uniqueness, texture, sub-pixel and left-right check, fused; no cost volume is stored.
  virtual void match() = 0;
  /// Makes small regions of the current map invalid.
  virtual void speckle() = 0;
  /// Median of valid neighbours; invalid pixels stay invalid.
  virtual void median() = 0;
  /// Gives invalid pixels a value, reading the unfilled map only.
  virtual void fill() = 0;
  /// Everything asked for in begin() has arrived in the targets when this returns.
  virtual void finish() = 0;
  /// Bytes of host memory held.
  virtual std::size_t memory() const = 0;
};

/// An open device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& kind() const = 0;
  virtual const std::string& description() const = 0;
  virtual std::unique_ptr<Stereo> make_stereo(const StereoPlan& plan) = 0;
};

}  // namespace vergence::backend

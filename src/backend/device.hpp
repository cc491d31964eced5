// SPDX-License-Identifier: Apache-2.0
// What a device must offer: the table of contents of the project. Contracts stand here once; `src/reference` says in
// the plainest code what each entry point computes, docs/algorithms says it in words, and every other backend gives the
// same bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/stereo/plan.hpp"
#include "vergence/device.hpp"
#include "vergence/device_image.hpp"
#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
struct MotionOptions;
struct MotionPlan;
struct TrackPlan;
}  // namespace vergence

namespace vergence::backend {

/// Memory of a device: see vergence::DeviceMemory.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual std::size_t bytes() const = 0;
  virtual void* handle() const = 0;
  virtual void write(const void* from, std::size_t bytes, std::size_t offset) = 0;
  virtual void read(void* to, std::size_t bytes, std::size_t offset) = 0;
  /// The name of its device.
  virtual const std::string& device() const = 0;
  /// See Device::space.
  virtual const void* space() const = 0;
  /// Memory of one space shares bytes where `block` is the same and [start, start + bytes) meet.
  struct Place {
    const void* block = nullptr;
    std::uint64_t start = 0;
    bool writable = true;
  };
  virtual Place place() const = 0;
  /// The bytes from `offset` on as memory that kernels take; null where they cannot (see vergence::DeviceImage).
  virtual std::shared_ptr<Memory> part(std::size_t offset, std::size_t bytes) = 0;
};

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

class Motion;   // motion_backend.hpp
class Track;    // track_backend.hpp
class Filters;  // filter_backend.hpp
class Device;

/// How the work of an entry point is cut: named whole numbers in a fixed order. Changes speed and nothing else.
using Tuning = std::vector<std::pair<std::string, int>>;

/// A device whose work can be cut in several ways.
class Tuner {
 public:
  virtual ~Tuner() = default;
  /// Names of what is tuned apart from each other.
  virtual std::vector<std::string> entries() const = 0;
  /// Whether the entry is work of motion, not of stereo.
  virtual bool is_motion(const std::string& entry) const = 0;
  /// Settings by which the candidates of an entry are timed: of stereo, and of motion.
  virtual StereoOptions workload(const std::string& entry) const = 0;
  virtual MotionOptions motion_workload(const std::string& entry) const = 0;
  /// The default first.
  virtual std::vector<Tuning> candidates(const std::string& entry) const = 0;
  /// This device, cutting the entry's work so; Error(invalid_argument) where that is none of its candidates.
  virtual std::shared_ptr<Device> cut(const std::string& entry, const Tuning& tuning) const = 0;
  /// The folder that tunings are kept in; Error(io) where there is none.
  virtual std::string folder() const = 0;
  /// For all later objects of such devices, in this process and in others; Error(io) where it cannot be kept.
  virtual void keep(const std::string& entry, const Tuning& tuning) = 0;
};

/// An open device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& kind() const = 0;
  virtual const std::string& description() const = 0;
  /// See vergence::Device::pci_address.
  virtual std::string pci_address() const { return {}; }
  virtual std::unique_ptr<Stereo> make_stereo(const StereoPlan& plan) = 0;
  /// A device that computes no motion, or not what the plan asks for, says so: Error(unsupported) naming both.
  virtual std::unique_ptr<Motion> make_motion(const MotionPlan& plan);
  /// A device that computes no tracks says so: Error(unsupported) naming it.
  virtual std::unique_ptr<Track> make_track(const TrackPlan& plan);
  /// The same for filters of pictures.
  virtual std::unique_ptr<Filters> make_filters(Size size);
  /// Null where there is nothing to tune.
  virtual Tuner* tuner() { return nullptr; }
  /// What tells the device's memory from any other's; null where it works in host memory. Only with a space: the other
  /// three, as in vergence::Device.
  virtual const void* space() const { return nullptr; }
  virtual std::shared_ptr<Memory> allocate(std::size_t /*bytes*/) { return nullptr; }
  virtual std::shared_ptr<Memory> wrap(void* /*handle*/) { return nullptr; }
  virtual NativeDevice native() const { return {}; }
  /// See vergence::Device::pin.
  virtual std::shared_ptr<void> pin(void* /*memory*/, std::size_t /*bytes*/) { return nullptr; }
};

}  // namespace vergence::backend

// SPDX-License-Identifier: Apache-2.0
// What a device offers: the table of contents of the project. Contracts stand here and in the headers beside this one,
// once each; `src/reference` says in the plainest code what each entry point computes, docs/algorithms says it in
// words, and every other backend gives the same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/event.hpp"
#include "backend/filter.hpp"
#include "backend/memory.hpp"
#include "backend/motion.hpp"
#include "backend/rectify.hpp"
#include "backend/stereo.hpp"
#include "backend/track.hpp"
#include "backend/tuning.hpp"
#include "plan/rectify/plan.hpp"
#include "vergence/device.hpp"
#include "vergence/image.hpp"

namespace vergence::backend {

/// An open device.
class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& kind() const = 0;
  virtual const std::string& description() const = 0;
  /// See vergence::Device::pci_address.
  virtual std::string pci_address() const { return {}; }
  /// See vergence::Device::on_processor.
  virtual bool on_processor() const { return true; }
  virtual std::unique_ptr<Stereo> make_stereo(const StereoPlan& plan) = 0;
  /// A device that computes no motion, or not what the plan asks for, says so: Error(unsupported) naming both.
  virtual std::unique_ptr<Motion> make_motion(const MotionPlan& plan);
  /// A device that computes no tracks says so: Error(unsupported) naming it.
  virtual std::unique_ptr<Track> make_track(const TrackPlan& plan);
  /// The same for filters of pictures.
  virtual std::unique_ptr<Filters> make_filters(Size size);
  /// The same for rectification.
  virtual std::unique_ptr<Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan);
  /// Null where there is nothing to tune.
  virtual Tuner* tuner() { return nullptr; }
  /// What tells the device's memory from any other's; null where it works in host memory. The six calls that
  /// follow are for devices with a space only; they do what those of vergence::Device do.
  virtual const void* space() const { return nullptr; }
  virtual std::shared_ptr<Memory> allocate(std::size_t /*bytes*/) { return nullptr; }
  virtual std::shared_ptr<Memory> wrap(void* /*handle*/) { return nullptr; }
  virtual NativeDevice native() const { return {}; }
  virtual std::shared_ptr<Event> record(void* /*stream*/) { return nullptr; }
  virtual std::shared_ptr<Event> wrap_event(void* /*handle*/) { return nullptr; }
  /// One that has come, for Order::done.
  virtual std::shared_ptr<Event> new_event() { return nullptr; }
  /// Around the calls of one frame, see Entered: a device may then do once what each of them needs. leave() follows
  /// where enter() gave true.
  virtual bool enter() noexcept { return false; }
  virtual void leave() noexcept {}
  /// See vergence::Device::pin.
  virtual std::shared_ptr<void> pin(void* /*memory*/, std::size_t /*bytes*/) { return nullptr; }
};

/// While it lives, the calling thread works on the device.
class Entered {
 public:
  explicit Entered(Device& device) noexcept : device_(device), inside_(device.enter()) {}
  ~Entered() {
    if (inside_) device_.leave();
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  Device& device_;
  bool inside_;
};

}  // namespace vergence::backend

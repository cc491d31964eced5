// SPDX-License-Identifier: Apache-2.0
// backend::Event on a GPU.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "backend/access.hpp"
#include "backend/event.hpp"
#include "gpu/device.hpp"
#include "gpu/memory.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {

class OwnedEvent final : public backend::Event {
 public:
  OwnedEvent(std::shared_ptr<MemoryOwner> owner, std::unique_ptr<gpu::Event> event)
      : owner_(std::move(owner)), event_(std::move(event)) {}
  gpu::Event& event() const { return *event_; }

  void* handle() const override { return event_->handle(); }
  bool is_done() override { return event_->is_done(); }
  void wait() override { event_->wait(); }
  void make_wait(void* stream) override { event_->make_wait(stream); }
  const std::string& device() const override { return owner_->name(); }
  const void* space() const override { return owner_->device().native().context; }

 private:
  std::shared_ptr<MemoryOwner> owner_;
  std::unique_ptr<gpu::Event> event_;
};

/// Of a handle that was checked to be of a GPU device; not empty.
inline gpu::Event& event_of(const DeviceEvent& event) { return static_cast<OwnedEvent&>(backend::of(event)).event(); }

/// Lets a queue wait for what comes before a call's work.
inline void wait_for(Queue& queue, const backend::Order& order) {
  for (const DeviceEvent& event : order.after)
    if (!event.empty()) queue.wait_for(event_of(event));
}

/// Callers' memory, kept as long as the device works on it: what is freed while it does would let the host wait, or be
/// taken from under it. Waits at its end.
template <class Images>
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    try {
      for (const One& one : all_) one.done.wait();
    } catch (const Error&) {
      // the device is lost, and works on nothing
    }
  }
  void hold(const DeviceEvent& done, Images images) { all_.push_back({done, std::move(images)}); }
  /// Lets go of what is done.
  void release() {
    while (!all_.empty() && all_.front().done.is_done()) all_.pop_front();
  }

 private:
  struct One {
    DeviceEvent done;
    Images images;
  };
  std::deque<One> all_;  ///< In the order of their events.
};

}  // namespace vergence::gpu

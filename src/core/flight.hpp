// SPDX-License-Identifier: Apache-2.0
// Frames that are under way at the same time on one device: each has a lane, with a backend object of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/device_times.hpp"
#include "vergence/device.hpp"

namespace vergence {

/// `Backend` has wait(), another(), measure(), times() and memory(), as backend::Stereo has them.
template <class Backend>
class Flight {
 public:
  /// What a frame's owner and the flight know of it.
  struct Frame {
    Flight* flight = nullptr;  ///< Null once the frame has ended.
    std::exception_ptr error;
  };

  Flight(std::unique_ptr<Backend> first, int most) : most_(static_cast<std::size_t>(most)) {
    lanes_.push_back({std::move(first), nullptr, 0});
  }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;
  ~Flight() { end_all(); }

  Backend& first() const { return *lanes_.front().backend; }

  /// Runs `work` on a lane that is free, a new one, or the one that has been busy for longest.
  template <class Work>
  std::shared_ptr<Frame> start(const Work& work) {
    Lane& lane = free_lane();
    work(*lane.backend);
    lane.frame = std::make_shared<Frame>();
    lane.frame->flight = this;
    lane.number = ++frames_;
    return lane.frame;
  }
  /// Waits for a frame, and throws what went wrong.
  static void finish(const std::shared_ptr<Frame>& frame) {
    if (frame->flight != nullptr) frame->flight->end(*frame);
    if (frame->error != nullptr) std::rethrow_exception(std::exchange(frame->error, nullptr));
  }
  /// Waits for the frame of first(), if there is one.
  void end_first() noexcept { end(lanes_.front()); }
  void end_all() noexcept {
    for (Lane& lane : lanes_) end(lane);
  }

  /// All lanes, those to come too.
  void measure(bool on) {
    measures_ = on;
    for (const Lane& lane : lanes_) lane.backend->measure(on);
  }
  void add_times_to(std::optional<DeviceTimes>& sum) {
    for (const Lane& lane : lanes_) add_times(sum, lane.backend->times());
  }
  /// Bytes of host memory held.
  std::size_t memory() const {
    std::size_t sum = 0;
    for (const Lane& lane : lanes_) sum += lane.backend->memory();
    return sum;
  }

 private:
  struct Lane {
    std::unique_ptr<Backend> backend;
    std::shared_ptr<Frame> frame;  ///< Null where none is under way.
    std::uint64_t number = 0;      ///< Of the frame, in the order of their coming.
  };

  /// Waits for a lane's frame; what went wrong is kept for the frame's owner.
  static void end(Lane& lane) noexcept {
    if (lane.frame == nullptr) return;
    try {
      lane.backend->wait();
    } catch (...) {
      lane.frame->error = std::current_exception();
    }
    lane.frame->flight = nullptr;
    lane.frame = nullptr;
  }
  void end(const Frame& frame) {
    for (Lane& lane : lanes_)
      if (lane.frame.get() == &frame) end(lane);
  }
  Lane& free_lane() {
    Lane* oldest = &lanes_.front();
    for (Lane& lane : lanes_) {
      if (lane.frame == nullptr) return lane;
      if (lane.number < oldest->number) oldest = &lane;
    }
    if (lanes_.size() < most_)
      if (std::unique_ptr<Backend> more = first().another(); more != nullptr) {
        more->measure(measures_);
        lanes_.push_back({std::move(more), nullptr, 0});
        return lanes_.back();
      }
    end(*oldest);
    return *oldest;
  }

  std::size_t most_;
  std::vector<Lane> lanes_;  ///< Made as frames come.
  std::uint64_t frames_ = 0;
  bool measures_ = false;
};

}  // namespace vergence

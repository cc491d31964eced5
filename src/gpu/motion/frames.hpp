// SPDX-License-Identifier: Apache-2.0
// The last frames on the device, each with its coarse levels and the field that was found for it: the next frame's
// reference and prediction. Searches that run at the same time share them.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/motion/search.hpp"

namespace vergence::gpu {

class MotionFrames {
 public:
  /// A frame's place. A queue that writes it waits for queues that still read it.
  struct Place {
    std::vector<std::shared_ptr<Buffer>> levels;  ///< Pixels, the finest first.
    std::vector<std::shared_ptr<Buffer>> fields;  ///< Vectors, by block size.
    std::unique_ptr<Event> ready, found;          ///< The levels are whole; the field is.
    /// The calls that it was the current frame and the reference of.
    std::array<std::shared_ptr<Event>, 2> readers;
  };

  MotionFrames(const MotionPlan& plan, std::size_t levels, Device& device) : plan_(plan), levels_(levels) {
    add(device);
  }
  /// Adds places for the frames of one more search.
  void add(Device& device);
  std::size_t count() const { return places_.size(); }
  Place& at(std::size_t index) { return *places_[index]; }

  /// Where a call's current frame and its reference lie. Until done(), no call is the last one.
  struct Pair {
    std::size_t current, reference;
    bool follows;  ///< The reference is the last call's current frame, and lies there.
  };
  Pair take(bool follows);
  void done(const Pair& pair) { last_ = static_cast<int>(pair.current); }

 private:
  MotionPlan plan_;
  std::size_t levels_;
  std::vector<std::unique_ptr<Place>> places_;
  std::size_t next_ = 0;
  int last_ = -1;  ///< The last call's current frame.
};

}  // namespace vergence::gpu

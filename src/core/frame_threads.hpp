// SPDX-License-Identifier: Apache-2.0
// Frames that are done by one thread each, from reading to writing: for those so short that handing them from thread to
// thread costs more than it brings.
#pragma once

#include <functional>

namespace vergence {

/// What is done to a frame, in a slot.
struct FrameCalls {
  std::function<bool(int slot)> read;              ///< One at a time; false: there is no further frame.
  std::function<void(int slot, int thread)> work;  ///< Several at a time, in any order.
  std::function<void(int slot)> write;             ///< One at a time, in the order of reading.
};

/// As run_filters (core/pipeline.hpp) with one filter out of order and one in order. Each of the threads, this one
/// among them, takes the next frame as soon as it has done one: none waits for another's task, or looks for one. Where
/// the system refuses threads, those that there are must do.
void run_frames(int slots, int threads, const FrameCalls& calls);

}  // namespace vergence

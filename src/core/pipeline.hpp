// SPDX-License-Identifier: Apache-2.0
// Frames that pass filters one after the other, several frames at a time: on oneTBB's pipeline, or on std::jthread
// where ThreadSanitizer is on (see parallel.hpp).
#pragma once

#include <functional>
#include <span>

namespace vergence {

/// What is done to the frame in a slot. In order: one frame at a time, in the order in which they were read; else
/// several frames at a time, in any order.
struct PipelineFilter {
  bool in_order = true;
  std::function<void(int slot)> work;
};

/// Calls read(slot) with slots 0 .. slots - 1 that are free, one at a time, until it returns false; each frame then
/// passes all filters, and its slot is free again. At most `threads` calls run at a time. No call may throw.
void run_filters(int slots, int threads, const std::function<bool(int slot)>& read,
                 std::span<const PipelineFilter> filters);

}  // namespace vergence

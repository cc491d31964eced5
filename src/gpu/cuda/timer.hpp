// SPDX-License-Identifier: Apache-2.0
// Milliseconds of commands by the device's own clock.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gpu/cuda/context.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu::cuda {

/// Throws where there is none; its context is current.
EventHandle make_event(const std::shared_ptr<Context>& context, unsigned flags);

/// Pairs of events around commands of one stream. Events are used again and again; sums are made when asked for, or
/// when many are waiting.
class Timer {
 public:
  explicit Timer(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  Result start(StreamObject stream);
  /// The time since start() counts towards this member of Timing.
  Result stop(StreamObject stream, double Timing::*sum);
  /// Waits for what is still under way, and adds it up.
  Result settle();
  /// The sums, which begin anew.
  Timing take() { return std::exchange(sums_, Timing{}); }

 private:
  struct Pair {
    EventHandle start, stop;
    double Timing::*sum = nullptr;
  };
  std::shared_ptr<Context> context_;
  std::vector<Pair> pairs_;  ///< The first `used_` are under way; the others wait for their next use.
  std::size_t used_ = 0;
  Timing sums_;
};

}  // namespace vergence::gpu::cuda

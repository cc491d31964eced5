// SPDX-License-Identifier: Apache-2.0
// Recording events and reading them.
#include "gpu/cuda/timer.hpp"

namespace vergence::gpu::cuda {

EventHandle make_event(const std::shared_ptr<Context>& context, unsigned flags) {
  EventObject event = nullptr;
  const Result code = calls().EventCreate(&event, flags);
  if (code != success) fail(code, "making an event on " + context->name());
  return {context, event};
}

Result Timer::start(StreamObject stream) {
  constexpr std::size_t many = 4096;
  if (used_ == many) {
    if (const Result code = settle(); code != success) return code;
  }
  if (used_ == pairs_.size())
    pairs_.push_back({make_event(context_, event_with_timing), make_event(context_, event_with_timing), nullptr});
  return calls().EventRecord(pairs_[used_].start.get(), stream);
}

Result Timer::stop(StreamObject stream, double Timing::*sum) {
  Pair& pair = pairs_[used_];
  pair.sum = sum;
  const Result code = calls().EventRecord(pair.stop.get(), stream);
  if (code == success) ++used_;  // a command that failed leaves its pair for the next
  return code;
}

Result Timer::settle() {
  for (std::size_t i = 0; i < used_; ++i) {
    float milliseconds = 0;
    Result code = calls().EventSynchronize(pairs_[i].stop.get());
    if (code == success) code = calls().EventElapsedTime(&milliseconds, pairs_[i].start.get(), pairs_[i].stop.get());
    if (code != success) return code;
    sums_.*pairs_[i].sum += static_cast<double>(milliseconds);
  }
  used_ = 0;
  return success;
}

}  // namespace vergence::gpu::cuda

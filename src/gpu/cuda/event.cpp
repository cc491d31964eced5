// SPDX-License-Identifier: Apache-2.0
// Events between our streams and those of callers, which are checked before anything is asked of them.
#include "gpu/cuda/event.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "gpu/cuda/timer.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu::cuda {
namespace {

void must_order(Result code, const char* what, const Context& context) {
  if (code != success) fail(code, fmt::format("{} on {}", what, context.name()));
}

/// Throws Error(invalid_argument) for a stream whose events mean nothing to this context. The context is current.
void require_usable(StreamObject stream, const Context& context) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::invalid_argument, fmt::format("stream {} cannot be used with {}: {}",
                                                         static_cast<const void*>(stream), context.name(), why));
  };
  ContextObject its_context = nullptr;
  const Result known = calls().StreamGetCtx(stream, &its_context);
  if (known == invalid_handle || known == invalid_context || known == context_is_destroyed)
    refuse("the driver does not know it: " + error_name(known));
  must_order(known, "asking for a stream's context", context);
  if (its_context != context.get())
    refuse("it belongs to another context; give one of the device's primary context, which the CUDA runtime uses");
  int status = capture_status_none;
  const Result code = calls().StreamIsCapturing(stream, &status);
  if (code == stream_capture_implicit || (code == success && status != capture_status_none))
    refuse("it is being captured as a graph; call before or after the capture");
  must_order(code, "asking for a stream's capture", context);
}

}  // namespace

EventHandle EventPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      EventHandle event = std::move(free_.back());
      free_.pop_back();
      return event;
    }
  }
  return make_event(context_, event_without_timing);
}

void EventPool::give_back(EventHandle event) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(event));
  } catch (const std::bad_alloc&) {  // then it is destroyed
  }
}

CudaEvent::CudaEvent(std::shared_ptr<EventPool> pool)
    : pool_(std::move(pool)), own_(pool_->take()), object_(own_.get()) {}

CudaEvent::~CudaEvent() {
  if (own_.get() != nullptr) pool_->give_back(std::move(own_));
}

void CudaEvent::record(StreamObject stream) {
  require_usable(stream, context());
  must_order(calls().EventRecord(object_, stream), "recording an event", context());
}

bool CudaEvent::is_done() {
  const Current here(context());
  const Result code = calls().EventQuery(object_);
  if (code == not_ready) return false;
  must_order(code, "asking for an event", context());
  return true;
}

void CudaEvent::wait() {
  const Current here(context());
  must_order(calls().EventSynchronize(object_), "waiting for an event", context());
}

void CudaEvent::make_wait(void* stream) {
  const Current here(context());
  const auto theirs = static_cast<StreamObject>(stream);
  require_usable(theirs, context());
  must_order(calls().StreamWaitEvent(theirs, object_, 0), "letting a stream wait", context());
}

}  // namespace vergence::gpu::cuda

// SPDX-License-Identifier: Apache-2.0
// Events between our command queues and those of callers, which are checked before anything is asked of them.
#include "gpu/opencl/event.hpp"

#include <fmt/format.h>

#include "vergence/error.hpp"

namespace vergence::gpu::opencl {
namespace {

[[noreturn]] void refuse_object(const char* kind, const void* object, const std::string& device,
                                const std::string& why) {
  throw Error(ErrorCode::invalid_argument, fmt::format("{} {} cannot be used with {}: {}", kind, object, device, why));
}

constexpr const char* other_context = "it was made in another context; make it in that of vergence::Device::native()";

}  // namespace

void OpenClEvent::require_usable(cl_command_queue queue) const {
  if (queue == nullptr) refuse_object("command queue", queue, device_, "it is a null pointer, give a cl_command_queue");
  cl_context its_context = nullptr;
  const cl_int code = calls().GetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context),
                                                  static_cast<void*>(&its_context), nullptr);
  if (code == CL_INVALID_COMMAND_QUEUE)
    refuse_object("command queue", queue, device_, "OpenCL does not know it: " + error_name(code));
  check(code, "asking for a command queue's context on " + device_);
  if (its_context != context_->get()) refuse_object("command queue", queue, device_, other_context);
}

void OpenClEvent::record(cl_command_queue queue) {
  require_usable(queue);
  cl_event marker = nullptr;
  check(calls().EnqueueMarkerWithWaitList(queue, 0, nullptr, &marker), "recording an event on " + device_);
  set(EventHandle(marker));
  check(calls().Flush(queue), "starting commands on " + device_);  // another queue waits for what has begun
}

void OpenClEvent::wrap(cl_event event) {
  if (event == nullptr) refuse_object("event", event, device_, "it is a null pointer, give a cl_event");
  cl_context its_context = nullptr;
  const cl_int code =
      calls().GetEventInfo(event, CL_EVENT_CONTEXT, sizeof(cl_context), static_cast<void*>(&its_context), nullptr);
  if (code == CL_INVALID_EVENT) refuse_object("event", event, device_, "OpenCL does not know it: " + error_name(code));
  check(code, "asking for an event's context on " + device_);
  if (its_context != context_->get()) refuse_object("event", event, device_, other_context);
  check(calls().RetainEvent(event), "retaining an event on " + device_);
  set(EventHandle(event));
}

bool OpenClEvent::is_done() {
  if (event_.get() == nullptr) return true;
  cl_int status = CL_QUEUED;
  check(calls().GetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
        "asking for an event on " + device_);
  if (status < 0) check(status, "work before an event on " + device_);
  return status == CL_COMPLETE;
}

void OpenClEvent::wait() {
  const cl_event event = event_.get();
  if (event == nullptr) return;
  check(calls().WaitForEvents(1, &event), "waiting for an event on " + device_);
  is_done();  // NVIDIA's driver tells of work that failed here alone
}

void OpenClEvent::make_wait(void* queue) {
  const auto theirs = static_cast<cl_command_queue>(queue);
  require_usable(theirs);
  const cl_event event = event_.get();
  if (event == nullptr) return;
  check(calls().EnqueueBarrierWithWaitList(theirs, 1, &event, nullptr), "letting a command queue wait on " + device_);
}

}  // namespace vergence::gpu::opencl

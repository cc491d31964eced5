// SPDX-License-Identifier: Apache-2.0
// gpu::Event on OpenCL: of our queues and of callers'.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "gpu/device.hpp"
#include "gpu/opencl/driver.hpp"

namespace vergence::gpu::opencl {

class OpenClEvent final : public Event {
 public:
  /// Never set so far. `device` stands in errors.
  OpenClEvent(std::shared_ptr<ContextHandle> context, std::string device)
      : context_(std::move(context)), device_(std::move(device)) {}

  cl_event get() const { return event_.get(); }
  void set(EventHandle event) { event_ = std::move(event); }
  /// After all that a caller gave to a command queue.
  void record(cl_command_queue queue);
  /// A caller's, which is retained.
  void wrap(cl_event event);

  void* handle() const override { return event_.get(); }
  bool is_done() override;
  void wait() override;
  void make_wait(void* queue) override;

 private:
  void require_usable(cl_command_queue queue) const;
  std::shared_ptr<ContextHandle> context_;
  std::string device_;
  EventHandle event_;
};

}  // namespace vergence::gpu::opencl

// SPDX-License-Identifier: Apache-2.0
// gpu::Event on CUDA: of our streams and of callers'.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "gpu/cuda/context.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu::cuda {

/// Events of one context that nobody uses, to be recorded again: every call with events needs two.
class EventPool {
 public:
  explicit EventPool(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  const std::shared_ptr<Context>& context() const { return context_; }
  /// The context is current. Throws where there is none.
  EventHandle take();
  void give_back(EventHandle event) noexcept;

 private:
  std::shared_ptr<Context> context_;
  std::mutex mutex_;
  std::vector<EventHandle> free_;
};

class CudaEvent final : public Event {
 public:
  /// One of the pool's, never recorded so far.
  explicit CudaEvent(std::shared_ptr<EventPool> pool);
  /// A caller's.
  CudaEvent(std::shared_ptr<EventPool> pool, EventObject object) : pool_(std::move(pool)), object_(object) {}
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  ~CudaEvent() override;

  EventObject get() const { return object_; }
  /// After all that a caller gave to a stream.
  void record(StreamObject stream);

  void* handle() const override { return object_; }
  bool is_done() override;
  void wait() override;
  void make_wait(void* stream) override;

 private:
  const Context& context() const { return *pool_->context(); }
  std::shared_ptr<EventPool> pool_;
  EventHandle own_;  ///< Empty where it is a caller's.
  EventObject object_;
};

}  // namespace vergence::gpu::cuda

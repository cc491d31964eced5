// SPDX-License-Identifier: Apache-2.0
// A device's primary context, which all that lives on the device keeps alive, and owners of the driver's objects.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "gpu/cuda/driver.hpp"

namespace vergence::gpu::cuda {

/// Holds the context that this device shares with the CUDA runtime of the same process.
class Context {
 public:
  /// `name` stands in errors.
  Context(DeviceOrdinal device, std::string name);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  ContextObject get() const { return object_; }
  const std::string& name() const { return name_; }

 private:
  DeviceOrdinal device_;
  std::string name_;
  ContextObject object_ = nullptr;
};

/// Makes a context the thread's current one, and the one before current again at its end: the caller may use CUDA
/// itself, on another device. Where it is current already, nothing needs to be done: all threads that push a context
/// write to it, and delay each other; to ask takes 12 ns.
class Current {
 public:
  /// Throws Error(device) where it cannot.
  explicit Current(const Context& context) : Current(context, std::nothrow) {
    if (code_ != success) fail(code_, "making " + context.name() + " current");
  }
  /// For destructors: goes on without.
  Current(const Context& context, std::nothrow_t) noexcept {
    ContextObject now = nullptr;
    if (calls().CtxGetCurrent(&now) == success && now == context.get()) return;
    code_ = calls().CtxPushCurrent(context.get());
    pushed_ = code_ == success;
  }
  ~Current() {
    ContextObject popped = nullptr;
    if (pushed_) calls().CtxPopCurrent(&popped);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  Result code_ = success;
  bool pushed_ = false;
};

/// Owns an object of the driver. What a release answers does not matter: nothing could be done about it.
template <class T, auto Release>
class Handle {
 public:
  Handle() = default;
  Handle(std::shared_ptr<Context> context, T object) : context_(std::move(context)), object_(object) {}
  Handle(Handle&& other) noexcept : context_(std::move(other.context_)), object_(std::exchange(other.object_, T{})) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ == T{}) return;
    const Current here(*context_, std::nothrow);
    (calls().*Release)(object_);
  }
  T get() const { return object_; }

 private:
  std::shared_ptr<Context> context_;
  T object_{};
};

using MemoryHandle = Handle<DevicePointer, &Calls::MemFree>;
using PinnedHandle = Handle<void*, &Calls::MemFreeHost>;
using ModuleHandle = Handle<ModuleObject, &Calls::ModuleUnload>;
using StreamHandle = Handle<StreamObject, &Calls::StreamDestroy>;
using GraphHandle = Handle<GraphObject, &Calls::GraphDestroy>;
using GraphExecHandle = Handle<GraphExecObject, &Calls::GraphExecDestroy>;
using EventHandle = Handle<EventObject, &Calls::EventDestroy>;

}  // namespace vergence::gpu::cuda

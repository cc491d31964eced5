// SPDX-License-Identifier: Apache-2.0
// Objects and threads, forks and the end of the interpreter: what keeps misuse from hanging or crashing the process.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "errors.hpp"

namespace vergence::python {

/// True in a child process that was forked after the library had been at work: its threads are gone, so that nothing
/// of it can be used, or destroyed, any more.
bool is_forked();
/// Throws Error(device) in such a process. What opens a device calls it.
void check_process();

/// Holds an object of the library, and lets one thread at a time use it. In a forked child the object is left alone.
template <class T>
class Guarded {
 public:
  Guarded(const char* name, std::unique_ptr<T> object) : name_(name), object_(std::move(object)) {}
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    if (is_forked())
      static_cast<void>(object_.release());
    else
      object_.reset();
  }

  /// Made with the GIL held; the object is the caller's as long as this lives.
  class Use {
   public:
    explicit Use(Guarded& guarded) : guarded_(guarded) {
      check_process();
      if (guarded.busy_.exchange(true, std::memory_order_acquire))
        throw Busy(std::string("this ") + guarded.name_ +
                   " is at work in another thread: make one for each thread, or wait for the other one");
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { guarded_.busy_.store(false, std::memory_order_release); }
    T* operator->() const { return guarded_.object_.get(); }
    T& operator*() const { return *guarded_.object_; }

   private:
    Guarded& guarded_;
  };
  Use use() { return Use(*this); }
  /// For what never changes: sizes and options.
  const T& constant() const {
    check_process();
    return *object_;
  }

 private:
  const char* name_;
  std::unique_ptr<T> object_;
  std::atomic<bool> busy_{false};
};

/// Calls `work` without the GIL.
template <class Work>
auto without_gil(Work&& work) {
  const nanobind::gil_scoped_release released;
  return std::forward<Work>(work)();
}

/// Something with frames in flight, which are waited for before the interpreter goes.
class Unfinished {
 public:
  Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  /// Waits for all frames; throws nothing. The GIL is held.
  virtual void finish() noexcept = 0;

 protected:
  ~Unfinished();
};

void register_process(nanobind::module_& module);

}  // namespace vergence::python

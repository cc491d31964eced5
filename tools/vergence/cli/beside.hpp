// SPDX-License-Identifier: Apache-2.0
// Work beside that of the caller: a frame's files are written while the next frame is read and computed.
#pragma once

#include <functional>
#include <future>
#include <system_error>
#include <utility>

namespace vergence::cli {

/// One piece of work at a time, on a thread of its own.
class Beside {
 public:
  Beside() = default;
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  /// Waits for the work before, and throws what that threw. Where no thread can be started, the work is done here.
  void start(std::function<void()> work) {
    wait();
    work_ = std::move(work);
    try {
      running_ = std::async(std::launch::async, [this] { work_(); });
    } catch (const std::system_error&) {
      work_();
    }
  }
  /// Until the work is done; throws what it threw.
  void wait() {
    if (running_.valid()) running_.get();
  }
  /// The same where an error has been met already.
  void wait_whatever_comes() noexcept {
    if (running_.valid()) running_.wait();
    running_ = {};
  }

 private:
  std::function<void()> work_;
  std::future<void> running_;  ///< Last, so that its end comes first.
};

}  // namespace vergence::cli

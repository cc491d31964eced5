// SPDX-License-Identifier: Apache-2.0
// Frames that a thread of its own reads, a few ahead of whoever takes them.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "vergence/image.hpp"

namespace vergence::cli {

/// So many frames of this size may wait: enough for decoders to go on while one is worked on, of large ones fewer.
inline std::size_t frames_ahead(Size size) {
  constexpr std::int64_t most = 3, most_pixels = std::int64_t{1} << 26;
  const std::int64_t pixels = std::max<std::int64_t>(std::int64_t{size.width} * size.height, 1);
  return static_cast<std::size_t>(std::clamp<std::int64_t>(most_pixels / pixels, 1, most));
}

template <class Frame>
class ReadAhead {
 public:
  using Read = std::function<std::optional<Frame>()>;
  /// From now on `read` is called on the thread, until it gives nothing or throws. At most `most` frames wait. With 0,
  /// and where no thread can be started, next() reads.
  ReadAhead(Read read, std::size_t most) : read_(std::move(read)), most_(most) {
    if (most_ == 0) return;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
    }
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  /// Waits for the frame that is being read.
  ~ReadAhead() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      unwanted_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// The next frame, or nothing behind the last one. Throws what reading it threw.
  std::optional<Frame> next() {
    if (!thread_.joinable()) return read_();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !waiting_.empty() || ended_; });
    if (waiting_.empty()) {
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      return std::nullopt;
    }
    std::optional<Frame> frame(std::move(waiting_.front()));
    waiting_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return frame;
  }

 private:
  bool wait_for_room() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < most_ || unwanted_; });
    return !unwanted_;
  }
  void read_all() {
    while (wait_for_room()) {
      std::optional<Frame> frame = read_();
      if (!frame) return;
      {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(*frame));
      }
      changed_.notify_all();
    }
  }
  void run() noexcept {
    std::exception_ptr failure;
    try {
      read_all();
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      failure_ = std::move(failure);
      ended_ = true;
    }
    changed_.notify_all();
  }

  Read read_;
  std::size_t most_;
  std::mutex mutex_;  ///< Guards what follows but the thread.
  std::condition_variable changed_;
  std::deque<Frame> waiting_;
  bool ended_ = false, unwanted_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace vergence::cli

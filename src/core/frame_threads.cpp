// SPDX-License-Identifier: Apache-2.0
// Threads that take the next frame by themselves.
#include "core/frame_threads.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "core/soon.hpp"

namespace vergence {
namespace {

class FrameThreads {
 public:
  FrameThreads(int slots, const FrameCalls& calls) : calls_(calls), done_(static_cast<std::size_t>(slots)) {
    for (int slot = slots; slot-- > 0;) free_.push_back(slot);
    for (std::atomic<int>& one : done_) one = none;
  }

  void follow(int thread) {
    for (Frame frame; begin(frame);) {
      calls_.work(frame.slot, thread);
      end(frame);
    }
  }

 private:
  static constexpr int none = -1;
  struct Frame {
    int slot = none;
    std::int64_t number = 0;
  };
  std::atomic<int>& done(std::int64_t number) { return done_[static_cast<std::size_t>(number) % done_.size()]; }

  bool begin(Frame& frame) {
    const auto lock = lock_soon(reading_);
    if (ended_) return false;
    frame.slot = take_slot();
    ended_ = !calls_.read(frame.slot);
    frame.number = read_++;
    return !ended_;
  }

  /// Whoever ends the frame that is to be written next writes it, and those after it that others have ended meanwhile.
  void end(const Frame& frame) {
    done(frame.number) = frame.slot;
    while (done(written_) != none && !writing_.exchange(true)) {
      for (int slot = none; (slot = done(written_).exchange(none)) != none;) {
        calls_.write(slot);
        ++written_;
        give_slot(slot);
      }
      writing_ = false;  // another frame may have ended since: this thread looks again, or the other one did
    }
  }

  /// The slot that was used last, whose memory the caches hold.
  int take_slot() {
    auto lock = lock_soon(slots_mutex_);
    waits_ = free_.empty();
    freed_.wait(lock, [this] { return !free_.empty(); });
    waits_ = false;
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_slot(int slot) {
    auto lock = lock_soon(slots_mutex_);
    free_.push_back(slot);
    const bool wake = waits_;
    lock.unlock();
    if (wake) freed_.notify_one();
  }

  const FrameCalls& calls_;
  std::mutex reading_;
  bool ended_ = false;     // under reading_
  std::int64_t read_ = 0;  // under reading_
  alignas(64) std::mutex slots_mutex_;
  std::vector<int> free_;  // under slots_mutex_
  bool waits_ = false;     // under slots_mutex_: the one that reads
  std::condition_variable freed_;
  alignas(64) std::atomic<bool> writing_ = false;
  std::atomic<std::int64_t> written_ = 0;
  std::vector<std::atomic<int>> done_;  // slots of frames that wait to be written, by number
};

}  // namespace

void run_frames(int slots, int threads, const FrameCalls& calls) {
  FrameThreads frames(slots, calls);
  std::vector<std::jthread> others;
  try {
    for (int thread = 1; thread < threads; ++thread) others.emplace_back([&frames, thread] { frames.follow(thread); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  frames.follow(0);
}

}  // namespace vergence

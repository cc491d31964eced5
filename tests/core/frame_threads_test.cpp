// SPDX-License-Identifier: Apache-2.0
// Threads that do a frame from reading to writing: each frame once, written in the order of reading, read and written
// by one thread at a time, and never more frames under way than there are slots.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "core/frame_threads.hpp"

namespace vergence {
namespace {

/// A stream of numbers, which looks after its rules.
struct Stream {
  Stream(int slots, std::int64_t frames) : frames(frames), values(static_cast<std::size_t>(slots), -1) {}

  bool read(int slot) {
    EXPECT_FALSE(reading.exchange(true)) << "two threads read";
    EXPECT_FALSE(ended) << "after the end";
    ended = next == frames;
    std::int64_t& value = values.at(static_cast<std::size_t>(slot));
    EXPECT_EQ(value, -1) << "slot " << slot << " is in use";
    if (!ended) {
      value = next++;
      most = std::max(most, ++under_way);
    }
    reading = false;
    return !ended;
  }
  void work(int slot, int thread) {
    std::int64_t& value = values.at(static_cast<std::size_t>(slot));
    value = 3 * value + 1;
    const std::lock_guard lock(mutex);
    threads.insert(thread);
  }
  void write(int slot) {
    EXPECT_FALSE(writing.exchange(true)) << "two threads write";
    std::int64_t& value = values.at(static_cast<std::size_t>(slot));
    if (value != 3 * written + 1) ++wrong;
    ++written;
    value = -1;
    --under_way;
    writing = false;
  }
  FrameCalls calls() {
    return {[this](int slot) { return read(slot); }, [this](int slot, int thread) { work(slot, thread); },
            [this](int slot) { write(slot); }};
  }

  std::int64_t frames, next = 0, written = 0, wrong = 0;
  std::vector<std::int64_t> values;
  std::atomic<bool> reading = false, writing = false;
  std::atomic<int> under_way = 0;
  int most = 0;
  bool ended = false;
  std::mutex mutex;
  std::set<int> threads;
};

TEST(FrameThreads, EachFrameIsWrittenOnceAndInItsOrder) {
  for (const int threads : {1, 2, 5})
    for (const int slots : {1, 3, 16})
      for (const std::int64_t frames : {0, 1, 3000}) {
        Stream stream(slots, frames);
        run_frames(slots, threads, stream.calls());
        EXPECT_EQ(stream.written, frames) << threads << " threads, " << slots << " slots";
        EXPECT_EQ(stream.wrong, 0) << threads << " threads, " << slots << " slots";
        EXPECT_LE(stream.most, slots);
        EXPECT_EQ(stream.under_way, 0);
        for (const int thread : stream.threads) EXPECT_TRUE(thread >= 0 && thread < threads) << thread;
      }
}

/// Frame 0 ends once all others have that fit the slots: these wait to be written, and nobody reads any more.
TEST(FrameThreads, ASlowFrameHoldsUpTheOthersOnlyWhereSlotsAreFull) {
  constexpr int slots = 6;
  Stream stream(slots, 40);
  std::mutex mutex;
  std::condition_variable changed;
  int others = 0;
  FrameCalls calls = stream.calls();
  calls.work = [&](int slot, int thread) {
    const bool first = stream.values[static_cast<std::size_t>(slot)] == 0;
    std::unique_lock lock(mutex);
    if (first) changed.wait(lock, [&] { return others == slots - 1; });
    EXPECT_TRUE(!first || stream.written == 0);
    ++others;
    changed.notify_all();
    lock.unlock();
    stream.work(slot, thread);
  };
  run_frames(slots, 3, calls);
  EXPECT_EQ(stream.written, 40);
  EXPECT_EQ(stream.wrong, 0);
  EXPECT_EQ(stream.most, slots);
}

}  // namespace
}  // namespace vergence

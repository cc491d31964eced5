// SPDX-License-Identifier: Apache-2.0
// How many threads a stream has beyond one for each worker.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace vergence {

/// Spare threads read and write while all workers are busy. But then each frame that is done wakes one of them, which
/// costs some 10 us of processor time, and as long until the worker has its next frame. So a stream of short frames
/// that are read and written in next to no time goes on without any. Times may come from several threads at a time.
class SpareThreads {
 public:
  using Time = std::chrono::nanoseconds;

  explicit SpareThreads(int workers) : workers_(workers) {}

  int count() const { return count_; }
  /// What a frame took to be read and written.
  void outside(Time time) { outside_ += time.count(); }
  /// What a frame took a worker, in one stage.
  void inside(Time time) { inside_ += time.count(); }
  /// A frame goes to a thread apart, for which one of the stream's threads may have to wait.
  void sent() { ++sent_; }
  /// For each frame that is to begin, by one thread at a time. True where the count has changed: the stream ends the
  /// frames that it has, and goes on with other threads.
  bool change();

 private:
  bool wanted() const;

  int workers_;
  int count_ = 3;  // who reads, who writes, and who has the next frame ready
  std::int64_t frames_ = 0;
  std::atomic<std::int64_t> outside_ = 0, inside_ = 0, sent_ = 0;  // of `frames_` frames, about; ns
};

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Threads apart from those of the pipeline, which has then none that wait for the work done there.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace vergence {

/// A thread begins when all others are busy, sleeps while it has nothing to do, and ends with this object.
class OwnThreads {
 public:
  using Work = std::function<void()>;

  /// There are never more than `most`; work waits for one of them.
  explicit OwnThreads(int most) : most_(static_cast<std::size_t>(most)) {}
  OwnThreads(const OwnThreads&) = delete;
  OwnThreads& operator=(const OwnThreads&) = delete;
  /// Waits for all work.
  ~OwnThreads();

  /// Has a thread call `work`, which must not throw. False where there is no thread, and the system refuses one: nobody
  /// does the work.
  bool start(const Work& work);

 private:
  void follow(Work work);

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::deque<Work> waiting_;
  int idle_ = 0;  ///< Threads that sleep, less what waits.
  bool ended_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace vergence

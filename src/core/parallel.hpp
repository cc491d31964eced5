// SPDX-License-Identifier: Apache-2.0
// All parallelism of the library goes through this header: loops over ranges of rows, on oneTBB, or on std::jthread
// where ThreadSanitizer is on (VERGENCE_TSAN), because Debian's oneTBB makes it report races that are none.
#pragma once

#include <functional>
#include <memory>

namespace vergence {

/// A number of threads to run loops on. What is computed never depends on it.
class Threads {
 public:
  /// 0 = one per core that this process may use.
  explicit Threads(int count = 0);
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads();

  int count() const { return count_; }

  /// Calls body(first, last, worker) on disjoint ranges that cover [0, rows), each at least `smallest` rows long (but for one
  /// that is all there is); at most count() ranges run at a time, `worker` < count() is unique among those running.
  /// An exception of a body is rethrown after all others ended.
  void rows(int rows, int smallest, const std::function<void(int first, int last, int worker)>& body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  int count_ = 1;
};

}  // namespace vergence

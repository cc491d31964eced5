// SPDX-License-Identifier: Apache-2.0
// Threads that begin when they are needed, and sleep in between.
#include "pipeline/own_threads.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace vergence {

OwnThreads::~OwnThreads() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  given_.notify_all();
}

bool OwnThreads::start(const Work& work) {
  const std::lock_guard lock(mutex_);
  if (idle_ <= 0 && threads_.size() < most_) {
    try {
      threads_.emplace_back([this, work] { follow(work); });
      return true;
    } catch (const std::system_error&) {  // those that there are must do
    } catch (const std::bad_alloc&) {
    }
  }
  if (threads_.empty()) return false;
  waiting_.push_back(work);
  --idle_;
  given_.notify_one();
  return true;
}

void OwnThreads::follow(Work work) {
  for (;;) {
    work();
    std::unique_lock lock(mutex_);
    ++idle_;
    given_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    work = std::move(waiting_.front());
    waiting_.pop_front();
  }
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Work beside that of the caller: the files of frames are written while others are read and computed.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <system_error>
#include <utility>

namespace vergence::cli {

/// Waits until all pieces of work that were started before are done. Throws what one of them threw.
using Turn = std::function<void()>;

/// Pieces of work, each on a thread of its own. Several may run at a time; what they do behind their turn, they do in
/// the order in which they were started.
class Beside {
 public:
  using Work = std::function<void(const Turn& turn)>;
  explicit Beside(std::size_t most) : most_(most) {}
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  /// From now on so many may run at a time.
  void allow(std::size_t most) { most_ = most; }
  /// Waits until one more piece may run; throws what the ones that it waited for threw.
  void make_room() {
    while (running_.size() >= most_) take_first();
  }
  /// Makes room. Where no thread can be started, the work is done here.
  void start(Work work) {
    make_room();
    const auto run = [work = std::move(work), before = last()]() mutable {
      const Work own = std::exchange(work, nullptr);  // else each piece would hold all before it
      const std::shared_future<void> earlier = std::exchange(before, {});
      const Turn turn = [&earlier] {
        if (earlier.valid()) earlier.get();
      };
      own(turn);
      turn();
    };
    try {
      running_.push_back(std::async(std::launch::async, run).share());
    } catch (const std::system_error&) {
      wait();
      auto here = run;
      here();
    }
  }
  /// Until all is done; throws what the first of them to fail threw.
  void wait() {
    while (!running_.empty()) take_first();
  }
  /// The same where an error has been met already.
  void wait_whatever_comes() noexcept {
    for (const std::shared_future<void>& one : running_) one.wait();
    running_.clear();
  }

 private:
  std::shared_future<void> last() const { return running_.empty() ? std::shared_future<void>() : running_.back(); }
  void take_first() {
    const std::shared_future<void> first = std::move(running_.front());
    running_.pop_front();
    first.get();
  }

  std::size_t most_;
  std::deque<std::shared_future<void>> running_;
};

}  // namespace vergence::cli

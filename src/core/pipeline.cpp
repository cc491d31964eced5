// SPDX-License-Identifier: Apache-2.0
// Frames through filters: oneTBB's pipeline, whose tokens are the slots; or a thread per slot under ThreadSanitizer.
#include "core/pipeline.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "core/thread_limit.hpp"

#ifndef VERGENCE_TSAN
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>

#include "core/lent_arena.hpp"
#endif

namespace vergence {

#ifdef VERGENCE_TSAN

namespace {

/// Lets frames do something in the order of their numbers, one at a time.
class FrameOrder {
 public:
  void wait_for(std::int64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == number; });
  }
  void pass_on() {
    {
      const std::lock_guard lock(mutex_);
      ++next_;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t next_ = 0;
};

}  // namespace

void run_filters(int slots, int /*threads*/, const std::function<bool(int slot)>& read,
                 std::span<const PipelineFilter> filters) {
  std::mutex reading;
  std::int64_t frames = 0;
  bool ended = false;
  std::vector<FrameOrder> orders(filters.size());
  const auto follow_slot = [&](int slot) {
    for (;;) {
      std::int64_t number = 0;
      {
        const std::lock_guard lock(reading);
        ended = ended || !read(slot);
        if (ended) return;
        number = frames++;
      }
      for (std::size_t i = 0; i < filters.size(); ++i) {
        if (filters[i].in_order) orders[i].wait_for(number);
        filters[i].work(slot);
        if (filters[i].in_order) orders[i].pass_on();
      }
    }
  };
  std::vector<std::jthread> all;
  for (int slot = 0; slot < slots; ++slot) all.emplace_back(follow_slot, slot);
}

#else

namespace {

/// The slots that no frame is in. As many frames are under way as there are tokens, so one is always free for the next.
class FreeSlots {
 public:
  explicit FreeSlots(int slots) {
    for (int slot = slots; slot-- > 0;) free_.push_back(slot);
  }
  int take() {
    const std::lock_guard lock(mutex_);
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give(int slot) {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }

 private:
  std::mutex mutex_;
  std::vector<int> free_;
};

}  // namespace

void run_filters(int slots, int threads, const std::function<bool(int slot)>& read,
                 std::span<const PipelineFilter> filters) {
  using tbb::filter_mode;
  FreeSlots free(slots);
  tbb::filter<void, int> chain =
      tbb::make_filter<void, int>(filter_mode::serial_in_order, [&](tbb::flow_control& control) {
        const int slot = free.take();
        if (read(slot)) return slot;
        control.stop();
        free.give(slot);
        return slot;
      });
  for (const PipelineFilter& filter : filters)
    chain = chain & tbb::make_filter<int, int>(filter.in_order ? filter_mode::serial_in_order : filter_mode::parallel,
                                               [&filter](int slot) {
                                                 filter.work(slot);
                                                 return slot;
                                               });
  const tbb::filter<void, void> whole =
      chain & tbb::make_filter<int, void>(filter_mode::parallel, [&](int slot) { free.give(slot); });
  // Those who wait for a device need no core, so there may be more threads than cores; the loops inside of frames keep
  // theirs.
  const auto wanted = static_cast<std::size_t>(threads + tbb::info::default_concurrency());
  const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, std::max(wanted, allowed));
  require_threads(threads);
  const LentArena arena(threads);
  arena->execute([&] { tbb::parallel_pipeline(static_cast<std::size_t>(slots), whole); });
}

#endif

}  // namespace vergence

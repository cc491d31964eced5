// SPDX-License-Identifier: Apache-2.0
// Loops over ranges of rows: on oneTBB arenas, or on std::jthread under ThreadSanitizer.
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/thread_limit.hpp"

#ifdef VERGENCE_TSAN
#include <sched.h>
#else
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include "core/lent_arena.hpp"
#endif

namespace vergence {
namespace {

/// Number of ranges: one per thread, fewer where they would be shorter than `smallest`.
int range_count(int rows, int smallest, int threads) { return std::clamp(rows / std::max(smallest, 1), 1, threads); }

int range_start(int rows, int ranges, int index) {
  return static_cast<int>(static_cast<long long>(rows) * index / ranges);
}

}  // namespace

#ifdef VERGENCE_TSAN

int usable_cores() {
  cpu_set_t set;
  return std::max(sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1, 1);
}

struct Threads::Impl {};

Threads::Threads(int count) : count_(count > 0 ? count : usable_cores()) {}
Threads::~Threads() = default;

void Threads::rows(int rows, int smallest, RowBody body) {
  if (rows <= 0) return;
  const int ranges = range_count(rows, smallest, count_);
  std::mutex mutex;
  std::exception_ptr error;
  const auto run = [&](int index) {
    try {
      body(range_start(rows, ranges, index), range_start(rows, ranges, index + 1), index);
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int index = 1; index < ranges; ++index) workers.emplace_back(run, index);
    run(0);
  }
  if (error) std::rethrow_exception(error);
}

#else

namespace {

/// Threads that oneTBB gives at most; asking for more makes it print a warning. More ranges than that take turns.
int available_threads() {
  const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::max(static_cast<int>(std::min<std::size_t>(allowed, 1024)), 1);
}

}  // namespace

int usable_cores() { return std::max(tbb::info::default_concurrency(), 1); }

struct Threads::Impl {
  explicit Impl(int count) : threads(std::min(count, available_threads())), arena(threads) {}
  int threads;
  LentArena arena;
};

Threads::Threads(int count) : count_(count > 0 ? count : usable_cores()) {
  if (count_ == 1) return;
  require_threads(std::min(count_, available_threads()));
  impl_ = std::make_unique<Impl>(count_);
}
Threads::~Threads() = default;

void Threads::rows(int rows, int smallest, RowBody body) {
  if (rows <= 0) return;
  const int ranges = range_count(rows, smallest, count_);
  if (ranges == 1) return body(0, rows, 0);
  impl_->arena->execute([&] {
    tbb::parallel_for(
        0, ranges,
        [&](int index) { body(range_start(rows, ranges, index), range_start(rows, ranges, index + 1), index); },
        tbb::static_partitioner{});
  });
}

#endif

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Loops over ranges of rows: on oneTBB arenas, or on std::jthread under ThreadSanitizer.
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "core/thread_limit.hpp"

#ifdef VERGENCE_TSAN
#include <sched.h>
#else
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
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

struct Threads::Impl {};

Threads::Threads(int count) {
  cpu_set_t set;
  const int cores = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  count_ = count > 0 ? count : std::max(cores, 1);
}
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

/// Arenas that nobody uses now, by their number of threads. oneTBB 2021.8 never frees some 7 kB of an arena that is
/// destroyed, so they are used again; a process that makes devices for hours would grow.
class IdleArenas {
 public:
  /// It lives as long as the process: objects that use arenas may end after main().
  static IdleArenas& instance() {
    static IdleArenas* const one = new IdleArenas;  // NOLINT(cppcoreguidelines-owning-memory)
    return *one;
  }
  std::unique_ptr<tbb::task_arena> take(int threads) {
    const std::lock_guard lock(mutex_);
    std::vector<std::unique_ptr<tbb::task_arena> >& idle = idle_[threads];
    if (idle.empty()) return std::make_unique<tbb::task_arena>(threads);
    std::unique_ptr<tbb::task_arena> arena = std::move(idle.back());
    idle.pop_back();
    return arena;
  }
  void give(int threads, std::unique_ptr<tbb::task_arena> arena) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      idle_[threads].push_back(std::move(arena));
    } catch (const std::bad_alloc&) {  // then it is destroyed
    }
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<std::unique_ptr<tbb::task_arena> > > idle_;
};

}  // namespace

struct Threads::Impl {
  explicit Impl(int count)
      : threads(std::min(count, available_threads())), arena(IdleArenas::instance().take(threads)) {}
  ~Impl() { IdleArenas::instance().give(threads, std::move(arena)); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  int threads;
  std::unique_ptr<tbb::task_arena> arena;
};

Threads::Threads(int count) : count_(count > 0 ? count : std::max(tbb::info::default_concurrency(), 1)) {
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

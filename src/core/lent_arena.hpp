// SPDX-License-Identifier: Apache-2.0
// Arenas of oneTBB that are used again once nobody does.
#pragma once

#include <tbb/task_arena.h>

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace vergence {

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

/// An arena of so many threads while it lives.
class LentArena {
 public:
  explicit LentArena(int threads) : threads_(threads), arena_(IdleArenas::instance().take(threads)) {}
  ~LentArena() { IdleArenas::instance().give(threads_, std::move(arena_)); }
  LentArena(const LentArena&) = delete;
  LentArena& operator=(const LentArena&) = delete;
  tbb::task_arena* operator->() const { return arena_.get(); }

 private:
  int threads_;
  std::unique_ptr<tbb::task_arena> arena_;
};

}  // namespace vergence

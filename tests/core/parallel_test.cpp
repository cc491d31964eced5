// SPDX-License-Identifier: Apache-2.0
// Threads::rows: every row once, ranges as long as asked, workers unique, exceptions arrive.
#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/pipeline.hpp"

namespace vergence {
namespace {

TEST(Threads, EveryRowOnce) {
  for (const int count : {1, 2, 3, 4, 7}) {
    Threads threads(count);
    ASSERT_EQ(threads.count(), count);
    for (const int rows : {0, 1, 2, 3, 5, 16, 101, 1000})
      for (const int smallest : {0, 1, 4, 50, 2000}) {
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(rows));
        threads.rows(rows, smallest, [&](int first, int last, int worker) {
          EXPECT_LT(first, last);
          EXPECT_GE(worker, 0);
          EXPECT_LT(worker, count);
          if (last - first != rows) {
            EXPECT_GE(last - first, smallest);
          }
          for (int y = first; y < last; ++y) ++seen[static_cast<std::size_t>(y)];
        });
        for (const auto& times : seen) EXPECT_EQ(times, 1) << count << " " << rows << " " << smallest;
      }
  }
}

TEST(Threads, WorkersAreUniqueAmongThoseRunning) {
  Threads threads(4);
  std::vector<std::atomic<int>> busy(4);
  for (int repeat = 0; repeat < 50; ++repeat)
    threads.rows(400, 1, [&](int first, int last, int worker) {
      EXPECT_EQ(busy[static_cast<std::size_t>(worker)].fetch_add(1), 0);
      for (int y = first; y < last; ++y) std::this_thread::yield();
      --busy[static_cast<std::size_t>(worker)];
    });
}

TEST(Threads, ExceptionsArrive) {
  for (const int count : {1, 3}) {
    Threads threads(count);
    EXPECT_THROW(threads.rows(30, 1,
                              [](int first, int, int) {
                                if (first == 0) throw std::runtime_error("stop");
                              }),
                 std::runtime_error);
    int rows = 0;
    std::mutex mutex;
    threads.rows(30, 1, [&](int first, int last, int) {
      const std::lock_guard lock(mutex);
      rows += last - first;
    });
    EXPECT_EQ(rows, 30) << "usable after an exception";
  }
}

long resident_bytes() {
  std::ifstream file("/proc/self/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// An arena of oneTBB 2021.8 leaves some 7 kB: 5.6 MB here, if each object had its own.
TEST(Threads, MakingThemAgainAndAgainLeavesMemoryFlat) {
#if defined(__SANITIZE_ADDRESS__) || defined(VERGENCE_TSAN)
  GTEST_SKIP() << "sanitizers keep memory that is free";
#endif
  const auto use = [](int times) {
    for (int i = 0; i < times; ++i) Threads(2).rows(64, 1, [](int, int, int) {});
  };
  use(100);
  const long before = resident_bytes();
  use(800);
  EXPECT_LT(resident_bytes() - before, 2'000'000);
}

TEST(Filters, RunningThemAgainAndAgainLeavesMemoryFlat) {
#if defined(__SANITIZE_ADDRESS__) || defined(VERGENCE_TSAN)
  GTEST_SKIP() << "sanitizers keep memory that is free";
#endif
  const auto use = [](int times) {
    for (int i = 0; i < times; ++i) {
      int left = 4;
      const PipelineFilter nothing{true, [](int) {}};
      run_filters(3, 5, [&](int) { return left-- > 0; }, {&nothing, 1});
    }
  };
  use(100);
  const long before = resident_bytes();
  use(800);
  EXPECT_LT(resident_bytes() - before, 2'000'000);
}

TEST(Threads, ZeroMeansTheMachine) { EXPECT_GE(Threads(0).count(), 1); }

TEST(Threads, TwoCallersAtOnce) {
  Threads threads(2);
  std::atomic<int> rows{0};
  const auto work = [&] {
    for (int i = 0; i < 100; ++i) threads.rows(10, 1, [&](int first, int last, int) { rows += last - first; });
  };
  {
    std::jthread other(work);
    work();
  }
  EXPECT_EQ(rows, 2000);
}

}  // namespace
}  // namespace vergence

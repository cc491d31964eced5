// SPDX-License-Identifier: Apache-2.0
// The processor's frames beside other devices: on threads apart from the pipeline's, in order all the same; and threads
// that feed a device, on the cores of its NUMA node.
#include "pipeline/own_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/expect_error.hpp"
#include "core/numa_tree.hpp"
#include "pipeline/scheduler.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

using std::chrono::seconds;

// ------------------------------------------------------------------------------------------------------- the threads

TEST(OwnThreads, WorkAtTheSameTime) {
  std::promise<void> first, second;
  bool met = false;
  {
    OwnThreads threads(2);
    EXPECT_TRUE(threads.start([&] {
      first.set_value();
      met = second.get_future().wait_for(seconds(10)) == std::future_status::ready;
    }));
    EXPECT_TRUE(threads.start([&] {
      first.get_future().wait();
      second.set_value();
    }));
  }
  EXPECT_TRUE(met);
}

TEST(OwnThreads, OneDoesAllWhereThereMayBeNoMore) {
  std::set<std::thread::id> seen;
  int done = 0;
  {
    OwnThreads threads(1);
    for (int i = 0; i < 50; ++i)
      EXPECT_TRUE(threads.start([&] {
        seen.insert(std::this_thread::get_id());
        ++done;
      }));
  }
  EXPECT_EQ(done, 50);
  EXPECT_EQ(seen.size(), 1U);
}

TEST(OwnThreads, AThreadThatSleepsIsUsedAgain) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  {
    OwnThreads threads(64);
    for (int i = 0; i < 64; ++i) {
      std::promise<void> done;
      EXPECT_TRUE(threads.start([&] {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
        done.set_value();
      }));
      done.get_future().wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  EXPECT_LT(seen.size(), 64U);
}

TEST(OwnThreads, WithoutAnyNothingIsDone) {
  OwnThreads threads(0);
  EXPECT_FALSE(threads.start([] { ADD_FAILURE(); }));
}

// ----------------------------------------------------------------------------------------------------------- streams

/// Frames are numbers. The device is lost at its first frame, so that the processor does all of them, at once.
class BesideLost {
 public:
  explicit BesideLost(int frames) : frames_(frames), values_(slots) {}

  int& at(int slot) { return values_.at(static_cast<std::size_t>(slot)); }

  /// A stage whose processor has `workers`, each of which does `work`.
  PipelineStage stage(int workers, std::function<void(int slot)> work) {
    PipelineStage made{"work", {{"cuda:0", [](int) -> void { throw Error(ErrorCode::device, "the bus is gone"); }}}};
    for (int i = 0; i < workers; ++i)
      made.workers.push_back({"cpu", [this, work](int slot) {
                                note(processor);
                                work(slot);
                              }});
    return made;
  }
  PipelineReport run(const std::vector<PipelineStage>& stages) {
    return run_pipeline(
        slots,
        [&](int slot) {
          note(pipeline);
          at(slot) = next_;
          return next_++ < frames_;
        },
        stages,
        [&](int slot) {
          note(pipeline);
          written.push_back(at(slot));
        },
        {.on_device_loss = OnDeviceLoss::go_on});
  }

  std::vector<int> written;
  std::set<std::thread::id> processor, pipeline;  ///< Threads.

 private:
  static constexpr int slots = 7;
  void note(std::set<std::thread::id>& threads) {
    const std::lock_guard lock(mutex_);
    threads.insert(std::this_thread::get_id());
  }

  int frames_;
  int next_ = 0;
  std::vector<int> values_;
  std::mutex mutex_;
};

std::vector<int> multiples(int frames, int of) {
  std::vector<int> all;
  for (int i = 0; i < frames; ++i) all.push_back(of * i);
  return all;
}

TEST(ProcessorBeside, DoesItsFramesOnThreadsOfItsOwn) {
  for (const int workers : {1, 3, 16}) {
    BesideLost frames(60);
    const PipelineReport report = frames.run({frames.stage(workers, [&](int slot) { frames.at(slot) *= 2; })});
    EXPECT_EQ(frames.written, multiples(60, 2));
    EXPECT_EQ(report.shares[1].frames, 60);
    EXPECT_TRUE(report.shares[0].lost);
    EXPECT_LE(frames.processor.size(), static_cast<std::size_t>(workers));
    for (const std::thread::id& thread : frames.processor) EXPECT_EQ(frames.pipeline.count(thread), 0U);
  }
}

TEST(ProcessorBeside, StagesThatFollowSeeEachFrameOnce) {
  BesideLost frames(80);
  std::vector<int> in_order;
  const PipelineWorker triples{"one", [&](int slot) { frames.at(slot) *= 3; }};
  const PipelineWorker notes{"cpu", [&](int slot) { in_order.push_back(frames.at(slot)); }};
  const PipelineStage doubles = frames.stage(4, [&](int slot) { frames.at(slot) *= 2; });
  const PipelineReport report = frames.run({{"triple", {triples, triples}},
                                            doubles,
                                            {"triple", {triples, triples, triples}},
                                            {"note", {notes}},
                                            doubles,
                                            {"triple", {triples, triples}}});
  EXPECT_EQ(in_order, multiples(80, 18));
  EXPECT_EQ(frames.written, multiples(80, 108));
  for (const PipelineShare& share : report.shares) EXPECT_EQ(share.frames, share.lost ? 0 : 80) << share.stage;
}

TEST(ProcessorBeside, ItsErrorEndsTheStream) {
  BesideLost frames(1'000'000);
  const PipelineStage fails = frames.stage(3, [&](int slot) {
    if (frames.at(slot) == 20) throw Error(ErrorCode::out_of_memory, "too little memory");
  });
  EXPECT_ERROR(frames.run({fails}), ErrorCode::out_of_memory, "too little memory");
  ASSERT_LE(frames.written.size(), 20U);
  EXPECT_EQ(frames.written, multiples(static_cast<int>(frames.written.size()), 1));
}

TEST(ProcessorBeside, WithoutItNoDeviceIsLeft) {
  BesideLost frames(50);
  const PipelineStage fails = frames.stage(3, [&](int slot) {
    if (frames.at(slot) >= 10) throw Error(ErrorCode::device, "the core is gone");
  });
  EXPECT_ERROR(frames.run({fails}), ErrorCode::device, "failed at frame");
  EXPECT_LE(frames.written.size(), 10U);
}

/// One frame of the processor's goes on to a stage whose only worker does another one, which waits for a thread.
TEST(ProcessorBeside, FramesThatLeaveAtTwoStagesWaitForNoneBehindThem) {
  for (int round = 0; round < 50; ++round) {
    std::vector<int> written;
    int next = 0;
    const auto pause = [](int) { std::this_thread::sleep_for(std::chrono::microseconds(50)); };
    const auto fails = [](int) { throw Error(ErrorCode::device, "the bus is gone"); };
    const std::vector<PipelineStage> stages{{"search", {{"cuda:0", pause}, {"cpu", pause}}},
                                            {"score", {{"cuda:0", fails}, {"cpu", pause}}}};
    run_pipeline(
        6, [&](int) { return next++ < 40; }, stages, [&](int) { written.push_back(0); },
        {.on_device_loss = OnDeviceLoss::go_on});
    ASSERT_EQ(written.size(), 40U);
  }
}

// ------------------------------------------------------------------------------------------------------ kept workers

TEST(KeptWorkers, AThreadGetsItsLastWorkerWhereThatIsFreeAndNotMuchSlower) {
  Scheduler scheduler({"match", {{"cuda:0", {}}, {"cuda:0", {}}, {"cuda:1", {}}, {"cuda:1", {}}}}, 8,
                      [] { return 0.0; });
  const auto time = [&](int frames, double first, double second) {
    for (int frame = 0; frame < frames; ++frame) {
      ASSERT_EQ(scheduler.take(-1, 0), 0);
      ASSERT_EQ(scheduler.take(-1, 2), 2);
      scheduler.done(0, first);
      scheduler.done(2, second);
    }
  };
  const auto taken = [&](int last) {
    const int worker = scheduler.take(-1, last);
    scheduler.give_back(worker);
    return worker;
  };
  time(5, 1.0, 1.1);  // the first one is cold
  for (int last = 0; last < 4; ++last) EXPECT_EQ(taken(last), last);
  EXPECT_EQ(taken(-1), 0);
  ASSERT_EQ(scheduler.take(-1, 3), 3);
  EXPECT_EQ(taken(3), 0) << "it is busy";
  scheduler.give_back(3);
  time(4, 1.0, 2.0);
  EXPECT_EQ(taken(3), 0) << "it is much slower";
  EXPECT_EQ(taken(1), 1);
  ASSERT_EQ(scheduler.take(-1, 1), 1);
  ASSERT_TRUE(scheduler.lose(1, "the bus is gone"));
  EXPECT_EQ(taken(1), 2) << "it is lost";
}

// -------------------------------------------------------------------------------------------------------- NUMA nodes

TEST(NumaOfWorkers, AThreadTakesADeviceOfItsNodeAmongLikeOnes) {
  PipelineStage stage{"match", {{"cuda:0", {}}, {"cuda:1", {}}}};
  stage.workers[0].numa_node = 0;
  stage.workers[1].numa_node = 1;
  Scheduler scheduler(stage, 8, [] { return 0.0; });
  const auto time = [&](double first, double second) {
    for (int frame = 0; frame < 5; ++frame) {  // the first one is cold
      EXPECT_EQ(scheduler.take() + scheduler.take(), 0 + 1);
      scheduler.done(0, first);
      scheduler.done(1, second);
    }
  };
  const auto taken = [&](int node) {
    const int worker = scheduler.take(node);
    scheduler.give_back(worker);
    return worker;
  };
  time(1.0, 1.1);
  EXPECT_EQ(taken(0), 0);
  EXPECT_EQ(taken(1), 1);
  EXPECT_EQ(taken(-1), 0);
  time(2.0, 1.1);
  EXPECT_EQ(taken(0), 1) << "the other one is much faster";
}

TEST(NumaOfWorkers, ADeviceOfUnknownNodeIsNeitherNearNorFar) {
  PipelineStage stage{"match", {{"cuda:0", {}}, {"cuda:1", {}}}};
  stage.workers[0].numa_node = 0;
  Scheduler scheduler(stage, 8, [] { return 0.0; });
  for (int frame = 0; frame < 5; ++frame) {
    EXPECT_EQ(scheduler.take() + scheduler.take(), 0 + 1);
    scheduler.done(0, 1.0);
    scheduler.done(1, 1.1);
  }
  for (const int node : {-1, 0}) {
    const int worker = scheduler.take(node);
    EXPECT_EQ(worker, 0) << node;
    scheduler.give_back(worker);
  }
}

TEST(NumaOfWorkers, WorkIsDoneOnTheCoresOfItsNodeAndNothingElseIs) {
  const std::vector<int> before = test::numbers_of(test::allowed_cores());
  if (before.size() < 2) GTEST_SKIP() << "one core alone is allowed";
  const test::NumaTree tree;
  tree.nodes("0-1");
  tree.node(0, std::to_string(before[0]));
  tree.node(1, std::to_string(before[1]));
  std::mutex mutex;
  std::set<std::vector<int>> of_node, of_any, of_calls;
  const auto note = [&](std::set<std::vector<int>>& seen) {
    const std::lock_guard lock(mutex);
    seen.insert(test::numbers_of(test::allowed_cores()));
  };
  PipelineWorker bound{"cuda:0", [&](int) { note(of_node); }}, any{"cuda:1", [&](int) { note(of_any); }};
  bound.numa_node = 1;
  int left = 40;
  const auto read = [&](int) {
    note(of_calls);
    return left-- > 0;
  };
  run_pipeline(4, read, std::vector<PipelineStage>{{"one", {bound, bound}}, {"two", {any}}, {"three", {bound}}},
               [&](int) { note(of_calls); });
  EXPECT_EQ(of_node, (std::set<std::vector<int>>{{before[1]}}));
  EXPECT_EQ(of_any, std::set<std::vector<int>>{before});
  EXPECT_EQ(of_calls, std::set<std::vector<int>>{before});
  EXPECT_EQ(test::numbers_of(test::allowed_cores()), before);
}

}  // namespace
}  // namespace vergence

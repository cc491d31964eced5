// SPDX-License-Identifier: Apache-2.0
// Streams: order, bounded memory, errors of every call, devices that get frames by their speed, devices that fail.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/expect_error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

using Clock = std::chrono::steady_clock;

void rest(double ms) { std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms)); }

/// Waits for what another thread does, however long a busy machine keeps that one waiting; but not for ever.
template <class Condition>
void await(const Condition& condition, Clock::time_point start) {
  while (!condition() && Clock::now() - start < std::chrono::seconds(10)) rest(0.1);
}

/// Frames are numbers; each stage takes note, and a frame is due to come out with what all stages made of it.
class Numbers {
 public:
  Numbers(int slots, int frames) : slots_(slots), frames_(frames), values_(static_cast<std::size_t>(slots)) {}

  int& at(int slot) { return values_.at(static_cast<std::size_t>(slot)); }
  std::function<bool(int)> read() {
    return [this](int slot) {
      if (next_ == frames_) return false;
      at(slot) = next_++;
      const int now = ++in_flight;
      most = std::max(most, now);
      return true;
    };
  }
  std::function<void(int)> write(double ms = 0) {
    return [this, ms](int slot) {
      if (ms > 0) rest(ms);
      written.push_back(at(slot));
      --in_flight;
    };
  }
  PipelineReport run(const std::vector<PipelineStage>& stages, const PipelineOptions& options = {}) {
    return run_pipeline(slots_, read(), stages, write(), options);
  }

  int frames_read() const { return next_; }

  std::vector<int> written;
  std::atomic<int> in_flight = 0;
  int most = 0;

 private:
  int slots_;
  int frames_;
  int next_ = 0;
  std::vector<int> values_;
};

std::vector<int> doubled(int frames) {
  std::vector<int> all;
  for (int i = 0; i < frames; ++i) all.push_back(2 * i);
  return all;
}

PipelineWorker doubling(Numbers& numbers, const std::string& device, double ms = 0) {
  return {device, [&numbers, ms](int slot) {
            if (ms > 0) rest(ms);
            numbers.at(slot) *= 2;
          }};
}

TEST(Pipeline, WritesFramesInTheirOrderWhoeverDidThem) {
  for (const int slots : {1, 2, 5, 16}) {
    Numbers numbers(slots, 60);
    std::vector<PipelineWorker> workers;
    std::atomic<int> calls = 0;
    for (int i = 0; i < 4; ++i)
      workers.push_back({"device " + std::to_string(i % 2), [&](int slot) {
                           rest(0.3 * (calls++ % 4));  // so that they overtake each other
                           numbers.at(slot) *= 2;
                         }});
    const PipelineReport report = numbers.run({{"work", workers}});
    EXPECT_EQ(numbers.written, doubled(60)) << slots;
    EXPECT_EQ(report.frames, 60);
    ASSERT_EQ(report.shares.size(), 2U);
    EXPECT_EQ(report.shares[0].frames + report.shares[1].frames, 60);
    EXPECT_LE(report.most_in_flight, slots);
    EXPECT_EQ(report.most_in_flight, numbers.most);
    EXPECT_EQ(numbers.in_flight, 0);
  }
}

TEST(Pipeline, AStageWithOneWorkerSeesFramesInTheirOrder) {
  Numbers numbers(6, 40);
  std::vector<int> first, second;
  const auto noting = [&](std::vector<int>& seen) {
    return PipelineWorker{"cpu", [&](int slot) { seen.push_back(numbers.at(slot)); }};
  };
  numbers.run({{"prepare", {noting(first)}},
               {"mix", {doubling(numbers, "a", 0.5), doubling(numbers, "b", 0.1)}},
               {"update", {noting(second)}}});
  EXPECT_EQ(second, doubled(40));
  ASSERT_EQ(first.size(), 40U);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(first[static_cast<std::size_t>(i)], i);
}

TEST(Pipeline, StagesWorkAtTheSameTime) {
  Numbers numbers(4, 10);
  std::atomic<int> at_work = 0, most = 0;
  const Clock::time_point start = Clock::now();
  const auto count = [&] {
    const int now = ++at_work;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
  };
  const auto leave = [&] {
    rest(1);
    --at_work;
  };
  // What is updated waits until something is prepared beside it.
  const PipelineWorker prepare{"cpu", [&](int) { count(), leave(); }};
  const PipelineWorker update{"cpu", [&](int) {
                                count();
                                await([&] { return most >= 2; }, start);
                                leave();
                              }};
  numbers.run({{"prepare", {prepare}}, {"update", {update}}});
  EXPECT_EQ(most, 2);
}

TEST(Pipeline, ASlowWriterBoundsMemory) {
  for (const int slots : {1, 3, 8}) {
    Numbers numbers(slots, 30);
    const std::vector<PipelineStage> stages{{"work", {doubling(numbers, "a"), doubling(numbers, "b")}}};
    const Clock::time_point start = Clock::now();
    const auto slow = [&, write = numbers.write(2)](int slot) {
      if (numbers.written.empty()) await([&] { return numbers.in_flight >= std::min(slots, 2); }, start);
      write(slot);
    };
    const PipelineReport report = run_pipeline(slots, numbers.read(), stages, slow);
    EXPECT_EQ(numbers.written, doubled(30));
    EXPECT_LE(numbers.most, slots);
    EXPECT_EQ(report.most_in_flight, numbers.most);
    EXPECT_GE(numbers.most, std::min(slots, 2));
  }
}

TEST(Pipeline, AnErrorOfAnyCallStopsAllAtOnce) {
  for (const std::string where : {"read", "prepare", "work", "write"}) {
    Numbers numbers(6, 1'000'000);
    const auto fail_at_20 = [&](int slot, const char* here) {
      if (where == here && numbers.at(slot) / 2 == 20) throw Error(ErrorCode::io, "the disk is full");
    };
    int calls = 0;
    const auto read = [&](int slot) {
      if (where == "read" && ++calls == 20) throw std::runtime_error("a frame is broken");
      const bool got = numbers.read()(slot);
      numbers.at(slot) *= 2;
      return got;
    };
    const auto write = [&](int slot) {
      rest(0.2);
      fail_at_20(slot, "write");
      numbers.write()(slot);
    };
    const PipelineWorker prepares{"cpu", [&](int slot) { fail_at_20(slot, "prepare"); }};
    const PipelineWorker works{"cpu", [&](int slot) {
                                 fail_at_20(slot, "work");
                                 rest(0.2);
                               }};
    const std::vector<PipelineStage> stages{{"prepare", {prepares}}, {"work", {works, works, works}}};
    if (where == "read")
      EXPECT_THROW(run_pipeline(6, read, stages, write), std::runtime_error);
    else
      EXPECT_ERROR(run_pipeline(6, read, stages, write), ErrorCode::io, "the disk is full");
    EXPECT_LE(numbers.frames_read(), 20 + 6) << where;  // none after those in the slots
    // What was written was written in order, none twice.
    ASSERT_LE(numbers.written.size(), 20U) << where;
    for (std::size_t i = 0; i < numbers.written.size(); ++i)
      EXPECT_EQ(numbers.written[i], 2 * static_cast<int>(i)) << where;
  }
}

TEST(Pipeline, FasterDevicesTakeMore) {
  Numbers numbers(16, 120);
  const PipelineWorker slow = doubling(numbers, "slow", 5), fast = doubling(numbers, "fast", 1);
  std::atomic<bool> both = false;  // until then one thread might do all frames, and need the slow one for none
  const Clock::time_point start = Clock::now();
  const PipelineReport report = numbers.run({{"work",
                                              {{"fast",
                                                [&](int slot) {
                                                  await([&] { return both.load(); }, start);
                                                  fast.work(slot);
                                                }},
                                               {"slow", [&](int slot) {
                                                  both = true;
                                                  slow.work(slot);
                                                }}}}});
  EXPECT_EQ(numbers.written, doubled(120));
  EXPECT_GT(report.shares[0].frames, 2 * report.shares[1].frames);
  EXPECT_GT(report.shares[1].frames, 4);
  EXPECT_GT(report.shares[1].busy_ms, 4.0 * static_cast<double>(report.shares[1].frames));
}

TEST(Pipeline, ADeviceThatOthersWouldWaitForGetsNoFrames) {
  Numbers numbers(4, 300);
  const PipelineReport report =
      numbers.run({{"work", {doubling(numbers, "fast", 0.5), doubling(numbers, "excluded", 60)}}});
  EXPECT_EQ(numbers.written, doubled(300));
  // One frame, which tells its speed; and a few where the machine is busy.
  EXPECT_LE(report.shares[1].frames, 3);
  EXPECT_GE(report.shares[1].frames, 1);
}

/// Each makes the others wait, and yet somebody must work.
TEST(Pipeline, FewerSlotsThanWorkersOfEqualSpeedAreEnough) {
  for (const int slots : {1, 2}) {
    Numbers numbers(slots, 40);
    std::vector<PipelineWorker> workers;
    for (int i = 0; i < 5; ++i) workers.push_back(doubling(numbers, "device " + std::to_string(i), 1));
    EXPECT_EQ(numbers.run({{"work", workers}}).frames, 40) << slots;
    EXPECT_EQ(numbers.written, doubled(40)) << slots;
  }
}

TEST(Pipeline, ADeviceIsTriedByOneFrameUntilItHasBeenTimed) {
  constexpr int frames = 1000;  // so many that the slow device is back long before the last
  Numbers numbers(12, frames);
  std::atomic<int> now = 0, begun = 0, most = 0;
  const PipelineWorker slow{"slow", [&](int slot) {
                              const int beside = ++now;
                              if (++begun <= 2) most = std::max(most.load(), beside);
                              rest(3);
                              numbers.at(slot) *= 2;
                              --now;
                            }};
  const PipelineReport report =
      numbers.run({{"work", {slow, slow, slow, slow, doubling(numbers, "fast", 0.5), doubling(numbers, "fast", 0.5)}}});
  EXPECT_EQ(numbers.written, doubled(frames));
  EXPECT_EQ(most, 1);
  // Four at once would be handed out before the first of them is back.
  EXPECT_GE(report.shares[0].frames, 2);
}

TEST(Pipeline, ALostDeviceIsNamed) {
  Numbers numbers(4, 50);
  const PipelineWorker broken{"cuda:0", [&](int) -> void { throw Error(ErrorCode::device, "the bus is gone"); }};
  EXPECT_ERROR(numbers.run({{"match", {broken, doubling(numbers, "cpu")}}}), ErrorCode::device,
               "device cuda:0 failed at frame");
  Numbers again(4, 50);
  EXPECT_ERROR(again.run({{"match", {broken, doubling(again, "cpu")}}}), ErrorCode::device,
               "in stage match: the bus is gone");
}

TEST(Pipeline, WithoutALostDeviceNoFrameIsLost) {
  Numbers numbers(8, 80);
  std::atomic<int> calls = 0;
  const PipelineWorker broken{"cuda:0", [&](int slot) {
                                if (++calls > 10) throw Error(ErrorCode::device, "the bus is gone");
                                numbers.at(slot) *= 2;
                              }};
  // However busy the machine is, the device is lost before the other one has done its 60th frame.
  int done = 0;
  const Clock::time_point start = Clock::now();
  const PipelineWorker sound{"cpu", [&](int slot) {
                               rest(0.2);
                               if (++done == 60) await([&] { return calls > 10; }, start);
                               numbers.at(slot) *= 2;
                             }};
  const PipelineReport report =
      numbers.run({{"match", {broken, broken, sound}}}, {.on_device_loss = OnDeviceLoss::go_on});
  EXPECT_EQ(numbers.written, doubled(80));
  ASSERT_EQ(report.shares.size(), 2U);
  EXPECT_TRUE(report.shares[0].lost);
  EXPECT_EQ(report.shares[0].reason, "the bus is gone");
  EXPECT_EQ(report.shares[0].frames, 10);
  EXPECT_FALSE(report.shares[1].lost);
  EXPECT_EQ(report.shares[1].frames, 70);
  EXPECT_LE(calls, 12);  // each of its workers once
}

TEST(Pipeline, WithoutAnyDeviceLeftItStops) {
  for (int devices = 1; devices <= 3; ++devices) {
    Numbers numbers(8, 50);
    PipelineStage stage{"match", {}};
    for (int i = 0; i < devices; ++i)
      stage.workers.push_back({"cuda:" + std::to_string(i), [](int) -> void {
                                 rest(1);
                                 throw Error(ErrorCode::device, "the bus is gone");
                               }});
    EXPECT_ERROR(numbers.run({stage}, {.on_device_loss = OnDeviceLoss::go_on}), ErrorCode::device, "failed at frame");
    EXPECT_TRUE(numbers.written.empty());
  }
}

TEST(Pipeline, OtherErrorsAreNoLoss) {
  Numbers numbers(4, 50);
  const PipelineWorker full{"cuda:0", [&](int) -> void { throw Error(ErrorCode::out_of_memory, "too little memory"); }};
  EXPECT_ERROR(numbers.run({{"match", {full, doubling(numbers, "cpu")}}}, {.on_device_loss = OnDeviceLoss::go_on}),
               ErrorCode::out_of_memory, "too little memory");
}

TEST(Pipeline, RefusesWhatCannotBe) {
  Numbers numbers(4, 5);
  const auto nothing = [](int) {};
  EXPECT_ERROR(run_pipeline(0, numbers.read(), {}, nothing), ErrorCode::invalid_argument, "slots is 0");
  EXPECT_ERROR(run_pipeline(5000, numbers.read(), {}, nothing), ErrorCode::invalid_argument, "allowed are 1 .. 4096");
  EXPECT_ERROR(numbers.run({{"match", {}}}), ErrorCode::invalid_argument, "stage match has no worker");
  EXPECT_TRUE(numbers.written.empty());
}

TEST(Pipeline, NoStageAndNoFrameAreStreamsToo) {
  Numbers numbers(3, 7);
  EXPECT_EQ(numbers.run({}).frames, 7);
  EXPECT_EQ(numbers.written, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  Numbers none(3, 0);
  EXPECT_EQ(none.run({{"work", {doubling(none, "cpu")}}}).frames, 0);
}

TEST(Pipeline, SlotsAreAsManyAsWorkersNeedAndMoreOfSmallFrames) {
  Numbers numbers(3, 0);
  const PipelineStage stage{"work", {doubling(numbers, "cpu"), doubling(numbers, "cpu")}};
  EXPECT_EQ(pipeline_slots(std::vector{stage, stage}, std::size_t{1} << 30), 10);
  EXPECT_EQ(pipeline_slots(std::vector{stage}, std::size_t{8} << 20), 32);
  EXPECT_EQ(pipeline_slots(std::vector{stage}, 0), 256);
  EXPECT_EQ(pipeline_slots({}, std::size_t{1} << 40), 2);
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Spare threads: streams of short frames go on without them, all others have them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/expect_error.hpp"
#include "pipeline/spare_threads.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

using std::chrono::microseconds;

constexpr int of_devices = 4;

/// So many frames, each with these times: how often the count changed.
int pass(SpareThreads& spare, int frames, microseconds outside, microseconds inside, bool sent = false) {
  int changes = 0;
  for (int i = 0; i < frames; ++i) {
    changes += spare.change() ? 1 : 0;
    spare.outside(outside);
    spare.inside(inside);
    if (sent) spare.sent();
  }
  return changes;
}

TEST(SpareThreads, ShortFramesNeedNone) {
  SpareThreads spare(of_devices);
  EXPECT_EQ(pass(spare, 200, microseconds(1), microseconds(100)), 0);
  EXPECT_EQ(spare.count(), 3) << "a few frames tell nothing";
  EXPECT_EQ(pass(spare, 800, microseconds(1), microseconds(100)), 1);
  EXPECT_EQ(spare.count(), 0);
}

TEST(SpareThreads, SlowReadingAndWritingNeedThem) {
  SpareThreads spare(of_devices);
  EXPECT_EQ(pass(spare, 1000, microseconds(20), microseconds(100)), 0);
  pass(spare, 1000, microseconds(1), microseconds(100));
  ASSERT_EQ(spare.count(), 0);
  EXPECT_EQ(pass(spare, 1000, microseconds(20), microseconds(100)), 1);
  EXPECT_EQ(spare.count(), 3);
}

/// What lies between both limits stays as it is.
TEST(SpareThreads, AStreamBetweenBothDoesNotAlternate) {
  SpareThreads spare(of_devices);
  EXPECT_EQ(pass(spare, 3000, microseconds(7), microseconds(100)), 0);
  EXPECT_EQ(spare.count(), 3);
  pass(spare, 1000, microseconds(1), microseconds(100));
  EXPECT_EQ(pass(spare, 3000, microseconds(7), microseconds(100)), 0);
  EXPECT_EQ(spare.count(), 0);
}

/// 4 workers that take 4 ms a frame end one in 1 ms: waking a thread is nothing beside that.
TEST(SpareThreads, LongFramesKeepThem) {
  SpareThreads spare(of_devices);
  EXPECT_EQ(pass(spare, 1000, microseconds(1), microseconds(4000)), 0);
  EXPECT_EQ(spare.count(), 3);
}

TEST(SpareThreads, FramesOfTheProcessorKeepThem) {
  SpareThreads spare(of_devices);
  EXPECT_EQ(pass(spare, 1000, microseconds(1), microseconds(100), true), 0);
  pass(spare, 1000, microseconds(1), microseconds(100));
  ASSERT_EQ(spare.count(), 0);
  pass(spare, 1000, microseconds(1), microseconds(100), true);
  EXPECT_EQ(spare.count(), 3);
}

/// Each change ends the frames under way and begins anew: none is lost, and all are written in their order.
TEST(SpareThreads, FramesAreWrittenInOrderWhereTheyChange) {
  constexpr std::int64_t frames = 3000, slow_from = 1000, slow_to = 1600;
  constexpr int slots = 12;
  std::vector<std::int64_t> in_slot(slots, -1), written;
  PipelineStage stage{"work", {}};
  for (int i = 0; i < of_devices; ++i)
    stage.workers.push_back({i < 2 ? "a" : "b", [](int) { std::this_thread::sleep_for(microseconds(20)); }});
  std::int64_t next = 0;
  const PipelineReport report = run_pipeline(
      slots,
      [&](int slot) {
        if (next >= slow_from && next < slow_to) std::this_thread::sleep_for(microseconds(50));
        in_slot[static_cast<std::size_t>(slot)] = next;
        return next++ < frames;
      },
      std::vector{stage}, [&](int slot) { written.push_back(in_slot[static_cast<std::size_t>(slot)]); });
  EXPECT_EQ(report.frames, frames);
  ASSERT_EQ(written.size(), static_cast<std::size_t>(frames));
  for (std::int64_t i = 0; i < frames; ++i) ASSERT_EQ(written[static_cast<std::size_t>(i)], i);
}

/// Once it has no spare threads.
TEST(SpareThreads, AStreamOfShortFramesGoesOnWithoutALostDevice) {
  constexpr std::int64_t frames = 1500, lost_from = 900;
  constexpr int slots = 12;
  std::vector<std::int64_t> in_slot(slots, -1), written;
  const auto work = [](int) { std::this_thread::sleep_for(microseconds(50)); };
  const auto fails = [&](int slot) {
    work(slot);
    if (in_slot[static_cast<std::size_t>(slot)] >= lost_from) throw Error(ErrorCode::device, "the bus is gone");
  };
  const PipelineStage stage{"work", {{"a", work}, {"a", work}, {"b", fails}, {"b", fails}}};
  std::int64_t next = 0;
  const PipelineReport report = run_pipeline(
      slots,
      [&](int slot) {
        in_slot[static_cast<std::size_t>(slot)] = next;
        return next++ < frames;
      },
      std::vector{stage}, [&](int slot) { written.push_back(in_slot[static_cast<std::size_t>(slot)]); },
      {.on_device_loss = OnDeviceLoss::go_on});
  ASSERT_EQ(written.size(), static_cast<std::size_t>(frames));
  for (std::int64_t i = 0; i < frames; ++i) ASSERT_EQ(written[static_cast<std::size_t>(i)], i);
  EXPECT_TRUE(report.shares.at(1).lost);
  EXPECT_EQ(report.shares.at(0).frames + report.shares.at(1).frames, frames);
}

TEST(SpareThreads, AStreamOfShortFramesEndsWithTheFirstError) {
  std::atomic<int> next = 0;
  const auto work = [&](int) {
    std::this_thread::sleep_for(microseconds(50));
    if (next > 900) throw Error(ErrorCode::io, "the disk is full");
  };
  const std::vector<PipelineStage> stages{{"work", {{"a", work}, {"a", work}, {"b", work}}}};
  const auto run = [&] {
    run_pipeline(
        12, [&](int) { return ++next < 100000; }, stages, [](int) {});
  };
  EXPECT_ERROR(run(), ErrorCode::io, "the disk is full");
  EXPECT_LT(next, 2000) << "it went on";
}

}  // namespace
}  // namespace vergence

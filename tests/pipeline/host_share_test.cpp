// SPDX-License-Identifier: Apache-2.0
// The processor beside devices that it feeds, with a clock of the test's own: streams whose frames take what a model
// says. A device that is added never makes a stream slower.
#include "pipeline/host_share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "pipeline/scheduler.hpp"

namespace vergence {
namespace {

/// Devices with lanes and a processor. Of a device's frame, `feeding` of its time grows by `harm` x the share of the
/// cores that are busy with frames of their own.
struct Machine {
  int devices = 1, lanes = 4;
  double device_ms = 1;
  int cores = 32;  ///< Workers of the processor; 0: it does not take part.
  double host_ms = 30;
  double harm = 0;
  double reader_ms = 0;  ///< Between two frames.
  double jitter = 0.05;
  int slots = 256;
};

struct Outcome {
  double frames_per_ms = 0;
  std::vector<PipelineShare> shares;
};

/// A stream of that length in simulated time.
class Simulation {
 public:
  Simulation(const Machine& machine, double length, unsigned seed)
      : machine_(machine), length_(length), random_(seed), slots_(machine.slots) {}

  Outcome run() {
    PipelineStage stage{"match", {}};
    for (int device = 0; device < machine_.devices; ++device)
      for (int lane = 0; lane < machine_.lanes; ++lane) stage.workers.push_back({"cuda:" + std::to_string(device), {}});
    const std::size_t of_devices = stage.workers.size();
    for (int core = 0; core < machine_.cores; ++core) stage.workers.push_back({"cpu", {}});
    Scheduler scheduler(stage, slots_, [this] { return now_; });
    while (now_ < length_) {
      give_frames(scheduler, of_devices);
      const auto next = std::min_element(running_.begin(), running_.end(),
                                         [](const Running& a, const Running& b) { return a.end < b.end; });
      const bool reads = can_read() && next_read_ > now_;  // the next thing that happens may be a frame that is read
      if (reads && (next == running_.end() || next_read_ < next->end)) {
        now_ = next_read_;
        continue;
      }
      if (next == running_.end()) break;
      const Running done = *next;
      running_.erase(next);
      now_ = done.end;
      if (done.on_host) --hosts_;
      scheduler.done(done.worker, done.end - done.begin);
      finished_[static_cast<std::size_t>(done.frame)] = true;
      while (written_ < std::int64_t(finished_.size()) && finished_[static_cast<std::size_t>(written_)]) ++written_;
    }
    return {static_cast<double>(written_) / now_, scheduler.shares()};
  }

 private:
  struct Running {
    int worker;
    std::int64_t frame;
    double begin, end;
    bool on_host;
  };

  bool can_read() const { return std::int64_t(finished_.size()) - written_ < slots_; }

  /// Frames are read into free slots, in order, and wait for a worker.
  void give_frames(Scheduler& scheduler, std::size_t of_devices) {
    while (can_read() && next_read_ <= now_) {
      const int worker = scheduler.try_take();
      if (worker < 0) return;
      const bool on_host = static_cast<std::size_t>(worker) >= of_devices;
      std::uniform_real_distribution<double> around(1 - machine_.jitter, 1 + machine_.jitter);
      hosts_ += on_host ? 1 : 0;
      const double slowed = 1 + machine_.harm * hosts_ / std::max(machine_.cores, 1);
      const double ms = (on_host ? machine_.host_ms : machine_.device_ms * slowed) * around(random_);
      running_.push_back({worker, std::int64_t(finished_.size()), now_, now_ + ms, on_host});
      finished_.push_back(false);
      next_read_ = std::max(next_read_, now_ - 1) + machine_.reader_ms;
    }
  }

  Machine machine_;
  double length_, now_ = 0, next_read_ = 0;
  std::mt19937 random_;
  int slots_, hosts_ = 0;
  std::int64_t written_ = 0;
  std::vector<Running> running_;
  std::vector<bool> finished_;
};

/// How many times as fast as the devices alone the stream is with the processor.
double gain(Machine machine, double length, std::string* held_back = nullptr) {
  const Outcome with = Simulation(machine, length, 1).run();
  if (held_back != nullptr) *held_back = with.shares.back().held_back;
  machine.cores = 0;
  return with.frames_per_ms / Simulation(machine, length, 1).run().frames_per_ms;
}

// Frames per ms: a device with four lanes of 1 ms gives 4; 32 cores of 30 ms give 1.07 more.

TEST(HostShare, AProcessorThatHelpsTakesPart) {
  std::string held_back;
  EXPECT_GT(gain({}, 60000, &held_back), 1.22);  // 1.27 at most, less what it takes to find out
  EXPECT_EQ(held_back, "");
  EXPECT_GT(gain({.harm = 0.05}, 60000), 1.17);  // 1.2 at most
}

TEST(HostShare, AProcessorThatHarmsDoesNotTakePart) {
  for (const double harm : {0.5, 1.0, 2.0})
    for (const double length : {50.0, 500.0, 5000.0, 20000.0}) {
      std::string held_back;
      EXPECT_GT(gain({.harm = harm}, length, &held_back), 0.98) << harm << ", " << length;
      EXPECT_NE(held_back, "");
    }
}

TEST(HostShare, WhateverTheMachineTheStreamIsNotSlower) {
  std::mt19937 random(5);
  const auto draw = [&random](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(random));
  };
  for (int i = 0; i < 60; ++i) {
    Machine machine;
    machine.devices = 1 + i % 2;
    machine.device_ms = draw(0.1, 10);
    machine.host_ms = machine.device_ms * draw(0.5, 200);
    machine.harm = draw(0.01, 4);
    machine.cores = static_cast<int>(draw(1, 64));
    machine.reader_ms = i % 3 == 0 ? machine.device_ms * draw(0.05, 1) : 0;
    machine.slots = 2 * (machine.devices * machine.lanes + machine.cores) + 2 + (i % 4 == 0 ? 150 : 0);
    const double length = 2000 * machine.device_ms;
    EXPECT_GT(gain(machine, length), 0.98)
        << i << ": " << machine.device_ms << " ms, " << machine.cores << " of " << machine.host_ms << " ms, harm "
        << machine.harm << ", reader " << machine.reader_ms;
  }
}

TEST(HostShare, AFrameForWhichAllWouldWaitIsTriedOnceInAWhile) {
  std::string held_back;
  EXPECT_GT(gain({.host_ms = 500}, 60000, &held_back), 0.98);
  EXPECT_NE(held_back.find("the others would wait for it: they give "), std::string::npos) << held_back;
  gain({}, 10, &held_back);
  EXPECT_EQ(held_back, "the others need its cores, and the stream was too short to find out whether it helps");
}

TEST(HostShare, TwoDevicesWorkFromTheBeginning) {
  const double one = Simulation({.devices = 1, .cores = 0}, 100, 1).run().frames_per_ms;
  const double two = Simulation({.devices = 2, .cores = 0}, 100, 1).run().frames_per_ms;
  EXPECT_GT(two, 1.9 * one);
}

TEST(HostShare, ALostDeviceLeavesTheProcessorAllFrames) {
  PipelineStage stage{"match", {{"cuda:0", {}}, {"cpu", {}}, {"cpu", {}}}};
  double now = 0;
  Scheduler scheduler(stage, 8, [&now] { return now; });
  EXPECT_EQ(scheduler.try_take(), 0);
  EXPECT_EQ(scheduler.try_take(), -1);
  EXPECT_TRUE(scheduler.lose(0, "it fell off the bus"));
  EXPECT_EQ(scheduler.try_take(), 1);
  scheduler.done(1, 5);
  EXPECT_EQ(scheduler.try_take(), 1);
  EXPECT_EQ(scheduler.try_take(), 2);
  EXPECT_EQ(scheduler.shares()[1].held_back, "");
}

TEST(HostShare, AnOpenClDeviceMayBeTheProcessor) {
  PipelineStage stage{"match", {{"cuda:0", {}}, {"opencl:0", {}, true}}};
  double now = 0;
  Scheduler scheduler(stage, 8, [&now] { return now; });
  EXPECT_EQ(scheduler.try_take(), 0);
  EXPECT_EQ(scheduler.try_take(), -1);
}

TEST(HostShare, OfTheProcessorAloneTheFastestFormBegins) {
  const PipelineWorker cpu{"cpu", {}}, opencl{"opencl:0", {}, true}, reference{"reference", {}};
  for (const std::vector<PipelineWorker>& workers : std::vector<std::vector<PipelineWorker>>{
           {cpu, reference}, {cpu, opencl}, {cpu, opencl, reference}, {opencl, reference}}) {
    double now = 0;
    Scheduler scheduler({"match", workers}, 8, [&now] { return now; });
    EXPECT_EQ(scheduler.try_take(), 0);
    EXPECT_EQ(scheduler.try_take(), -1);
    scheduler.done(0, 1);
    EXPECT_EQ(scheduler.try_take(), 0);
    EXPECT_NE(scheduler.shares()[1].held_back, "");
    EXPECT_TRUE(scheduler.lose(0, "it fell off the bus"));
    EXPECT_EQ(scheduler.try_take(), 1);
  }
  double now = 0;
  Scheduler alone({"match", {reference, reference}}, 8, [&now] { return now; });
  EXPECT_EQ(alone.try_take(), 0);
  EXPECT_EQ(alone.try_take(), 1);
}

}  // namespace
}  // namespace vergence

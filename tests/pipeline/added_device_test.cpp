// SPDX-License-Identifier: Apache-2.0
// Devices of unknown speed beside each other, in simulated time: a device that is added never makes a stream slower, at
// any length from 10 frames on, and the report says why it got less than it could do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline/scheduler.hpp"

namespace vergence {
namespace {

struct Added {
  std::string device;
  int lanes = 1;
  double ms = 1;
  double first_ms = 0;  ///< Of a worker; 0: as all others.
  std::string model{};
};

struct Ended {
  double ms = 0;
  std::vector<PipelineShare> shares;
};

/// Frames that are read in no time, whenever a slot is free.
Ended ended(const std::vector<Added>& devices, int frames) {
  struct Running {
    int worker, frame;
    double begin, end;
  };
  PipelineStage stage{"match", {}};
  std::vector<const Added*> of_worker;
  for (const Added& one : devices)
    for (int lane = 0; lane < one.lanes; ++lane) {
      stage.workers.push_back({one.device, {}, false, -1, one.model});
      of_worker.push_back(&one);
    }
  const int slots = std::max(2 * static_cast<int>(stage.workers.size()) + 2, 256);
  double now = 0;
  Scheduler scheduler(stage, slots, [&now] { return now; });
  std::vector<bool> finished, warm(stage.workers.size());
  std::vector<Running> running;
  int written = 0;
  while (written < frames) {
    while (static_cast<int>(finished.size()) < std::min(frames, written + slots)) {
      const int worker = scheduler.try_take();
      if (worker < 0) break;
      const Added& one = *of_worker[static_cast<std::size_t>(worker)];
      const bool first = one.first_ms > 0 && !warm[static_cast<std::size_t>(worker)];
      warm[static_cast<std::size_t>(worker)] = true;
      running.push_back({worker, static_cast<int>(finished.size()), now, now + (first ? one.first_ms : one.ms)});
      finished.push_back(false);
    }
    const auto next = std::min_element(running.begin(), running.end(),
                                       [](const Running& a, const Running& b) { return a.end < b.end; });
    if (next == running.end()) break;  // nobody may take what is left: `written` tells
    const Running done = *next;
    running.erase(next);
    now = done.end;
    scheduler.done(done.worker, done.end - done.begin);
    finished[static_cast<std::size_t>(done.frame)] = true;
    while (written < static_cast<int>(finished.size()) && finished[static_cast<std::size_t>(written)]) ++written;
  }
  EXPECT_EQ(written, frames);
  return {now, scheduler.shares()};
}

constexpr int lengths[] = {10, 11, 13, 20, 40, 100, 1000, 8000};

/// How many times as long as the best device alone the stream takes, at the worst length.
double worst(const std::vector<Added>& devices) {
  double most = 0;
  for (const int frames : lengths) {
    double best = ended({devices[0]}, frames).ms;
    for (const Added& one : devices) best = std::min(best, ended({one}, frames).ms);
    most = std::max(most, ended(devices, frames).ms / best);
  }
  return most;
}

TEST(AddedDevice, OfAnotherKindCostsNextToNothing) {
  for (const double slowness : {1.0, 1.5, 3.0, 7.0, 32.0})
    for (const int lanes : {1, 4}) {
      const Added fast{"cuda:0", 4, 1, 1.5}, other{"opencl:0", lanes, slowness, 1.5 * slowness};
      EXPECT_LT(worst({fast, other}), 1.04) << slowness << ", " << lanes;
      EXPECT_LT(worst({other, fast}), 1.04) << slowness << ", " << lanes;
    }
}

TEST(AddedDevice, OfAnotherModelCostsNextToNothing) {
  for (const double slowness : {1.0, 1.5, 3.0, 7.0, 32.0})
    EXPECT_LT(worst({{"cuda:0", 4, 1, 1.5, "large"}, {"cuda:1", 4, slowness, 1.5 * slowness, "small"}}), 1.04)
        << slowness;
}

TEST(AddedDevice, OfTheSameModelBeginsAtOnce) {
  const Added one{"cuda:0", 4, 1, 5, "large"}, other{"cuda:1", 4, 1, 5, "large"};
  EXPECT_LT(worst({one, other}), 1.01);
  EXPECT_LT(ended({one, other}, 300).ms, 0.6 * ended({one}, 300).ms);
  EXPECT_LT(ended({one, other}, 3000).ms, 0.52 * ended({one}, 3000).ms);
}

TEST(AddedDevice, ASlowOneHelpsALongStream) {
  const Added fast{"cuda:0", 4, 1}, slow{"opencl:0", 4, 8};
  EXPECT_LT(ended({fast, slow}, 40000).ms, 0.92 * ended({fast}, 40000).ms);  // 8/9 at best
}

TEST(AddedDevice, TheReportSaysWhyItGotLess) {
  const Added fast{"cuda:0", 4, 1, 2};
  const auto told = [&](const Added& other, int frames) { return ended({fast, other}, frames).shares[1].held_back; };
  EXPECT_EQ(told({"opencl:0", 4, 2}, 100),
            "its speed is not known, and the stream was too short to try it beside cuda:0");
  EXPECT_EQ(
      told({"cuda:1", 1, 50, 100}, 100),
      "it was only tried: one of its frames takes 50 ms, and the stream would have waited for it: the others give "
      "4000 frames/s");
  EXPECT_EQ(told({"cuda:1", 4, 1, 2}, 1000), "");
  EXPECT_EQ(told({"opencl:0", 4, 2}, 20000), "");
  EXPECT_EQ(ended({fast}, 100).shares[0].held_back, "");
  EXPECT_EQ(ended({{"cuda:0", 4, 1}, {"cuda:1", 1, 1}}, 1).shares[1].held_back, "there was no frame for it");
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// The stages of a video whose frames are searched several at a time: shared by devices, or in flight on one device.
#include "motion/stages.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "cli/stopwatch.hpp"

namespace vergence::cli {
namespace {

/// A worker that scores what was found; `before` is called first.
PipelineWorker scoring(const Device& device, const MotionJob& job, const MotionSlotAt& at,
                       const std::function<void(MotionSlot& slot)>& before) {
  const auto lane = std::make_shared<MotionLane>(device, job.size, job.options, job.wants);
  return {device.name(), [at, before, lane](int number) {
            MotionSlot& slot = at(number);
            before(slot);
            lane->finish(slot.index, *slot.frame, *slot.reference, slot.found);
            lane->score(*slot.frame, slot.found);
          }};
}

/// A stream that one thread gives frames to while others wait for them.
class Flight {
 public:
  Flight(const Device& device, const MotionJob& job, const YuvFrame& first) : stream_(device, job.size, job.options) {
    stream_.enqueue(first.luma, {});
  }
  void give(MotionSlot& slot) {
    {
      const std::lock_guard lock(mutex_);
      slot.pending = stream_.enqueue(slot.frame->luma, maps_of(slot.found.fields.front()));
      slot.given = ++given_;
    }
    changed_.notify_all();
  }
  /// Whoever waits holds up those who would give, so the device first gets as many frames as it takes; unless none
  /// comes for a while, as at the video's end.
  void wait(MotionSlot& slot) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(20),
                      [&] { return given_ >= slot.given + MotionStream::most_in_flight - 1; });
    slot.pending.wait();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  MotionStream stream_;
  std::int64_t given_ = 0;
};

}  // namespace

std::vector<PipelineStage> shared_motion_stages(const std::vector<StreamDevice>& devices, const MotionJob& job,
                                                const MotionSlotAt& at) {
  PipelineStage search{"search", {}}, score{"score", {}};
  for (const StreamDevice& one : devices)
    for (int i = 0; i < one.lanes; ++i) {
      const auto lane = std::make_shared<MotionLane>(one.device, job.size, job.options, job.wants);
      search.workers.push_back({one.device.name(),
                                [at, lane](int number) {
                                  MotionSlot& slot = at(number);
                                  const Stopwatch watch;
                                  lane->search(slot.frame->luma, slot.reference->luma, slot.found);
                                  slot.ms = watch.ms();
                                },
                                one.device.on_processor(), one.device.numa_node(), one.device.description()});
      score.workers.push_back(scoring(one.device, job, at, [](MotionSlot&) {}));
      score.workers.back().on_host = one.device.on_processor();
      score.workers.back().model = one.device.description();
      score.workers.back().numa_node = job.wants.check ? one.device.numa_node() : -1;
    }
  return {std::move(search), std::move(score)};
}

std::vector<PipelineStage> flight_motion_stages(const Device& device, const MotionJob& job, const YuvFrame& first,
                                                const MotionSlotAt& at) {
  const auto flight = std::make_shared<Flight>(device, job, first);
  PipelineStage score{"score", {}};
  const int lanes = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, 8);
  for (int i = 0; i < lanes; ++i)
    score.workers.push_back(scoring(device, job, at, [flight](MotionSlot& slot) { flight->wait(slot); }));
  return {{"search", {{device.name(), [flight, at](int number) { flight->give(at(number)); }}}}, std::move(score)};
}

}  // namespace vergence::cli

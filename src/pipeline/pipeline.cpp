// SPDX-License-Identifier: Apache-2.0
// run_pipeline: read, stages and write as filters, and what happens when one of them fails.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/pipeline.hpp"
#include "pipeline/scheduler.hpp"
#include "vergence/error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

constexpr int most_slots = 4096;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Stream {
 public:
  Stream(int slots, std::span<const PipelineStage> stages, const PipelineOptions& options)
      : slots_(slots), stages_(stages), options_(options), numbers_(static_cast<std::size_t>(slots)) {
    for (const PipelineStage& stage : stages_)
      schedulers_.push_back(
          std::make_unique<Scheduler>(stage, slots, [start = Clock::now()] { return ms_since(start); }));
  }

  PipelineReport run(const std::function<bool(int slot)>& read, const std::function<void(int slot)>& write) {
    const Clock::time_point start = Clock::now();
    std::vector<PipelineFilter> filters;
    int threads = 3;  // who reads, who writes, and who has the next frame ready
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const bool in_order = stages_[i].workers.size() == 1;
      filters.push_back({in_order, [this, i](int slot) { guard([&] { pass(i, slot); }); }});
      threads += static_cast<int>(stages_[i].workers.size());
    }
    filters.push_back({true, [&](int slot) {
                         guard([&] {
                           write(slot);
                           ++report_.frames;
                         });
                         --in_flight_;
                       }});
    run_filters(
        slots_, std::min(threads, slots_ + 1), [&](int slot) { return take_frame(read, slot); }, filters);
    if (error_ != nullptr) std::rethrow_exception(error_);
    report_.seconds = ms_since(start) / 1000;
    for (const auto& scheduler : schedulers_)
      for (PipelineShare& share : scheduler->shares()) report_.shares.push_back(std::move(share));
    return std::move(report_);
  }

 private:
  /// No call begins after one has failed; the first error is kept.
  template <class Call>
  void guard(const Call& call) {
    if (stopped_) return;
    try {
      call();
    } catch (...) {
      stop(std::current_exception());
    }
  }
  void stop(std::exception_ptr error) {
    {
      const std::lock_guard lock(mutex_);
      if (error_ == nullptr) error_ = std::move(error);
    }
    stopped_ = true;
    for (const auto& scheduler : schedulers_) scheduler->stop();
  }

  bool take_frame(const std::function<bool(int slot)>& read, int slot) {
    bool got = false;
    guard([&] { got = read(slot); });
    if (!got) return false;
    numbers_[static_cast<std::size_t>(slot)] = options_.first_frame + read_++;
    report_.most_in_flight = std::max(report_.most_in_flight, ++in_flight_);
    return true;
  }

  /// One frame through one stage; again on another device where one fails.
  void pass(std::size_t stage, int slot) {
    Scheduler& scheduler = *schedulers_[stage];
    for (;;) {
      const int index = scheduler.take();
      if (index < 0) return;
      const PipelineWorker& worker = stages_[stage].workers[static_cast<std::size_t>(index)];
      const Clock::time_point start = Clock::now();
      try {
        worker.work(slot);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::device) {
          scheduler.give_back(index);
          throw;
        }
        // A lost device leaves the frame in its slot: another one takes it.
        if (options_.on_device_loss == OnDeviceLoss::go_on && scheduler.lose(index, error.what())) continue;
        scheduler.give_back(index);
        throw Error(ErrorCode::device,
                    fmt::format("device {} failed at frame {} of the stream, in stage {}: {}", worker.device,
                                numbers_[static_cast<std::size_t>(slot)], stages_[stage].name, error.what()));
      } catch (...) {
        scheduler.give_back(index);
        throw;
      }
      scheduler.done(index, ms_since(start));
      return;
    }
  }

  int slots_;
  std::span<const PipelineStage> stages_;
  PipelineOptions options_;
  std::vector<std::int64_t> numbers_;  ///< Of the frames in the slots.
  std::vector<std::unique_ptr<Scheduler>> schedulers_;
  std::int64_t read_ = 0;
  std::atomic<int> in_flight_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  PipelineReport report_;
};

}  // namespace

PipelineReport run_pipeline(int slots, const std::function<bool(int slot)>& read, std::span<const PipelineStage> stages,
                            const std::function<void(int slot)>& write, const PipelineOptions& options) {
  if (slots < 1 || slots > most_slots)
    throw Error(ErrorCode::invalid_argument, fmt::format("slots is {}: allowed are 1 .. {}", slots, most_slots));
  for (const PipelineStage& stage : stages)
    if (stage.workers.empty())
      throw Error(ErrorCode::invalid_argument, fmt::format("stage {} has no worker: give it at least one", stage.name));
  return Stream(slots, stages, options).run(read, write);
}

int pipeline_slots(std::span<const PipelineStage> stages, std::size_t bytes) {
  constexpr std::size_t small = std::size_t{256} << 20, many = 256;
  std::size_t workers = 0;
  for (const PipelineStage& stage : stages) workers += stage.workers.size();
  const std::size_t least = std::min<std::size_t>(2 * workers + 2, most_slots);
  return static_cast<int>(std::max(least, std::min(many, small / std::max<std::size_t>(bytes, 1))));
}

}  // namespace vergence

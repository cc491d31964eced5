// SPDX-License-Identifier: Apache-2.0
// run_pipeline: read, stages and write as filters, and what happens when one of them fails.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/frame_threads.hpp"
#include "core/numa.hpp"
#include "core/pipeline.hpp"
#include "pipeline/own_threads.hpp"
#include "pipeline/scheduler.hpp"
#include "pipeline/spare_threads.hpp"
#include "vergence/error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

constexpr int most_slots = 4096;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The processor's frames beside other devices are done on threads of their own, so that the pipeline needs as many as
/// the other devices alone would: idle ones would look for work at each of their frames.
class Stream {
 public:
  Stream(int slots, std::span<const PipelineStage> stages, const PipelineOptions& options)
      : slots_(slots), stages_(stages), options_(options), frames_(static_cast<std::size_t>(slots)) {
    bool near = false;
    for (const PipelineStage& stage : stages_) {
      schedulers_.push_back(
          std::make_unique<Scheduler>(stage, slots, [start = Clock::now()] { return ms_since(start); }));
      own_threads_.push_back(std::make_unique<OwnThreads>(schedulers_.back()->workers_apart()));
      for (const PipelineWorker& worker : stage.workers) near = near || worker.numa_node >= 0;
    }
    if (near) nodes_ = NumaNodes::of_machine();
  }

  PipelineReport run(const std::function<bool(int slot)>& read, const std::function<void(int slot)>& write) {
    const Clock::time_point start = Clock::now();
    int workers = 0;
    for (std::size_t i = 0; i < stages_.size(); ++i)
      workers += static_cast<int>(stages_[i].workers.size()) - schedulers_[i]->workers_apart();
    spare_.emplace(workers);
    bool ended = false;
    const auto next = [&](int slot) {
      if (spare_->change()) return false;  // goes on with other threads
      ended = !take_frame(read, slot);
      return !ended;
    };
    while (!ended) {
      const int threads = std::max(1, std::min(workers + spare_->count(), slots_ + 1));
      if (spare_->count() == 0 && !in_order(0) && stages_.size() == 1)
        follow_frames(next, write, threads);
      else
        follow_filters(next, write, threads);
    }
    if (error_ != nullptr) std::rethrow_exception(error_);
    report_.seconds = ms_since(start) / 1000;
    for (const auto& scheduler : schedulers_)
      for (PipelineShare& share : scheduler->shares()) report_.shares.push_back(std::move(share));
    return std::move(report_);
  }

 private:
  using Next = std::function<bool(int slot)>;
  using Write = std::function<void(int slot)>;

  void follow_filters(const Next& next, const Write& write, int threads) {
    std::vector<PipelineFilter> filters;
    for (std::size_t i = 0; i < stages_.size(); ++i)
      filters.push_back({in_order(i), [this, i](int slot) { enter(i, slot); }});
    filters.push_back({true, [&](int slot) { end_frame(write, slot); }});
    run_filters(slots_, threads, next, filters);
  }

  /// Frames of one stage with no thread beyond one for each worker. A thread keeps its worker where that is free.
  void follow_frames(const Next& next, const Write& write, int threads) {
    struct alignas(64) Last {
      int worker = -1;
    };
    std::vector<Last> last(static_cast<std::size_t>(threads));
    run_frames(slots_, threads,
               {next, [&](int slot, int thread) { enter(0, slot, &last[static_cast<std::size_t>(thread)].worker); },
                [&](int slot) { end_frame(write, slot); }});
  }

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
    const Clock::time_point start = Clock::now();
    guard([&] { got = read(slot); });
    if (!got) return false;
    Frame& frame = at(slot);
    frame.reading = Clock::now() - start;
    frame.number = options_.first_frame + read_++;
    frame.back_at = 0;
    report_.most_in_flight = std::max(report_.most_in_flight, ++in_flight_);
    return true;
  }

  void end_frame(const std::function<void(int slot)>& write, int slot) {
    await(slot);
    const Clock::time_point start = Clock::now();
    guard([&] {
      write(slot);
      ++report_.frames;
    });
    spare_->outside(at(slot).reading + (Clock::now() - start));
    --in_flight_;
  }

  struct Frame {
    std::int64_t number = 0;
    Clock::duration reading{};
    std::size_t back_at = 0;  ///< The first stage that is not done on a thread apart from the pipeline's.
    bool away = false;        ///< On such a thread; under mutex_.
  };
  Frame& at(int slot) { return frames_[static_cast<std::size_t>(slot)]; }
  bool in_order(std::size_t stage) const { return stages_[stage].workers.size() == 1; }

  /// A frame comes to a stage. `last`: the worker that the thread had last, if it keeps one.
  void enter(std::size_t stage, int slot, int* last = nullptr) {
    Frame& frame = at(slot);
    if (stage < frame.back_at) return;
    await(slot);
    guard([&] {
      for (;;) {
        const int worker = take(stage, last != nullptr ? *last : -1);
        if (worker < 0) return;
        if (last != nullptr) *last = worker;
        if (schedulers_[stage]->works_apart(worker) && send(stage, slot, worker)) return;
        if (is_done_by(stage, slot, worker)) return;
      }
    });
  }
  int take(std::size_t stage, int last = -1) { return schedulers_[stage]->take(nodes_.current(), last); }

  /// Has a thread apart from the pipeline's do this stage, and those that follow up to one that needs frames in order.
  /// False where there is no thread.
  bool send(std::size_t stage, int slot, int worker) {
    Frame& frame = at(slot);
    std::size_t end = stage + 1;
    while (end < stages_.size() && !in_order(end)) ++end;
    const auto set_away = [this, &frame](bool away) {
      const std::lock_guard lock(mutex_);
      frame.away = away;
    };
    frame.back_at = end;
    spare_->sent();
    set_away(true);
    bool sent = false;
    try {
      sent = own_threads_[stage]->start([this, set_away, stage, end, slot, worker] {
        guard([&] { pass(stage, end, slot, worker); });
        set_away(false);
        back_.notify_all();
      });
    } catch (const std::bad_alloc&) {  // it is done here
    }
    if (sent) return true;
    frame.back_at = 0;
    set_away(false);
    return false;
  }

  /// The stages from one to before `end`, on this thread; `worker` is the first one's.
  void pass(std::size_t stage, std::size_t end, int slot, int worker) {
    for (;;) {
      while (worker >= 0 && !is_done_by(stage, slot, worker)) worker = take(stage);
      if (worker < 0 || ++stage == end) return;
      worker = take(stage);
    }
  }

  /// Waits for a frame that was sent.
  void await(int slot) {
    Frame& frame = at(slot);
    if (frame.back_at == 0) return;
    std::unique_lock lock(mutex_);
    back_.wait(lock, [&] { return !frame.away; });
  }

  /// One frame through one stage. False where the worker's device is lost: the frame is still in its slot, for others.
  bool is_done_by(std::size_t stage, int slot, int index) {
    Scheduler& scheduler = *schedulers_[stage];
    const PipelineWorker& worker = stages_[stage].workers[static_cast<std::size_t>(index)];
    const Clock::time_point start = Clock::now();
    try {
      const OnNode bound(nodes_, worker.numa_node);
      worker.work(slot);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::device) {
        scheduler.give_back(index);
        throw;
      }
      // What is lost is given back by that, also where no other device is left: twice would be one worker too many.
      if (options_.on_device_loss != OnDeviceLoss::go_on)
        scheduler.give_back(index);
      else if (scheduler.lose(index, error.what()))
        return false;
      throw Error(ErrorCode::device, fmt::format("device {} failed at frame {} of the stream, in stage {}: {}",
                                                 worker.device, at(slot).number, stages_[stage].name, error.what()));
    } catch (...) {
      scheduler.give_back(index);
      throw;
    }
    const Clock::duration took = Clock::now() - start;
    if (!scheduler.works_apart(index)) spare_->inside(took);
    scheduler.done(index, std::chrono::duration<double, std::milli>(took).count());
    return true;
  }

  int slots_;
  std::span<const PipelineStage> stages_;
  PipelineOptions options_;
  std::vector<Frame> frames_;  ///< In the slots.
  std::vector<std::unique_ptr<Scheduler>> schedulers_;
  std::int64_t read_ = 0;
  std::atomic<int> in_flight_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable back_;  ///< A frame is no longer away.
  std::exception_ptr error_;
  PipelineReport report_;
  NumaNodes nodes_;
  std::optional<SpareThreads> spare_;
  /// For frames that leave the pipeline at each stage: a thread may wait for a worker of a later stage, which waits for
  /// none of this one's. The last member: what they do needs the others.
  std::vector<std::unique_ptr<OwnThreads>> own_threads_;
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

// SPDX-License-Identifier: Apache-2.0
// Chooses the worker that takes the next frame of a stage.
#include "pipeline/scheduler.hpp"

#include <algorithm>
#include <cstddef>

namespace vergence {

double Scheduler::Group::ms() const {
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(std::min(measured, times.size()));
  return end == times.begin() ? 0 : std::max(*std::min_element(times.begin(), end), 1e-6);
}

Scheduler::Scheduler(const PipelineStage& stage, int slots) : slots_(slots) {
  for (const PipelineWorker& worker : stage.workers) {
    std::size_t device = 0;
    while (device < devices_.size() && devices_[device].share.device != worker.device) ++device;
    if (device == devices_.size()) {
      devices_.emplace_back();
      devices_.back().share.stage = stage.name;
      devices_.back().share.device = worker.device;
    }
    ++devices_[device].workers;
    workers_.push_back({device});
  }
}

/// While a worker has a frame, the others go on until frames fill all slots, and then wait for it. A frame that makes
/// them wait costs more than it gains; only the fastest device is always used. A device is timed by several frames
/// before it is excluded, unless its first frame is far too slow. Until its first frame has been timed it gets no
/// second one: otherwise many workers of a slow device could all hold up the others.
bool Scheduler::may_take(const Group& group) const {
  constexpr std::size_t enough = 3;
  constexpr int excluded = 8;
  bool fastest = true;
  double others = 0;  // frames per ms
  for (const Group& other : devices_) {
    if (&other == &group || other.share.lost) continue;
    if (group.measured == 0 && group.busy > 0) return false;
    if (other.measured == 0) return true;
    fastest = fastest && group.ms() <= other.ms();
    others += other.workers / other.ms();
  }
  return fastest || group.ms() * others <= slots_ * (group.measured < enough ? excluded : 1);
}

int Scheduler::choose() const {
  int best = -1;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const Group& group = devices_[workers_[i].device];
    if (workers_[i].busy || group.share.lost || !may_take(group)) continue;
    if (best < 0 || group.ms() < devices_[workers_[static_cast<std::size_t>(best)].device].ms())
      best = static_cast<int>(i);
  }
  return best;
}

void Scheduler::set_busy(int worker, bool busy) {
  One& one = workers_[static_cast<std::size_t>(worker)];
  one.busy = busy;
  devices_[one.device].busy += busy ? 1 : -1;
}

int Scheduler::take() {
  std::unique_lock lock(mutex_);
  int worker = -1;
  changed_.wait(lock, [&] { return stopped_ || (worker = choose()) >= 0; });
  if (stopped_) return -1;
  set_busy(worker, true);
  return worker;
}

void Scheduler::done(int worker, double ms) {
  {
    const std::lock_guard lock(mutex_);
    One& one = workers_[static_cast<std::size_t>(worker)];
    Group& group = devices_[one.device];
    set_busy(worker, false);
    ++group.share.frames;
    group.share.busy_ms += ms;
    // A worker's first frame takes longer: kernels are compiled, memory is touched.
    if (one.warm) group.times[group.measured++ % group.times.size()] = ms;
    one.warm = true;
  }
  changed_.notify_all();
}

bool Scheduler::lose(int worker, const std::string& reason) {
  bool left = false;
  {
    const std::lock_guard lock(mutex_);
    const One& one = workers_[static_cast<std::size_t>(worker)];
    set_busy(worker, false);
    for (std::size_t i = 0; i < devices_.size(); ++i) left = left || (i != one.device && !devices_[i].share.lost);
    PipelineShare& share = devices_[one.device].share;
    if (left && !share.lost) {
      share.lost = true;
      share.reason = reason;
    }
  }
  changed_.notify_all();
  return left;
}

void Scheduler::give_back(int worker) {
  {
    const std::lock_guard lock(mutex_);
    set_busy(worker, false);
  }
  changed_.notify_all();
}

void Scheduler::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
}

std::vector<PipelineShare> Scheduler::shares() const {
  const std::lock_guard lock(mutex_);
  std::vector<PipelineShare> shares;
  for (const Group& group : devices_) shares.push_back(group.share);
  return shares;
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Chooses the worker that takes the next frame of a stage.
#include "pipeline/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/soon.hpp"

namespace vergence {
namespace {

bool is_on_host(const PipelineWorker& worker) {
  return worker.on_host || worker.device == "cpu" || worker.device == "reference";
}

/// Whether a worker begins idle beside the others of its stage: the processor beside devices; where all are the
/// processor, its slower forms, which take the same cores.
bool begins_idle(const PipelineWorker& worker, const PipelineStage& stage) {
  const auto any = [&stage](const auto& is) { return std::any_of(stage.workers.begin(), stage.workers.end(), is); };
  if (any([](const PipelineWorker& other) { return !is_on_host(other); })) return is_on_host(worker);
  const bool with_cpu = any([](const PipelineWorker& other) { return other.device == "cpu"; });
  return with_cpu ? worker.device != "cpu" : worker.device == "reference";
}

}  // namespace

double Scheduler::Group::ms() const {
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(std::min(measured, times.size()));
  return end == times.begin() ? 0 : std::max(*std::min_element(times.begin(), end), 1e-6);
}

Scheduler::Scheduler(const PipelineStage& stage, int slots, std::function<double()> clock)
    : slots_(slots), clock_(std::move(clock)) {
  int on_host = 0;
  for (const PipelineWorker& worker : stage.workers) {
    std::size_t device = 0;
    while (device < devices_.size() && devices_[device].share.device != worker.device) ++device;
    if (device == devices_.size()) {
      devices_.emplace_back();
      devices_.back().share.stage = stage.name;
      devices_.back().share.device = worker.device;
      devices_.back().on_host = begins_idle(worker, stage);
      devices_.back().node = worker.numa_node;
    }
    ++devices_[device].workers;
    workers_.push_back({device});
    on_host += devices_[device].on_host ? 1 : 0;
  }
  if (on_host > 0 && on_host < static_cast<int>(workers_.size())) host_.emplace(on_host, slots);
}

/// Whether this is the processor, and devices are there that it feeds.
bool Scheduler::beside_devices(const Group& group) const {
  return group.on_host && host_ && std::any_of(devices_.begin(), devices_.end(), [](const Group& other) {
           return !other.on_host && !other.share.lost;
         });
}

/// While a worker has a frame, the others go on until frames fill all slots, and then wait for it. A frame that makes
/// them wait costs more than it gains; only the fastest device is always used. A device is timed by several frames
/// before it is excluded, unless its first frame is far too slow. Until its first frame has been timed it gets no
/// second one: otherwise many workers of a slow device could all hold up the others.
bool Scheduler::may_take(const Group& group) const {
  constexpr std::size_t enough = 3;
  constexpr int excluded = 8;
  if (beside_devices(group)) {
    int busy = 0;
    for (const Group& other : devices_) busy += other.on_host ? other.busy : 0;
    return busy < host_->limit();
  }
  bool fastest = true;
  double others = 0;  // frames per ms
  for (const Group& other : devices_) {
    if (&other == &group || other.share.lost || beside_devices(other)) continue;
    if (group.measured == 0 && group.busy > 0) return false;
    if (other.measured == 0) return true;
    fastest = fastest && group.ms() <= other.ms();
    others += other.workers / other.ms();
  }
  return fastest || group.ms() * others <= slots_ * (group.measured < enough ? excluded : 1);
}

int Scheduler::choose(int node, int last) const {
  constexpr double alike = 1.25;
  const auto ms = [node](const Group& group) {
    return group.ms() * (node < 0 || group.node < 0 || group.node == node ? 1 : alike);
  };
  const Group* best = nullptr;
  for (const Group& group : devices_)
    if (group.busy < group.workers && !group.share.lost && may_take(group) &&
        (best == nullptr || ms(group) < ms(*best)))
      best = &group;
  if (best == nullptr) return -1;
  if (last >= 0 && !workers_[static_cast<std::size_t>(last)].busy) {
    const Group& known = devices_[workers_[static_cast<std::size_t>(last)].device];
    if (!known.share.lost && ms(known) <= alike * ms(*best) && may_take(known)) return last;
  }
  const auto free = std::find_if(workers_.begin(), workers_.end(),
                                 [&](const One& one) { return !one.busy && &devices_[one.device] == best; });
  return static_cast<int>(free - workers_.begin());
}

bool Scheduler::works_apart(int worker) const {
  return host_ && devices_[workers_[static_cast<std::size_t>(worker)].device].on_host;
}

int Scheduler::workers_apart() const {
  int count = 0;
  for (const Group& group : devices_) count += host_ && group.on_host ? group.workers : 0;
  return count;
}

void Scheduler::set_busy(int worker, bool busy) {
  One& one = workers_[static_cast<std::size_t>(worker)];
  one.busy = busy;
  devices_[one.device].busy += busy ? 1 : -1;
}

/// A worker is free without its frame done.
void Scheduler::set_failed(int worker) {
  set_busy(worker, false);
  if (host_ && devices_[workers_[static_cast<std::size_t>(worker)].device].on_host) host_->host_failed(clock_());
}

void Scheduler::begin(int worker) {
  set_busy(worker, true);
  One& one = workers_[static_cast<std::size_t>(worker)];
  if (host_ && devices_[one.device].on_host) host_->host_begun(clock_());
}

int Scheduler::take(int node, int last) {
  std::unique_lock lock = lock_soon(mutex_);
  int worker = -1;
  ++waiting_;
  changed_.wait(lock, [&] { return stopped_ || (worker = choose(node, last)) >= 0; });
  --waiting_;
  if (stopped_) return -1;
  begin(worker);
  const bool another = waiting_ > 0 && choose(node) >= 0;
  lock.unlock();
  if (another) changed_.notify_one();
  return worker;
}

int Scheduler::try_take() {
  const std::lock_guard lock(mutex_);
  const int worker = stopped_ ? -1 : choose(-1);
  if (worker >= 0) begin(worker);
  return worker;
}

void Scheduler::done(int worker, double ms) {
  const double now = host_ ? clock_() : 0;
  {
    const std::unique_lock lock = lock_soon(mutex_);
    One& one = workers_[static_cast<std::size_t>(worker)];
    Group& group = devices_[one.device];
    set_busy(worker, false);
    ++group.share.frames;
    group.share.busy_ms += ms;
    // A worker's first frame takes longer: kernels are compiled, memory is touched.
    if (one.warm) group.times[group.measured++ % group.times.size()] = ms;
    one.warm = true;
    if (host_ && group.on_host) host_->host_done(now, ms);
    if (host_ && !group.on_host) host_->device_done(now, ms);
  }
  changed_.notify_one();
}

bool Scheduler::lose(int worker, const std::string& reason) {
  bool left = false;
  {
    const std::lock_guard lock(mutex_);
    const One& one = workers_[static_cast<std::size_t>(worker)];
    set_failed(worker);
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
    set_failed(worker);
  }
  changed_.notify_one();
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
  for (const Group& group : devices_) {
    shares.push_back(group.share);
    if (beside_devices(group)) shares.back().held_back = host_->held_back();
  }
  return shares;
}

}  // namespace vergence

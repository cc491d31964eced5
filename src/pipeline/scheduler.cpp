// SPDX-License-Identifier: Apache-2.0
// Chooses the worker that takes the next frame of a stage.
#include "pipeline/scheduler.hpp"

#include <fmt/format.h>

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

/// Which device of several of unknown speed is likely to be fastest: less comes first.
int rank_of(const std::string& device) {
  if (device.starts_with("cuda")) return 0;
  if (device.starts_with("opencl")) return 2;
  return device == "reference" ? 3 : 1;
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
      devices_.back().rank = rank_of(worker.device);
      devices_.back().model = worker.model;
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

/// The device that begins: of those that are left, the one that is likely to be fastest.
const Scheduler::Group& Scheduler::lead() const {
  const Group* best = nullptr;
  for (const Group& group : devices_)
    if (!group.share.lost && !beside_devices(group) && (best == nullptr || group.rank < best->rank)) best = &group;
  return best != nullptr ? *best : devices_.front();
}

/// Whether its speed is likely to be that of the device that begins.
bool Scheduler::begins(const Group& group) const {
  const Group& first = lead();
  return &group == &first ||
         (group.rank == first.rank && (group.model == first.model || group.model.empty() || first.model.empty()));
}

/// What its next frame takes one of its workers, as far as that is known where the device that begins has been timed.
/// First frames are compared with first frames.
double Scheduler::expected_ms(const Group& group) const {
  constexpr double assumed_slowness = 32;
  const Group& first = lead();
  if (group.measured > 0) return group.ms();
  if (group.first_ms > 0 && first.first_ms > 0) return first.ms() * group.first_ms / first.first_ms;
  return begins(group) ? first.ms() : assumed_slowness * std::max(first.first_ms, first.ms());
}

/// What the others do, as far as they have been timed.
Scheduler::Others Scheduler::others_of(const Group& group) const {
  Others others;
  for (const Group& other : devices_) {
    if (&other == &group || other.share.lost || beside_devices(other)) continue;
    others.any = true;
    if (other.measured > 0) {
      others.per_ms += other.workers / other.ms();
      others.least_ms = others.least_ms > 0 ? std::min(others.least_ms, other.ms()) : other.ms();
    } else if (begins(other)) {
      others.untimed = true;
    }
  }
  return others;
}

/// Until its first frame has been timed a device gets no second one, unless others of its model begin: otherwise many
/// workers of a slow device could all hold up the others. One that is not like the device that begins waits until a
/// first frame, which may take long, would cost little.
bool Scheduler::may_take(const Group& group, double now) const {
  if (beside_devices(group)) {
    int busy = 0;
    for (const Group& other : devices_) busy += other.on_host ? other.busy : 0;
    return busy < host_->limit();
  }
  const Others others = others_of(group);
  if (!others.any) return true;
  const bool first = &group == &lead();
  const bool known = begins(group) && !group.model.empty();  // as the others of this model
  if (group.measured == 0 && group.busy > 0) return known || (first && !others.untimed && others.per_ms == 0);
  if (!first && lead().measured == 0 && !begins(group)) return false;
  if (others.per_ms == 0 || (others.untimed && begins(group))) return true;
  return is_worth_it(group, others, now);
}

/// While a worker has a frame, the others go on until frames fill all slots, and then wait for it. A frame that makes
/// them wait costs more than it gains; only the fastest device is always used. A device is timed by several frames
/// before it is excluded, unless its first frame is far too slow. And the stream may end at any moment: it then waits
/// for this frame, for which the others have had less to do by all frames of this device. They do `few` frames anyway.
bool Scheduler::is_worth_it(const Group& group, const Others& others, double now) const {
  constexpr std::size_t enough = 3;
  constexpr int excluded = 8, few = 10;
  constexpr double alike = 1.25, budget = 0.03;
  const double ms = expected_ms(group), passed = now - start_;
  if (ms <= others.least_ms) return true;
  if (ms * others.per_ms > slots_ * (group.measured < enough ? excluded : 1)) return false;
  const double spared = static_cast<double>(group.share.frames + group.busy + 1) / others.per_ms;
  return ms <= alike * others.least_ms || ms <= spared + budget * passed || passed + ms <= few / others.per_ms;
}

int Scheduler::choose(int node, int last) {
  constexpr double alike = 1.25;
  const double now = clock_();
  const auto ms = [node](const Group& group) {
    return group.ms() * (node < 0 || group.node < 0 || group.node == node ? 1 : alike);
  };
  const Group* best = nullptr;
  for (Group& group : devices_) {
    if (group.busy == group.workers || group.share.lost) continue;
    group.refused = !may_take(group, now);
    if (!group.refused && (best == nullptr || ms(group) < ms(*best))) best = &group;
  }
  if (best == nullptr) return -1;
  if (last >= 0 && !workers_[static_cast<std::size_t>(last)].busy) {
    const Group& known = devices_[workers_[static_cast<std::size_t>(last)].device];
    if (!known.share.lost && ms(known) <= alike * ms(*best) && may_take(known, now)) return last;
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
  if (start_ < 0) start_ = clock_();
  const One& one = workers_[static_cast<std::size_t>(worker)];
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
    if (one.warm)
      group.times[group.measured++ % group.times.size()] = ms;
    else
      group.first_ms = group.first_ms > 0 ? std::min(group.first_ms, ms) : std::max(ms, 1e-6);
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
    shares.back().held_back = held_back(group);
  }
  return shares;
}

std::string Scheduler::held_back(const Group& group) const {
  if (group.share.lost) return {};
  if (beside_devices(group)) return host_->held_back();
  const std::string first = lead().share.device;
  const bool refused = group.refused || !may_take(group, clock_());
  if (group.share.frames == 0 && !refused) return "there was no frame for it";
  if (group.share.frames == 0)
    return fmt::format("its speed is not known, and the stream was too short to try it beside {}", first);
  if (!refused) return {};
  const Others others = others_of(group);
  if (others.per_ms == 0) return fmt::format("the stream was too short to time it beside {}", first);
  return fmt::format(
      "{}one of its frames takes {:.4g} ms, and the stream would have waited for it: the others give {:.4g} frames/s",
      group.share.frames <= 2 ? "it was only tried: " : "", expected_ms(group), 1000 * others.per_ms);
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Tries how many workers of the processor make a stream of other devices faster.
#include "pipeline/host_share.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vergence {
namespace {

constexpr double gain_to_add = 1.01;     // of the frames per time, for more workers
constexpr double share_to_keep = 0.995;  // for fewer ones
constexpr int frames_to_trust = 16;      // of devices, before they are compared with

}  // namespace

double HostShare::Window::rate(double otherwise) const {
  const double each = host_ms(otherwise);
  return ms > 0 ? (frames + (each > 0 ? busy_ms / each : 0)) / ms : 0;
}

HostShare::HostShare(int workers, int slots) : workers_(workers), slots_(slots) {
  for (const int level : {workers / 16, workers / 4, workers / 2, workers})
    if (level > 0 && (levels_.empty() || level > levels_.back())) levels_.push_back(level);
}

void HostShare::pass_time(double now) {
  if (start_ < 0) start_ = last_ = now;
  const double passed = std::max(now - last_, 0.0);
  for (Window* window : {settled(now) ? &base_ : nullptr, &phase_})
    if (window != nullptr) {
      window->ms += passed;
      window->busy_ms += busy_ * passed;
    }
  if (base_.ms > 4 * std::max(host_ms_, 250.0))
    for (double* sum : {&base_.ms, &base_.frames, &base_.busy_ms, &base_.host_frames, &base_.host_frames_ms}) *sum /= 2;
  last_ = std::max(last_, now);
}

void HostShare::device_done(double now, double ms) {
  pass_time(now);
  ++frames_;
  ++trial_frames_;
  ++phase_.frames;
  if (settled(now)) {
    ++base_.frames;
    device_ms_ = device_ms_ > 0 ? 0.9 * device_ms_ + 0.1 * ms : ms;
  }
  update(now);
}

void HostShare::host_begun(double now) {
  pass_time(now);
  ++busy_;
}

void HostShare::host_done(double now, double ms) {
  pass_time(now);
  --busy_;
  ++frames_;
  ++trial_frames_;
  for (Window* window : {settled(now) ? &base_ : nullptr, &phase_})
    if (window != nullptr) {
      ++window->host_frames;
      window->host_frames_ms += ms;
    }
  host_ms_ = host_ms_ > 0 && ms > host_ms_ ? 0.8 * host_ms_ + 0.2 * ms : ms;
  update(now);
}

void HostShare::host_failed(double now) {
  pass_time(now);
  --busy_;
}

int HostShare::next_level(bool up) const {
  int next = up ? -1 : 0;
  for (const int level : levels_) {
    if (up && level > level_) return level;
    if (!up && level < level_) next = level;
  }
  return up || level_ > 0 ? next : -1;
}

/// At worst the workers that are added or taken away do nothing but harm while each does two frames, and a frame holds
/// up the others once they fill all slots.
bool HostShare::may_try(int limit) const {
  const double rate = base_rate();
  const double ms = host_ms_ > 0 ? host_ms_ : assumed_slowness * device_ms_;
  const double waits = limit > level_ ? std::max(ms - slots_ / rate, 0.0) : 0.0;
  const double share = static_cast<double>(std::abs(limit - level_)) / workers_;
  return lost_ + rate * (2 * ms * share + waits) <= budget * static_cast<double>(frames_);
}

void HostShare::update(double now) {
  if (trial_ < 0) {
    if (base_.frames < frames_to_trust || (level_ > 0 && base_.ms < 2 * host_ms_)) return;
    if (too_slow()) level_ = 0;
    if (wanted_ < 0 && now >= retry_) {
      wanted_ = next_level(up_next_);
      up_next_ = !up_next_;
    }
    if (wanted_ < 0 || !settled(now) || !may_try(wanted_)) return;
    trial_ = wanted_;
    warm_ = false;
    trial_frames_ = 0;
    trial_start_ = now;
    phase_ = {};
    return;
  }
  const double most = 20 * std::max(host_ms_, assumed_slowness * device_ms_);  // nobody gives the processor frames
  const bool over = phase_.ms > most;
  if (!over && busy_ > trial_ && phase_.frames > 0) phase_ = {};  // workers that are to stop still work
  const bool each_once = trial_ > 0 ? phase_.host_frames >= trial_ : phase_.ms >= host_ms_;
  if (!over && !(each_once && phase_.frames >= (warm_ ? 8 : 1))) return;
  if (!warm_ && !over && !too_slow()) {
    if (phase_.frames + phase_.host_frames >= 0.7 * base_rate() * phase_.ms) {
      warm_ = true;
      phase_ = {};
      return;
    }
  }
  end_trial(now);
}

void HostShare::end_trial(double now) {
  const double rate = phase_.rate(host_ms_), base = base_rate();
  lost_ += std::max(base * (now - trial_start_) - trial_frames_, 0.0);
  const int limit = trial_;
  const bool more = limit > level_, probe = !probed_ && host_ms_ > 0;
  probed_ = host_ms_ > 0;
  trial_ = -1;
  settled_ = now + host_ms_;
  wait_ms_ = std::max(wait_ms_, 50 * (now - trial_start_));
  if (too_slow()) {
    with_ = without_ = 0;
    level_ = 0;
    wait(now);
  } else if (probe) {  // now its speed is known
    wanted_ = levels_[std::min<std::size_t>(1, levels_.size() - 1)];
  } else if (warm_ && rate > base * (more ? gain_to_add : share_to_keep)) {
    level_ = limit;
    base_ = {};
    wanted_ = next_level(more);
    if (wanted_ < 0) wait(now);
  } else {
    if (more) {
      with_ = rate;
      without_ = base;
    }
    reject(limit, now);
  }
}

/// Fewer of those that were too many may be right.
void HostShare::reject(int limit, double now) {
  wanted_ = -1;
  for (const int level : levels_)
    if (level > level_ && level < limit) wanted_ = level;
  if (wanted_ < 0) wait(now);
}

void HostShare::wait(double now) {
  wanted_ = -1;
  retry_ = now + wait_ms_;
  wait_ms_ *= 2;
}

std::string HostShare::held_back() const {
  if (level_ == workers_) return {};
  if (too_slow())
    return fmt::format("one of its frames takes {:.4g} ms, and the others would wait for it: they give {:.4g} frames/s",
                       host_ms_, 1000 * base_rate());
  if (with_ > 0)
    return fmt::format("with more of it the stream gave {:.4g} frames/s instead of {:.4g}", 1000 * with_,
                       1000 * without_);
  return "the others need its cores, and the stream was too short to find out whether it helps";
}

}  // namespace vergence

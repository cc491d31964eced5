// SPDX-License-Identifier: Apache-2.0
// How many workers of the processor may take part beside devices that its cores feed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vergence {

/// Cores that work on frames of their own delay the threads that copy a GPU's frames, so a processor that joins may
/// cost more than it brings. Nobody can tell beforehand: so devices begin alone, and the processor is tried, with few
/// workers, then with more, and keeps those with which the stream is faster.
///
/// A trial begins only where it is expected to cost, with what earlier ones have lost, at most `budget` of the frames
/// done so far. A short stream therefore ends before the first trial. Trials come again, after ever
/// longer times, since what else the machine does may change.
///
/// Times are ms of any clock that does not go back. Not thread-safe.
class HostShare {
 public:
  static constexpr double budget = 0.01;
  /// Until it is measured, a worker of the processor is taken for so many times slower than one of a device.
  static constexpr double assumed_slowness = 128;

  /// `workers` of the processor; `slots` of the stream.
  HostShare(int workers, int slots);

  /// How many workers may be busy now.
  int limit() const { return trial_ >= 0 ? trial_ : level_; }
  /// How many are kept, trials apart.
  int level() const { return level_; }
  void device_done(double now, double ms);
  void host_begun(double now);
  void host_done(double now, double ms);
  /// A worker was given back without its frame done.
  void host_failed(double now);
  /// Why it does not get all the frames that it could do; empty where it does.
  std::string held_back() const;

 private:
  /// What was done in some time. Frames of the processor are long and end together, so they are counted by the time
  /// that went into them.
  struct Window {
    double ms = 0, frames = 0;                   ///< The latter of devices.
    double busy_ms = 0;                          ///< Of all workers of the processor.
    double host_frames = 0, host_frames_ms = 0;  ///< Frames that the processor has ended.
    double host_ms(double otherwise) const { return host_frames > 0 ? host_frames_ms / host_frames : otherwise; }
    double rate(double otherwise) const;  ///< Frames per ms; `otherwise`: how long one of the processor takes.
  };

  void pass_time(double now);
  void update(double now);
  bool settled(double now) const { return trial_ < 0 && busy_ <= level_ && now >= settled_; }
  double base_rate() const { return base_.rate(host_ms_); }
  bool too_slow() const { return host_ms_ > 0 && host_ms_ * base_rate() > slots_; }
  int next_level(bool up) const;
  bool may_try(int limit) const;
  void end_trial(double now);
  void reject(int limit, double now);
  void wait(double now);

  int workers_, slots_;
  std::vector<int> levels_;  ///< Limits that are tried, ascending.
  int level_ = 0;
  int wanted_ = 1;  ///< The limit to try next; -1: none until retry_.
  double start_ = -1, last_ = 0;
  std::int64_t frames_ = 0;
  double device_ms_ = 0, host_ms_ = 0;  ///< Of a frame.
  int busy_ = 0;                        ///< Workers of the processor.

  // The stream as it is with level_ workers; what is long past counts less.
  Window base_;
  double settled_ = 0;  ///< From then on it is measured.

  // The trial: a first phase, in which every worker does a frame, which may be slow, then one that counts.
  int trial_ = -1;  ///< Its limit; -1: there is none.
  bool warm_ = false;
  double trial_start_ = 0;
  int trial_frames_ = 0;  ///< Of all.
  Window phase_;

  double lost_ = 0;  ///< Frames, by trials.
  double retry_ = 0, wait_ms_ = 0;
  bool up_next_ = true;
  bool probed_ = false;
  double with_ = 0, without_ = 0;  ///< Frames per ms, of the last trial with more workers that failed.
};

}  // namespace vergence

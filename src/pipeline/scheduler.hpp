// SPDX-License-Identifier: Apache-2.0
// Chooses the worker of the next frame of a stage: the free worker of the fastest device, unless all others or the end
// of the stream would wait for it, or the processor's work would slow the devices that it feeds.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/host_share.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {

class Scheduler {
 public:
  /// `clock` gives ms, steadily.
  Scheduler(const PipelineStage& stage, int slots, std::function<double()> clock);

  /// A worker for a frame, which is busy from now on; waits until one may have it. -1: the stream has been stopped, or
  /// no device is left. Among devices of like speed, those of another NUMA node than `node` come last; -1: no node. The
  /// worker `last`, whose memory the caller's core holds, comes first among these, where it is free; -1: none.
  int take(int node = -1, int last = -1);
  /// The same without waiting: -1 where no worker may have a frame now.
  int try_take();
  /// Whether a worker is of the processor, in a stage that began with other devices; also once these are lost.
  bool works_apart(int worker) const;
  /// How many do.
  int workers_apart() const;
  /// The worker has finished a frame.
  void done(int worker, double ms);
  /// The worker's device failed; the worker is free again. False where no other is left; the device is then not counted
  /// as lost.
  bool lose(int worker, const std::string& reason);
  /// The worker failed for another reason.
  void give_back(int worker);
  /// Calls that wait for a worker return without one.
  void stop();

  std::vector<PipelineShare> shares() const;

 private:
  struct One {
    std::size_t device = 0;
    bool busy = false;
    bool warm = false;  ///< It has finished a frame.
  };
  struct Group {
    PipelineShare share;
    bool on_host = false;  ///< Its work is done by the processor's cores, and it begins idle beside the others.
    int node = -1;         ///< The NUMA node that it is attached to.
    int rank = 0;          ///< By what is likely of its speed: less is faster.
    std::string model;
    int workers = 0;
    int busy = 0;                   ///< Of them.
    std::array<double, 4> times{};  ///< Of its workers' last frames, ms.
    std::size_t measured = 0;
    double first_ms = 0;   ///< The least that a worker's first frame took, which is not among `times`.
    bool refused = false;  ///< When a worker was last free, it was to have no frame.
    /// That a frame takes one of its workers, 0 = not known yet. The least time, since a frame may be slow by accident.
    double ms() const;
  };
  struct Others {
    bool any = false;
    bool untimed = false;  ///< One of those that begin has not been timed yet.
    double per_ms = 0;     ///< Frames that the timed ones do together.
    double least_ms = 0;   ///< That a frame takes the fastest of them.
  };
  const Group& lead() const;
  bool begins(const Group& group) const;
  double expected_ms(const Group& group) const;
  Others others_of(const Group& group) const;
  bool may_take(const Group& group, double now) const;
  bool is_worth_it(const Group& group, const Others& others, double now) const;
  bool beside_devices(const Group& group) const;
  std::string held_back(const Group& group) const;
  int choose(int node, int last = -1);
  void begin(int worker);
  void set_busy(int worker, bool busy);
  void set_failed(int worker);

  int slots_;
  mutable std::mutex mutex_;
  /// A worker is free, or more may be taken. One call is woken, which wakes the next one where a worker is left for it:
  /// all of them at each frame would take the cores that feed the devices.
  std::condition_variable changed_;
  int waiting_ = 0;  ///< Calls that wait for a worker.
  std::vector<One> workers_;
  std::vector<Group> devices_;
  std::function<double()> clock_;
  double start_ = -1;              ///< When the first frame began.
  std::optional<HostShare> host_;  ///< Where the processor works beside devices that it feeds.
  bool stopped_ = false;
};

}  // namespace vergence

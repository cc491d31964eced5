// SPDX-License-Identifier: Apache-2.0
// Chooses the worker of the next frame of a stage: the free worker of the fastest device, unless all others would wait
// for it.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "vergence/pipeline.hpp"

namespace vergence {

class Scheduler {
 public:
  Scheduler(const PipelineStage& stage, int slots);

  /// A worker for a frame, which is busy from now on; waits until one may have it. -1: the stream has been stopped, or
  /// no device is left.
  int take();
  /// The worker has finished a frame.
  void done(int worker, double ms);
  /// The worker's device failed. False where no other is left; the device is then not counted as lost.
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
    int workers = 0;
    int busy = 0;                   ///< Of them.
    std::array<double, 4> times{};  ///< Of its workers' last frames, ms.
    std::size_t measured = 0;
    /// That a frame takes one of its workers, 0 = not known yet. The least time, since a frame may be slow by accident.
    double ms() const;
  };
  bool may_take(const Group& group) const;
  int choose() const;
  void set_busy(int worker, bool busy);

  int slots_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<One> workers_;
  std::vector<Group> devices_;
  bool stopped_ = false;
};

}  // namespace vergence

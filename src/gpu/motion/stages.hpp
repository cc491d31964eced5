// SPDX-License-Identifier: Apache-2.0
// What comes before and after a motion search on a GPU: coarse levels, refinement, confidence, prediction. Each gives
// the bytes of the function of the same name in reference/motion. Everything is compiled by the constructors; run()
// only launches.
#pragma once

#include <memory>
#include <vector>

#include "gpu/motion/search.hpp"

namespace vergence::gpu {

/// Coarse levels of both frames, each from the finer one.
class MotionPyramid {
 public:
  MotionPyramid(const MotionPlan& plan, Programs& programs);
  /// `both`: the reference has no coarse levels yet.
  void run(Queue& queue, std::vector<MotionLevel>& levels, bool both) const;

 private:
  Properties properties_;
  std::vector<const Kernel*> halve_;  ///< By how many levels are made at once, less one.
};

class MotionRefine {
 public:
  MotionRefine(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning);
  void run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers, bool predicted) const;

 private:
  MotionOptions options_;
  int group_;
  const Kernel* refine_;
};

class MotionConfidence {
 public:
  MotionConfidence(const MotionPlan& plan, Size block, Programs& programs, const MotionTuning& tuning);
  void run(Queue& queue, const MotionLevel& frames, MotionBuffers& buffers) const;

 private:
  int group_;
  const Kernel* confidence_;
};

/// Planes lie in buffers without gaps between rows.
class MotionPredict {
 public:
  MotionPredict(const MotionPlan& plan, const PlaneScale& scale, Programs& programs);
  void run(Queue& queue, const Buffer& reference, const Buffer& vectors, Buffer& prediction) const;

 private:
  Size size_, grid_;
  Properties properties_;
  const Kernel* predict_;
};

}  // namespace vergence::gpu

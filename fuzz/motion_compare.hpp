// SPDX-License-Identifier: Apache-2.0
// One motion case on `reference` and on other devices.
#pragma once

#include <string>
#include <vector>

#include "vergence/device.hpp"
#include "verify/motion_run.hpp"

namespace vergence::fuzz {

class MotionCompare {
 public:
  /// The device `cpu` with every SIMD target of this machine.
  MotionCompare();
  /// Every OpenCL and CUDA device of this machine.
  static MotionCompare on_gpus();
  /// "AVX2, SSE4, ..."
  const std::string& targets() const { return names_; }

  /// Empty where all give the same bytes, nothing else was touched and no block's J is above the zero vector's, else
  /// which target differs where.
  template <class P>
  std::string difference(const MotionCase& motion_case, const MotionFrames<P>& frames, int padding) const;
  /// The same with make_motion_frames().
  std::string difference(const MotionCase& motion_case, int padding) const;

 private:
  explicit MotionCompare(std::vector<Device> devices) : reference_("reference"), devices_(std::move(devices)) {}
  Device reference_;
  std::vector<Device> devices_;
  std::string names_;
};

}  // namespace vergence::fuzz

// SPDX-License-Identifier: Apache-2.0
// One stereo case on `reference` and on `cpu` with every SIMD target of this machine.
#pragma once

#include <string>
#include <vector>

#include "vergence/device.hpp"
#include "verify/stereo_cases.hpp"
#include "verify/stereo_run.hpp"

namespace vergence::fuzz {

class StereoCompare {
 public:
  StereoCompare();
  /// "AVX2, SSE4, ..."
  const std::string& targets() const { return names_; }
  /// Empty where all give the same bytes and nothing else was touched, else which target differs where.
  std::string difference(const StereoCase& stereo_case, const StereoRunOptions& run) const;

 private:
  Device reference_;
  std::vector<Device> devices_;
  std::string names_;
};

}  // namespace vergence::fuzz

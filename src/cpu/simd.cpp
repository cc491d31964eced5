// SPDX-License-Identifier: Apache-2.0
// The SIMD targets compiled in that this machine runs, and their names.
#define HWY_WANT_AVX3_DL  // some files are compiled for it
#include <hwy/highway.h>
#include <hwy/targets.h>

#include "cpu/context.hpp"

namespace vergence::cpu {

std::vector<std::int64_t> simd_targets() {
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  if (targets.empty()) targets.push_back(HWY_STATIC_TARGET);
  return targets;
}

std::string simd_name(std::int64_t target) { return hwy::TargetName(target); }

}  // namespace vergence::cpu

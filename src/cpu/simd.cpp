// SPDX-License-Identifier: Apache-2.0
// The SIMD targets compiled in that this machine runs, and their names.
#define HWY_WANT_AVX3_DL  // some files are compiled for it
#include <hwy/highway.h>
#include <hwy/targets.h>

#include "cpu/context.hpp"
#include "cpu/simd_objects.hpp"

namespace vergence::cpu {

std::vector<std::int64_t> simd_targets() {
  std::vector<std::int64_t> targets;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if ((target & linked_targets()) != 0) targets.push_back(target);
  if (targets.empty() && (HWY_STATIC_TARGET & linked_targets()) != 0) targets.push_back(HWY_STATIC_TARGET);
  return targets;
}

bool has_all_targets() { return linked_targets() == ~std::int64_t{0}; }

std::string simd_name(std::int64_t target) { return hwy::TargetName(target); }

}  // namespace vergence::cpu

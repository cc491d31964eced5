// SPDX-License-Identifier: Apache-2.0
// The least cost of a row, many at once.
#include "cpu/motion/scan.hpp"

#include <algorithm>

#define VERGENCE_SIMD_FILE "cpu/motion/scan.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

uint32_t MinimumOfRow(const uint32_t* costs, int count) {
  const hn::ScalableTag<uint32_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  uint32_t smallest = costs[0];
  int x = 0;
  if (count >= lanes) {
    auto least = hn::LoadU(d, costs);
    for (x = lanes; x + lanes <= count; x += lanes) least = hn::Min(least, hn::LoadU(d, costs + x));
    smallest = hn::GetLane(hn::MinOfLanes(d, least));
  }
  for (; x < count; ++x) smallest = std::min(smallest, costs[x]);
  return smallest;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(MinimumOfRow);

RowMinimum row_minimum(std::int64_t target) { return HWY_DISPATCH_TABLE(MinimumOfRow)[dispatch_index(target)]; }

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

// SPDX-License-Identifier: Apache-2.0
// The left-right check of one row, equal to reference/stereo/check.cpp.
#include "cpu/stereo/check.hpp"

#include <algorithm>

namespace vergence::cpu {

template <class S>
void check_row(const StereoPlan& plan, const MatchLayout& layout, const std::int32_t* candidate, const S* other_x,
               std::uint8_t* reject) {
  // Both disparities belong to the same pixel of the other view, so they differ by as much as the two pixels that chose
  // it.
  const StereoOptions& o = plan.options;
  std::int64_t threshold = o.left_right;
  if (o.left_right_unit == StereoCheckUnit::grey) threshold = threshold * o.disparities / 255;
  threshold = std::min<std::int64_t>(threshold, layout.count);  // no two candidates differ by more
  const auto reach = static_cast<S>(2 * threshold), middle = static_cast<S>(threshold);
  const std::int32_t* __restrict__ candidates = candidate;
  std::uint8_t* __restrict__ out = reject;
  const int width = layout.width;
  const S* other_of = other_x + layout.position(0, 0);  // one position less with every pixel
  for (int x = 0; x < width; ++x) {
    const auto distance = static_cast<S>(other_of[candidates[x] - x] - static_cast<S>(x));
    out[x] = static_cast<std::uint8_t>(out[x] | (static_cast<S>(distance + middle) > reach ? 1 : 0));
  }
}

template void check_row(const StereoPlan&, const MatchLayout&, const std::int32_t*, const std::uint16_t*,
                        std::uint8_t*);
template void check_row(const StereoPlan&, const MatchLayout&, const std::int32_t*, const std::uint32_t*,
                        std::uint8_t*);
template void check_row(const StereoPlan&, const MatchLayout&, const std::int32_t*, const std::uint64_t*,
                        std::uint8_t*);

}  // namespace vergence::cpu

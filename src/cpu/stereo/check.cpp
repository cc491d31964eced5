// SPDX-License-Identifier: Apache-2.0
// The left-right check of one row, equal to reference/stereo/check.cpp.
#include "cpu/stereo/check.hpp"

#include <algorithm>

namespace vergence::cpu {
namespace {

constexpr int block = 64;  ///< Pixels.

/// Pixels [x0, x0 + count); kCount > 0 is their number. What they chose is gathered one by one, so that the rest is
/// done in vectors.
template <int kCount, class S>
void check_pixels(const std::int32_t* candidate, const S* other_of, int x0, int count, S middle, S reach,
                  std::uint8_t* reject) {
  S chose[block];
  const int pixels = kCount > 0 ? kCount : count;
  const std::int32_t* const candidates = candidate + x0;
  const S* const of_first = other_of - x0;
#pragma GCC unroll 8
  for (int i = 0; i < pixels; ++i) chose[i] = *(of_first + static_cast<std::uint32_t>(candidates[i]) - i);
  std::uint8_t* __restrict__ out = reject + x0;
  for (int i = 0; i < pixels; ++i) {
    const auto distance = static_cast<S>(chose[i] - static_cast<S>(x0 + i));
    out[i] = static_cast<std::uint8_t>(out[i] | (static_cast<S>(distance + middle) > reach ? 1 : 0));
  }
}

}  // namespace

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
  const int width = layout.width;
  const S* other_of = other_x + layout.position(0, 0);  // one position less with every pixel
  int x = 0;
  for (; x + block <= width; x += block) check_pixels<block>(candidate, other_of, x, block, middle, reach, reject);
  check_pixels<0>(candidate, other_of, x, width - x, middle, reach, reject);
}

template void check_row(const StereoPlan&, const MatchLayout&, const std::int32_t*, const std::uint16_t*,
                        std::uint8_t*);
template void check_row(const StereoPlan&, const MatchLayout&, const std::int32_t*, const std::uint32_t*,
                        std::uint8_t*);
template void check_row(const StereoPlan&, const MatchLayout&, const std::int32_t*, const std::uint64_t*,
                        std::uint8_t*);

}  // namespace vergence::cpu

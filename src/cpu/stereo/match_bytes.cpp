// SPDX-License-Identifier: Apache-2.0
// The matcher for SAD of 8-bit pixels with 16-bit sums: the usual and the fastest case.
#define VERGENCE_SIMD_FILE "cpu/stereo/match_bytes.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/band-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

std::unique_ptr<RowMatcher<uint8_t, uint16_t>> SadBytes(const StereoPlan& plan, const Context& context,
                                                        const MatchLayout& layout) {
  const bool small = plan.options.prefilter != StereoPrefilter::none && plan.max_tap_cost < 128;
  if (small) return MakeBand<ByteSums<SadTap<true>>>(plan, context, layout);
  return MakeBand<ByteSums<SadTap<false>>>(plan, context, layout);
}
int PaddedBytes(int count) { return Padded<ByteSums<SadTap<false>>>(count); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(SadBytes);
VERGENCE_SIMD_EXPORT(PaddedBytes);

int padded_for_short_sums(const Context& context, int count) {
  return VERGENCE_DISPATCH(PaddedBytes, context.target)(count);
}

template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint16_t>> make_row_matcher(const StereoPlan& plan,
                                                                          const Context& context,
                                                                          const MatchLayout& layout) {
  if (layout.planes > 1) return make_census_matcher<std::uint16_t>(plan, context, layout);
  return VERGENCE_DISPATCH(SadBytes, context.target)(plan, context, layout);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

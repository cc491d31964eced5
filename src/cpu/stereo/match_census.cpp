// SPDX-License-Identifier: Apache-2.0
// The matcher for census words with sums of 16 and of 32 bits.
#define HWY_WANT_AVX3_DL  // bits are counted
#define VERGENCE_SIMD_FILE "cpu/stereo/match_census.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/band-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

std::unique_ptr<RowMatcher<uint8_t, uint16_t>> Census16(const StereoPlan& plan, const Context& context,
                                                        const MatchLayout& layout) {
  if (layout.planes == 3) return MakeBand<ByteSums<CensusTap<3>>>(plan, context, layout);
  if (layout.planes == 4) return MakeBand<ByteSums<CensusTap<4>>>(plan, context, layout);
  return MakeBand<ByteSums<CensusTap<8>>>(plan, context, layout);
}
std::unique_ptr<RowMatcher<uint8_t, uint32_t>> Census32(const StereoPlan& plan, const Context& context,
                                                        const MatchLayout& layout) {
  if (layout.planes == 3) return MakeBand<WideSums<CensusTap<3>, uint32_t>>(plan, context, layout);
  if (layout.planes == 4) return MakeBand<WideSums<CensusTap<4>, uint32_t>>(plan, context, layout);
  return MakeBand<WideSums<CensusTap<8>, uint32_t>>(plan, context, layout);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(Census16);
VERGENCE_SIMD_EXPORT(Census32);

template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint16_t>> make_census_matcher(const StereoPlan& plan,
                                                                             const Context& context,
                                                                             const MatchLayout& layout) {
  return VERGENCE_DISPATCH(Census16, context.target)(plan, context, layout);
}
template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint32_t>> make_census_matcher(const StereoPlan& plan,
                                                                             const Context& context,
                                                                             const MatchLayout& layout) {
  return VERGENCE_DISPATCH(Census32, context.target)(plan, context, layout);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

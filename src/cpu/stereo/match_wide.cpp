// SPDX-License-Identifier: Apache-2.0
// The matcher for SAD and SSD with sums of 32 and 64 bits: SSD, 16-bit pixels, and windows too large for 16-bit sums.
#define VERGENCE_SIMD_FILE "cpu/stereo/match_wide.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <cstdint>
#include <memory>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/band-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class E, class S>
using Made = std::unique_ptr<RowMatcher<E, S>>;

Made<uint8_t, uint32_t> Bytes32(const StereoPlan& plan, const Context& context, const MatchLayout& layout) {
  if (plan.options.cost == StereoCost::ssd) return MakeBand<VectorSums<SumsOfSquares>>(plan, context, layout);
  return MakeBand<WideSums<SadTap<false>, uint32_t>>(plan, context, layout);
}
Made<uint16_t, uint32_t> Words32(const StereoPlan& plan, const Context& context, const MatchLayout& layout) {
  if (plan.options.cost == StereoCost::ssd)
    return MakeBand<WideSums<WideTap<uint16_t, true>, uint32_t>>(plan, context, layout);
  return MakeBand<WideSums<WideTap<uint16_t, false>, uint32_t>>(plan, context, layout);
}
Made<uint8_t, uint64_t> SsdBytes64(const StereoPlan& plan, const Context& context, const MatchLayout& layout) {
  return MakeBand<WideSums<WideTap<uint8_t, true>, uint64_t>>(plan, context, layout);
}
Made<uint16_t, uint64_t> SsdWords64(const StereoPlan& plan, const Context& context, const MatchLayout& layout) {
  return MakeBand<WideSums<WideTap<uint16_t, true>, uint64_t>>(plan, context, layout);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(Bytes32);
VERGENCE_SIMD_EXPORT(SsdBytes64);
VERGENCE_SIMD_EXPORT(Words32);
VERGENCE_SIMD_EXPORT(SsdWords64);

template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint32_t>> make_row_matcher(const StereoPlan& plan,
                                                                          const Context& context,
                                                                          const MatchLayout& layout) {
  if (layout.planes > 1) return make_census_matcher<std::uint32_t>(plan, context, layout);
  return VERGENCE_DISPATCH(Bytes32, context.target)(plan, context, layout);
}
template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint64_t>> make_row_matcher(const StereoPlan& plan,
                                                                          const Context& context,
                                                                          const MatchLayout& layout) {
  if (plan.options.cost != StereoCost::ssd) return make_long_matcher<std::uint8_t>(plan, context, layout);
  return VERGENCE_DISPATCH(SsdBytes64, context.target)(plan, context, layout);
}
template <>
std::unique_ptr<RowMatcher<std::uint16_t, std::uint32_t>> make_row_matcher(const StereoPlan& plan,
                                                                           const Context& context,
                                                                           const MatchLayout& layout) {
  return VERGENCE_DISPATCH(Words32, context.target)(plan, context, layout);
}
template <>
std::unique_ptr<RowMatcher<std::uint16_t, std::uint64_t>> make_row_matcher(const StereoPlan& plan,
                                                                           const Context& context,
                                                                           const MatchLayout& layout) {
  if (plan.options.cost != StereoCost::ssd) return make_long_matcher<std::uint16_t>(plan, context, layout);
  return VERGENCE_DISPATCH(SsdWords64, context.target)(plan, context, layout);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

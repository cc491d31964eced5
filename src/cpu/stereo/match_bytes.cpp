// SPDX-License-Identifier: Apache-2.0
// The matcher for byte taps and 16-bit sums: SAD of 8-bit pixels and census. The usual and the fastest case.
#define HWY_WANT_AVX3_DL  // bits are counted
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/match_bytes.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/band-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

using Matcher16 = RowMatcher<uint8_t, uint16_t>;

std::unique_ptr<Matcher16> SadBytes(const StereoPlan& plan, const MatchLayout& layout) {
  return MakeBand<ByteSums<SadTap<false>>>(plan, layout);
}
std::unique_ptr<Matcher16> SadSmallBytes(const StereoPlan& plan, const MatchLayout& layout) {
  return MakeBand<ByteSums<SadTap<true>>>(plan, layout);
}
std::unique_ptr<Matcher16> Census24Bytes(const StereoPlan& plan, const MatchLayout& layout) {
  return MakeBand<ByteSums<CensusTap<3>>>(plan, layout);
}
std::unique_ptr<Matcher16> Census31Bytes(const StereoPlan& plan, const MatchLayout& layout) {
  return MakeBand<ByteSums<CensusTap<4>>>(plan, layout);
}
std::unique_ptr<Matcher16> Census62Bytes(const StereoPlan& plan, const MatchLayout& layout) {
  return MakeBand<ByteSums<CensusTap<8>>>(plan, layout);
}
int PaddedBytes(int count) { return Padded<ByteSums<SadTap<false>>>(count); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(SadBytes);
HWY_EXPORT(SadSmallBytes);
HWY_EXPORT(Census24Bytes);
HWY_EXPORT(Census31Bytes);
HWY_EXPORT(Census62Bytes);
HWY_EXPORT(PaddedBytes);

int padded_for_short_sums(const Context& context, int count) {
  return VERGENCE_DISPATCH(PaddedBytes, context.target)(count);
}

template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint16_t>> make_row_matcher(const StereoPlan& plan,
                                                                          const Context& context,
                                                                          const MatchLayout& layout) {
  switch (plan.options.cost) {
    case StereoCost::census_5x5:
      return VERGENCE_DISPATCH(Census24Bytes, context.target)(plan, layout);
    case StereoCost::census_symmetric_9x7:
      return VERGENCE_DISPATCH(Census31Bytes, context.target)(plan, layout);
    case StereoCost::census_9x7:
      return VERGENCE_DISPATCH(Census62Bytes, context.target)(plan, layout);
    default:
      if (plan.options.prefilter != StereoPrefilter::none && plan.max_tap_cost < 128)
        return VERGENCE_DISPATCH(SadSmallBytes, context.target)(plan, layout);
      return VERGENCE_DISPATCH(SadBytes, context.target)(plan, layout);
  }
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

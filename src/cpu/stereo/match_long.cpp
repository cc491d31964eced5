// SPDX-License-Identifier: Apache-2.0
// The matcher for SAD and census with sums of 64 bits: windows of more than 65,537 px of 16-bit pixels, or of more than
// 16 million. They are so rare that one target is compiled, the least, which every device can run.
#include <hwy/highway.h>

#include "cpu/stereo/band-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

std::unique_ptr<RowMatcher<uint8_t, uint64_t>> LongBytes(const StereoPlan& plan, const Context& context,
                                                         const MatchLayout& layout) {
  if (layout.planes == 3) return MakeBand<WideSums<CensusTap<3>, uint64_t>>(plan, context, layout);
  if (layout.planes == 4) return MakeBand<WideSums<CensusTap<4>, uint64_t>>(plan, context, layout);
  if (layout.planes == 8) return MakeBand<WideSums<CensusTap<8>, uint64_t>>(plan, context, layout);
  return MakeBand<WideSums<SadTap<false>, uint64_t>>(plan, context, layout);
}

std::unique_ptr<RowMatcher<uint16_t, uint64_t>> LongWords(const StereoPlan& plan, const Context& context,
                                                          const MatchLayout& layout) {
  return MakeBand<WideSums<WideTap<uint16_t, false>, uint64_t>>(plan, context, layout);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace vergence::cpu {

template <>
std::unique_ptr<RowMatcher<std::uint8_t, std::uint64_t>> make_long_matcher(const StereoPlan& plan,
                                                                           const Context& context,
                                                                           const MatchLayout& layout) {
  return HWY_STATIC_DISPATCH(LongBytes)(plan, context, layout);
}
template <>
std::unique_ptr<RowMatcher<std::uint16_t, std::uint64_t>> make_long_matcher(const StereoPlan& plan,
                                                                            const Context& context,
                                                                            const MatchLayout& layout) {
  return HWY_STATIC_DISPATCH(LongWords)(plan, context, layout);
}

}  // namespace vergence::cpu

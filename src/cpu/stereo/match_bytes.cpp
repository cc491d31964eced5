// SPDX-License-Identifier: Apache-2.0
// The matcher for byte taps and 16-bit sums: SAD of 8-bit pixels and census. The usual and the fastest case.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/match_bytes.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/band-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

using Sink16 = RowSink<uint16_t>;
using Scratch16 = BandScratch<uint16_t>;
using Source8 = RowSource<uint8_t>;

void SadBytes(const BandJob& job, const MatchLayout& layout, Source8& rows, Scratch16& scratch, Sink16& sink) {
  RunBand<ByteSums<SadTap<false>>>(job, layout, rows, scratch, sink);
}
void SadSmallBytes(const BandJob& job, const MatchLayout& layout, Source8& rows, Scratch16& scratch, Sink16& sink) {
  RunBand<ByteSums<SadTap<true>>>(job, layout, rows, scratch, sink);
}
void Census24Bytes(const BandJob& job, const MatchLayout& layout, Source8& rows, Scratch16& scratch, Sink16& sink) {
  RunBand<ByteSums<CensusTap<3>>>(job, layout, rows, scratch, sink);
}
void Census62Bytes(const BandJob& job, const MatchLayout& layout, Source8& rows, Scratch16& scratch, Sink16& sink) {
  RunBand<ByteSums<CensusTap<8>>>(job, layout, rows, scratch, sink);
}
int PaddedBytes(int count) { return Padded<ByteSums<SadTap<false>>>(count); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(SadBytes);
HWY_EXPORT(SadSmallBytes);
HWY_EXPORT(Census24Bytes);
HWY_EXPORT(Census62Bytes);
HWY_EXPORT(PaddedBytes);

template <>
int padded_candidates<std::uint8_t, std::uint16_t>(const Context& context, StereoCost, int count) {
  return VERGENCE_DISPATCH(PaddedBytes, context.target)(count);
}

template <>
void run_band(const BandJob& job, const MatchLayout& layout, RowSource<std::uint8_t>& rows,
              BandScratch<std::uint16_t>& scratch, RowSink<std::uint16_t>& sink) {
  const std::int64_t target = job.context->target;
  switch (job.plan->options.cost) {
    case StereoCost::census_5x5:
      return VERGENCE_DISPATCH(Census24Bytes, target)(job, layout, rows, scratch, sink);
    case StereoCost::census_9x7:
      return VERGENCE_DISPATCH(Census62Bytes, target)(job, layout, rows, scratch, sink);
    default:
      if (job.plan->options.prefilter != StereoPrefilter::none && job.plan->max_tap_cost < 128)
        return VERGENCE_DISPATCH(SadSmallBytes, target)(job, layout, rows, scratch, sink);
      return VERGENCE_DISPATCH(SadBytes, target)(job, layout, rows, scratch, sink);
  }
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

// SPDX-License-Identifier: Apache-2.0
// The matcher for sums of 32 and 64 bits: SSD, 16-bit pixels, and windows too large for 16-bit sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/match_wide.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/band-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class S>
HWY_INLINE void RunBytes(const BandJob& job, const MatchLayout& layout, RowSource<uint8_t>& rows,
                         BandScratch<S>& scratch, RowSink<S>& sink) {
  switch (job.plan->options.cost) {
    case StereoCost::sad:
      return RunBand<WideSums<WideTap<uint8_t, false>, S>>(job, layout, rows, scratch, sink);
    case StereoCost::ssd:
      return RunBand<WideSums<WideTap<uint8_t, true>, S>>(job, layout, rows, scratch, sink);
    case StereoCost::census_5x5:
      return RunBand<WideSums<CensusTap<3>, S>>(job, layout, rows, scratch, sink);
    case StereoCost::census_9x7:
      return RunBand<WideSums<CensusTap<8>, S>>(job, layout, rows, scratch, sink);
  }
}

template <class S>
HWY_INLINE void RunWords(const BandJob& job, const MatchLayout& layout, RowSource<uint16_t>& rows,
                         BandScratch<S>& scratch, RowSink<S>& sink) {
  if (job.plan->options.cost == StereoCost::ssd)
    RunBand<WideSums<WideTap<uint16_t, true>, S>>(job, layout, rows, scratch, sink);
  else
    RunBand<WideSums<WideTap<uint16_t, false>, S>>(job, layout, rows, scratch, sink);
}

void Bytes32(const BandJob& job, const MatchLayout& layout, RowSource<uint8_t>& rows, BandScratch<uint32_t>& scratch,
             RowSink<uint32_t>& sink) {
  RunBytes(job, layout, rows, scratch, sink);
}
void Bytes64(const BandJob& job, const MatchLayout& layout, RowSource<uint8_t>& rows, BandScratch<uint64_t>& scratch,
             RowSink<uint64_t>& sink) {
  RunBytes(job, layout, rows, scratch, sink);
}
void Words32(const BandJob& job, const MatchLayout& layout, RowSource<uint16_t>& rows, BandScratch<uint32_t>& scratch,
             RowSink<uint32_t>& sink) {
  RunWords(job, layout, rows, scratch, sink);
}
void Words64(const BandJob& job, const MatchLayout& layout, RowSource<uint16_t>& rows, BandScratch<uint64_t>& scratch,
             RowSink<uint64_t>& sink) {
  RunWords(job, layout, rows, scratch, sink);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(Bytes32);
HWY_EXPORT(Bytes64);
HWY_EXPORT(Words32);
HWY_EXPORT(Words64);

namespace {
constexpr int block = 64;  // WideSums::BlockLanes(), a whole number of vectors on every target
int padded(int count) { return (count + block - 1) / block * block; }
}  // namespace

template <>
int padded_candidates<std::uint8_t, std::uint32_t>(const Context&, StereoCost, int count) {
  return padded(count);
}
template <>
int padded_candidates<std::uint8_t, std::uint64_t>(const Context&, StereoCost, int count) {
  return padded(count);
}
template <>
int padded_candidates<std::uint16_t, std::uint32_t>(const Context&, StereoCost, int count) {
  return padded(count);
}
template <>
int padded_candidates<std::uint16_t, std::uint64_t>(const Context&, StereoCost, int count) {
  return padded(count);
}

template <>
void run_band(const BandJob& job, const MatchLayout& layout, RowSource<std::uint8_t>& rows,
              BandScratch<std::uint32_t>& scratch, RowSink<std::uint32_t>& sink) {
  VERGENCE_DISPATCH(Bytes32, job.context->target)(job, layout, rows, scratch, sink);
}
template <>
void run_band(const BandJob& job, const MatchLayout& layout, RowSource<std::uint8_t>& rows,
              BandScratch<std::uint64_t>& scratch, RowSink<std::uint64_t>& sink) {
  VERGENCE_DISPATCH(Bytes64, job.context->target)(job, layout, rows, scratch, sink);
}
template <>
void run_band(const BandJob& job, const MatchLayout& layout, RowSource<std::uint16_t>& rows,
              BandScratch<std::uint32_t>& scratch, RowSink<std::uint32_t>& sink) {
  VERGENCE_DISPATCH(Words32, job.context->target)(job, layout, rows, scratch, sink);
}
template <>
void run_band(const BandJob& job, const MatchLayout& layout, RowSource<std::uint16_t>& rows,
              BandScratch<std::uint64_t>& scratch, RowSink<std::uint64_t>& sink) {
  VERGENCE_DISPATCH(Words64, job.context->target)(job, layout, rows, scratch, sink);
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

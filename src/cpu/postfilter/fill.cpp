// SPDX-License-Identifier: Apache-2.0
// Hole filling: one header per way of filling.
#include <cstdint>

#include "cpu/postfilter/fill_job.hpp"
#include "cpu/postfilter/stages.hpp"

#define VERGENCE_SIMD_FILE "cpu/postfilter/fill.cpp"
#include "cpu/foreach_target.hpp"
// foreach_target.h comes first.
#include <hwy/highway.h>
#include "cpu/dispatch.hpp"
#include "cpu/postfilter/fill_background-inl.h"
#include "cpu/postfilter/fill_mean-inl.h"
#include "cpu/postfilter/fill_nearest-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

template <class T>
void FillHoles(const FillJob<T>& job) {
  switch (job.plan.options.fill) {
    case StereoFill::background:
      return FillBackground(job);
    case StereoFill::nearest:
      return FillNearest(job);
    case StereoFill::mean:
    case StereoFill::mean_all:
      return FillMean(job);
    case StereoFill::none:
      for (int y = 0; y < job.height(); ++y) job.copy_row(y);
  }
}

void Fill16(const FillJob<std::int16_t>& job) { FillHoles(job); }
void Fill32(const FillJob<std::int32_t>& job) { FillHoles(job); }

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(Fill16);
VERGENCE_SIMD_EXPORT(Fill32);

void FillScratch::reserve(const StereoPlan& plan, int threads) {
  const int width = plan.size.width;
  std::size_t bytes = ScratchArrays::bytes<std::uint64_t>(bit_words(width));
  switch (plan.options.fill) {
    case StereoFill::none:
      return;
    case StereoFill::background:
      grow(rows, plan.size.height, 1);
      break;
    case StereoFill::nearest:
      grow(above, width, nearest_blocks(plan.size.height));
      grow(below, width, nearest_blocks(plan.size.height));
      bytes +=
          ScratchArrays::bytes<NearestSite>(width) + (1 + nearest_block) * ScratchArrays::bytes<std::int32_t>(width);
      break;
    case StereoFill::mean:
    case StereoFill::mean_all:
      // With the widest sums.
      bytes += 2 * ScratchArrays::bytes<std::int64_t>(width) +
               2 * ScratchArrays::bytes<std::int64_t>(totals_length(width, plan.options.fill_window / 2));
      break;
  }
  grow(work, static_cast<int>(bytes), threads);
}

std::size_t FillScratch::bytes() const {
  return image_bytes(work) + image_bytes(rows) + image_bytes(above) + image_bytes(below);
}

template <class T>
void fill(const StereoPlan& plan, Context& context, FillScratch& scratch, ImageView<const T> in, ImageView<T> out) {
  scratch.reserve(plan, context.threads.count());
  const FillJob<T> job{plan, context.threads, scratch, in, out};
  if constexpr (sizeof(T) == 2)
    VERGENCE_DISPATCH(Fill16, context.target)(job);
  else
    VERGENCE_DISPATCH(Fill32, context.target)(job);
}

template void fill(const StereoPlan&, Context&, FillScratch&, ImageView<const std::int16_t>, ImageView<std::int16_t>);
template void fill(const StereoPlan&, Context&, FillScratch&, ImageView<const std::int32_t>, ImageView<std::int32_t>);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

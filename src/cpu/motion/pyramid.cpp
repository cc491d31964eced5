// SPDX-License-Identifier: Apache-2.0
// Halves frames.
#include "cpu/motion/pyramid.hpp"

#include <algorithm>

#define VERGENCE_SIMD_FILE "cpu/motion/pyramid.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "definitions/motion/tz.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `count` pixels, each from two pixels of both rows; whole vectors alone, returns how many it did.
template <class P, class Wide>
HWY_INLINE int HalfRow(const P* above, const P* below, int count, P* out) {
  const hn::ScalableTag<Wide> wide;
  const hn::Repartition<P, decltype(wide)> narrow;
  const hn::Rebind<P, decltype(wide)> half;
  constexpr int bits = 8 * sizeof(P);
  const int lanes = static_cast<int>(hn::Lanes(wide));
  const auto low_bits = hn::Set(wide, static_cast<Wide>((Wide{1} << bits) - 1));
  const auto pair_sum = [&](const P* p) {
    const auto pair = hn::BitCast(wide, hn::LoadU(narrow, p));
    return hn::Add(hn::And(pair, low_bits), hn::ShiftRight<bits>(pair));
  };
  const hn::RebindToSigned<decltype(wide)> wide_signed;
  int x = 0;
  for (; x + lanes <= count; x += lanes) {
    const auto sum = hn::Add(hn::Add(pair_sum(above + 2 * x), pair_sum(below + 2 * x)), hn::Set(wide, Wide{2}));
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(wide_signed, hn::ShiftRight<2>(sum))), half, out + x);
  }
  return x;
}

int HalfBytes(const uint8_t* above, const uint8_t* below, int count, uint8_t* out) {
  return HalfRow<uint8_t, uint16_t>(above, below, count, out);
}
int HalfWords(const uint16_t* above, const uint16_t* below, int count, uint16_t* out) {
  return HalfRow<uint16_t, uint32_t>(above, below, count, out);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(HalfBytes);
VERGENCE_SIMD_EXPORT(HalfWords);

namespace {

int half_row(const Context& context, const std::uint8_t* above, const std::uint8_t* below, int count,
             std::uint8_t* out) {
  return VERGENCE_DISPATCH(HalfBytes, context.target)(above, below, count, out);
}
int half_row(const Context& context, const std::uint16_t* above, const std::uint16_t* below, int count,
             std::uint16_t* out) {
  return VERGENCE_DISPATCH(HalfWords, context.target)(above, below, count, out);
}

}  // namespace

template <class P>
void half_rows(const Context& context, ImageView<const P> picture, int first, int last, ImageView<P> half) {
  for (int y = first; y < last; ++y) {
    const P* const above = picture.row(2 * y);
    const P* const below = picture.row(std::min(2 * y + 1, picture.height() - 1));
    P* const out = half.row(y);
    for (int x = half_row(context, above, below, picture.width() / 2, out); x < half.width(); ++x) {
      const int right = std::min(2 * x + 1, picture.width() - 1);
      out[x] = static_cast<P>(definitions::half_pixel(above[2 * x], above[right], below[2 * x], below[right]));
    }
  }
}

template <class P>
void reserve_levels(const MotionPlan& plan, MotionScratch<P>& scratch) {
  const MotionOptions& o = plan.options;
  scratch.levels.resize(static_cast<std::size_t>(o.levels));
  Size size = plan.size;
  for (int level = 1; level <= o.levels; ++level) {
    MotionLevel<P>& one = scratch.levels[static_cast<std::size_t>(level - 1)];
    size = {definitions::half_side(size.width), definitions::half_side(size.height)};
    one.current = Image<P>(size);
    one.reference = Image<P>(size);
    const auto coarse = [&](MotionRange range) -> MotionRange {
      return {definitions::coarse_range(range.first, level), definitions::coarse_range(range.last, level)};
    };
    const MotionRange x = coarse(o.range_x), y = coarse(o.range_y);
    const bool pad = o.border == MotionBorder::pad;
    one.plane.reserve(size, pad ? std::max(-x.first, x.last) : 0, pad ? std::max(-y.first, y.last) : 0);
    one.frame = {one.current, &one.plane, scratch.frame.costs, o.border, x, y, 0};
    if (o.search != MotionSearch::tz) continue;
    one.cell = {definitions::tz_cell(o.block.width, level), definitions::tz_cell(o.block.height, level)};
    one.grid = {definitions::block_count(size.width, one.cell.width),
                definitions::block_count(size.height, one.cell.height)};
    one.found.resize(static_cast<std::size_t>(one.grid.width) * static_cast<std::size_t>(one.grid.height));
  }
}

template <class P>
void fill_levels(Context& context, MotionScratch<P>& scratch, const MotionPictures<P>& pictures) {
  constexpr int worth_a_thread = 32;  // rows
  ImageView<const P> current = pictures.current, reference = pictures.reference;
  for (MotionLevel<P>& level : scratch.levels) {
    context.threads.rows(level.current.height(), worth_a_thread, [&](int first, int last, int) {
      half_rows<P>(context, current, first, last, level.current);
      half_rows<P>(context, reference, first, last, level.reference);
    });
    level.plane.fill(context.threads, level.reference, level.plane.margin_y());
    current = level.current;
    reference = level.reference;
  }
}

template void reserve_levels(const MotionPlan&, MotionScratch<std::uint8_t>&);
template void reserve_levels(const MotionPlan&, MotionScratch<std::uint16_t>&);
template void fill_levels(Context&, MotionScratch<std::uint8_t>&, const MotionPictures<std::uint8_t>&);
template void fill_levels(Context&, MotionScratch<std::uint16_t>&, const MotionPictures<std::uint16_t>&);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

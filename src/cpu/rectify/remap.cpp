// SPDX-License-Identifier: Apache-2.0
// Samples a picture where a map says, with products of 16 bits. Neighbours in the rectified picture nearly always come
// from neighbours in the source: of those (blocks.hpp) three rows of 16 bytes are loaded, and their bytes permuted.
// Others take two gathers for each vector of pixels, of the pairs above and below.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cpu/rectify/row.hpp"
#include "cpu/rectify/stages.hpp"
#include "definitions/rectify/bilinear.h"

#define VERGENCE_SIMD_FILE "cpu/rectify/remap.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/rectify/blocks-inl.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::int32_t>;
using Halves = hn::Repartition<std::int16_t, Words>;
using WordVector = hn::Vec<Words>;
using HalfVector = hn::Vec<Halves>;

/// start + the products of halves, added in pairs.
HWY_INLINE WordVector AddPairs(HalfVector a, HalfVector b, WordVector start) {
  const Words d;
  auto high = hn::Zero(d);
  const auto low = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), high);
  return hn::Add(hn::RearrangeToOddPlusEven(low, high), start);
}

/// The weights of the pairs above and below, each pair in one word.
struct RemapWeights {
  HalfVector above, below;
};
/// Fractions 0 .. 1024. Products of 10 bits are rounded to 14 bits by one multiplication of fixed-point numbers of 15
/// bits; factors are negative, because 1024 becomes -32768, and +32768 is none.
HWY_INLINE RemapWeights WeightsOf(WordVector x, WordVector y) {
  const Words d;
  const Halves dh;
  // (-16 (1024 - x), -16 x) and (-32 (1024 - y)) twice, (-32 y) twice
  const auto left = hn::And(hn::Sub(hn::ShiftLeft<4>(x), hn::Set(d, 16 * 1024)), hn::Set(d, 0xFFFF));
  const auto across = hn::BitCast(dh, hn::Sub(left, hn::ShiftLeft<20>(x)));
  const auto lower = hn::And(hn::ShiftLeft<5>(hn::Neg(y)), hn::Set(d, 0xFFFF));
  const auto both_lower = hn::BitCast(dh, hn::Or(lower, hn::ShiftLeft<16>(lower)));
  const auto both_upper = hn::Sub(hn::Set(dh, std::int16_t{-32768}), both_lower);
  const auto above = hn::MulFixedPoint15(across, both_upper);
  const auto below = hn::BitCast(d, hn::MulFixedPoint15(across, both_lower));
  // The last weight is what the others leave.
  const auto first = hn::And(below, hn::Set(d, 0xFFFF));
  const auto sum = AddPairs(above, hn::Set(dh, std::int16_t{1}), first);
  const auto last = hn::ShiftLeft<16>(hn::Sub(hn::Set(d, 16384), sum));
  return {above, hn::BitCast(dh, hn::Or(first, last))};
}

/// Pairs of neighbours as halves of 16 bits. Nothing outside the rows above and below, and what lies between them, is
/// read: of four bytes, the first two are meant above, the last two below.
HWY_INLINE HalfVector PairAbove(const std::uint8_t* data, WordVector offset, std::uint8_t /*pixel*/) {
  const Words d;
  const auto bytes = hn::GatherOffset(d, reinterpret_cast<const std::int32_t*>(data), offset);
  const auto right = hn::And(hn::ShiftLeft<8>(bytes), hn::Set(d, 0xFF0000));
  return hn::BitCast(Halves(), hn::Or(hn::And(bytes, hn::Set(d, 0xFF)), right));
}
HWY_INLINE HalfVector PairBelow(const std::uint8_t* data, WordVector offset, std::uint8_t /*pixel*/) {
  const Words d;
  const hn::RebindToUnsigned<Words> du;
  const auto bytes = hn::BitCast(du, hn::GatherOffset(d, reinterpret_cast<const std::int32_t*>(data - 2), offset));
  const auto pair = hn::ShiftRight<8>(bytes);  // (left, right, 0) from the second byte on
  const auto left = hn::And(hn::ShiftRight<8>(pair), hn::Set(du, 0xFF));
  return hn::BitCast(Halves(), hn::Or(left, hn::And(pair, hn::Set(du, 0xFF0000))));
}
/// Pixels of 16 bits, less 32768, so that they are signed.
HWY_INLINE HalfVector PairAbove(const std::uint8_t* data, WordVector offset, std::uint16_t /*pixel*/) {
  const Words d;
  const auto pair = hn::GatherOffset(d, reinterpret_cast<const std::int32_t*>(data), offset);
  return hn::Xor(hn::BitCast(Halves(), pair), hn::Set(Halves(), std::int16_t{-32768}));
}
HWY_INLINE HalfVector PairBelow(const std::uint8_t* data, WordVector offset, std::uint16_t pixel) {
  return PairAbove(data, offset, pixel);
}

/// The values of a vector of pixels.
template <class P>
HWY_INLINE WordVector RemapVector(const RemapSource& source, WordVector stored_x, WordVector y) {
  const Words d;
  const auto x = hn::Xor(stored_x, hn::BroadcastSignBit(stored_x));
  // In the last column and row the pair before is taken, with the fraction 1.
  const auto column = hn::Min(hn::ShiftRight<10>(x), hn::Set(d, source.last_column - 1));
  const auto row = hn::Min(hn::ShiftRight<10>(y), hn::Set(d, source.last_row - 1));
  const RemapWeights weights = WeightsOf(hn::Sub(x, hn::ShiftLeft<10>(column)), hn::Sub(y, hn::ShiftLeft<10>(row)));
  const auto start = hn::Mul(row, hn::Set(d, source.stride));
  const auto offset = hn::Add(start, sizeof(P) == 1 ? column : hn::Add(column, column));
  constexpr int rounding = 8192 + (sizeof(P) == 1 ? 0 : 32768 * 16384);
  const auto above = AddPairs(PairAbove(source.data, offset, P{}), weights.above, hn::Set(d, rounding));
  const auto sum = AddPairs(PairBelow(source.data + source.stride, offset, P{}), weights.below, above);
  const auto value = hn::ShiftRight<14>(sum);
  // Bytes leave no range: the error of weights is below half a step.
  return sizeof(P) == 1 ? value : hn::Min(value, hn::Set(d, source.largest));
}

/// A run without blocks.
template <class P>
HWY_NOINLINE void RemapScattered(const RemapSource& source, const RemapRow& row, int start, P* HWY_RESTRICT out) {
  const Words d;
  const hn::Rebind<P, Words> dp;
  for (int i = 0; i < remap_run; i += static_cast<int>(hn::Lanes(d))) {
    const auto value = RemapVector<P>(source, hn::LoadU(d, row.x + start + i), hn::LoadU(d, row.y + start + i));
    hn::StoreU(hn::DemoteTo(dp, value), dp, out + i);
  }
}

/// Pixels of a row, but for those of its last run where this has no blocks and reaches beyond the row; returns how many
/// are done.
template <class P>
HWY_INLINE int RemapPixels(const RemapSource& source, const RemapRow& row, int width, P* HWY_RESTRICT out) {
  const BlockSampler<P> sampler(source);
  const std::int16_t *const left = row.left, *const upper = row.upper;
  const std::uint32_t* const places = row.places;
  const int whole = width - width % remap_run;
  const auto scattered = [&](int start) { return places[start / remap_block<P>] == RemapBlocks::scattered; };
  int start = 0;
  while (start < whole) {
    for (; start < whole && !scattered(start); start += remap_run)
      sampler.Run(left + start, upper + start, places + start / remap_block<P>, out + start);
    for (; start < whole && scattered(start); start += remap_run) RemapScattered(source, row, start, out + start);
  }
  if (start == width || scattered(start)) return start;
  P run[remap_run];
  sampler.Run(left + start, upper + start, places + start / remap_block<P>, run);
  std::memcpy(out + start, run, sizeof(P) * static_cast<std::size_t>(width - start));
  return width;
}
int RemapBytes(const RemapSource& source, const RemapRow& row, int width, std::uint8_t* out) {
  return RemapPixels(source, row, width, out);
}
int RemapWords(const RemapSource& source, const RemapRow& row, int width, std::uint16_t* out) {
  return RemapPixels(source, row, width, out);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(RemapBytes);
VERGENCE_SIMD_EXPORT(RemapWords);

namespace {

constexpr int remap_rows_worth_a_thread = 16;

auto remap_row_of(const Context& context, std::uint8_t /*pixel*/) {
  return &VERGENCE_DISPATCH(RemapBytes, context.target);
}
auto remap_row_of(const Context& context, std::uint16_t /*pixel*/) {
  return &VERGENCE_DISPATCH(RemapWords, context.target);
}

/// One pixel: where a picture is too small or too large for vectors, and at the end of rows.
template <class P>
P remap_pixel(ImageView<const P> in, std::int32_t stored_x, std::int32_t y, int largest) {
  const std::int32_t x = definitions::source_place(stored_x);
  const int u = x / 1024, v = y / 1024;
  const int right = std::min(u + 1, in.width() - 1), below = std::min(v + 1, in.height() - 1);
  return static_cast<P>(
      definitions::bilinear(in(u, v), in(right, v), in(u, below), in(right, below), x % 1024, y % 1024, largest));
}

}  // namespace

template <class P>
void remap(Context& context, const rectify::SourceMap& map, const RemapBlocks& blocks, ImageView<const P> in,
           ImageView<P> out, int largest) {
  const int width = out.width();
  const bool has_vectors =
      in.width() >= 2 && in.height() >= 2 && in.stride() <= std::numeric_limits<std::int32_t>::max() / in.height();
  const RemapSource source{reinterpret_cast<const std::uint8_t*>(in.data()),
                           has_vectors ? static_cast<int>(in.stride()) : 0, in.width() - 1, in.height() - 1, largest};
  const auto row_of = remap_row_of(context, P{});
  context.threads.rows(out.height(), remap_rows_worth_a_thread, [&](int first, int last, int) {
    for (int v = first; v < last; ++v) {
      const RemapRow row{map.x.row(v), map.y.row(v), blocks.left.row(v), blocks.upper.row(v), blocks.places.row(v)};
      int u = has_vectors ? row_of(source, row, width, out.row(v)) : 0;
      for (; u < width; ++u) out(u, v) = remap_pixel(in, row.x[u], row.y[u], largest);
    }
  });
}
template void remap(Context&, const rectify::SourceMap&, const RemapBlocks&, ImageView<const std::uint8_t>,
                    ImageView<std::uint8_t>, int);
template void remap(Context&, const rectify::SourceMap&, const RemapBlocks&, ImageView<const std::uint16_t>,
                    ImageView<std::uint16_t>, int);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

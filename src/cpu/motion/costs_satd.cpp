// SPDX-License-Identifier: Apache-2.0
// SATD: Hadamard transforms of tiles by butterflies, vectors of four 32-bit differences.
#define VERGENCE_SIMD_FILE "cpu/motion/costs_satd.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/motion/costs.hpp"
#include "definitions/motion/satd.h"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DTile = hn::FixedTag<int32_t, 4>;
using VTile = hn::VFromD<DTile>;

template <class P>
HWY_INLINE VTile Differences(const P* ours, const P* theirs) {
  const DTile d;
  const hn::Rebind<P, DTile> pixels;
  return hn::Sub(hn::PromoteTo(d, hn::LoadU(pixels, ours)), hn::PromoteTo(d, hn::LoadU(pixels, theirs)));
}

/// One-dimensional transforms across rows, each lane by itself.
template <size_t kSide>
HWY_INLINE void Butterflies(VTile (&rows)[kSide]) {
  for (size_t half = 1; half < kSide; half *= 2)
    for (size_t i = 0; i < kSide; ++i) {
      if ((i & half) != 0) continue;
      const VTile sum = hn::Add(rows[i], rows[i + half]);
      rows[i + half] = hn::Sub(rows[i], rows[i + half]);
      rows[i] = sum;
    }
}

HWY_INLINE void Transpose(VTile& a, VTile& b, VTile& c, VTile& d) {
  const DTile tag;
  const hn::Repartition<int64_t, DTile> wide;
  const auto ab = hn::BitCast(wide, hn::InterleaveLower(tag, a, b));
  const auto cd = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
  const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b));
  const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
  a = hn::BitCast(tag, hn::InterleaveLower(wide, ab, cd));
  b = hn::BitCast(tag, hn::InterleaveUpper(wide, ab, cd));
  c = hn::BitCast(tag, hn::InterleaveLower(wide, ab_high, cd_high));
  d = hn::BitCast(tag, hn::InterleaveUpper(wide, ab_high, cd_high));
}

template <size_t kSide>
HWY_INLINE VTile SumOfAbs(const VTile (&rows)[kSide]) {
  VTile sum = hn::Zero(DTile());
  for (const VTile& row : rows) sum = hn::Add(sum, hn::Abs(row));
  return sum;
}

HWY_INLINE uint64_t Total(VTile sum) { return static_cast<uint64_t>(hn::GetLane(hn::SumOfLanes(DTile(), sum))); }

template <class P>
HWY_INLINE uint64_t Tile4(const P* ours, const P* theirs, std::ptrdiff_t stride) {
  VTile rows[4];
  for (int y = 0; y < 4; ++y) rows[y] = Differences(ours + y * PackedBlock<P>::stride, theirs + y * stride);
  Butterflies(rows);
  Transpose(rows[0], rows[1], rows[2], rows[3]);
  Butterflies(rows);
  return definitions::satd_of_tile(Total(SumOfAbs(rows)), 4);
}

template <class P>
HWY_INLINE uint64_t Tile8(const P* ours, const P* theirs, std::ptrdiff_t stride) {
  VTile left[8], right[8];
  for (int y = 0; y < 8; ++y) {
    left[y] = Differences(ours + y * PackedBlock<P>::stride, theirs + y * stride);
    right[y] = Differences(ours + y * PackedBlock<P>::stride + 4, theirs + y * stride + 4);
  }
  Butterflies(left);
  Butterflies(right);
  for (int y = 0; y < 8; y += 4) {
    Transpose(left[y], left[y + 1], left[y + 2], left[y + 3]);
    Transpose(right[y], right[y + 1], right[y + 2], right[y + 3]);
  }
  // Columns of the upper half, then of the lower one: coefficients do not care which row is which.
  VTile upper[8], lower[8];
  for (int i = 0; i < 4; ++i) {
    upper[i] = left[i];
    upper[i + 4] = right[i];
    lower[i] = left[i + 4];
    lower[i + 4] = right[i + 4];
  }
  Butterflies(upper);
  Butterflies(lower);
  return definitions::satd_of_tile(Total(hn::Add(SumOfAbs(upper), SumOfAbs(lower))), 8);
}

template <class P>
HWY_INLINE uint64_t SatdOne(const PackedBlock<P>& block, const P* there, std::ptrdiff_t stride) {
  const int width = block.width, height = block.height;
  const auto ours = [&](int x, int y) { return block.pixels.data() + y * PackedBlock<P>::stride + x; };
  const auto theirs = [&](int x, int y) { return there + y * stride + x; };
  uint64_t sum = 0;
  for (int y = 0; y + 8 <= height; y += 8)
    for (int x = 0; x + 8 <= width; x += 8) sum += Tile8(ours(x, y), theirs(x, y), stride);
  const bool whole = width % 8 == 0 && height % 8 == 0;
  if (whole) return sum;
  for (int y = 0; y + 4 <= height; y += 4)
    for (int x = 0; x + 4 <= width; x += 4)
      if (definitions::satd_tile(x, y, width, height) == 4) sum += Tile4(ours(x, y), theirs(x, y), stride);
  for (int y = 0; y < height; ++y)
    for (int x = y < height / 4 * 4 ? width / 4 * 4 : 0; x < width; ++x) {
      const int difference = int{*ours(x, y)} - int{*theirs(x, y)};
      sum += static_cast<uint64_t>(difference < 0 ? -difference : difference);
    }
  return sum;
}

template <class P>
HWY_INLINE void SatdGrid(const PackedBlock<P>& block, const P* there, std::ptrdiff_t stride, const CostGrid& grid) {
  for (int y = 0; y < grid.rows; ++y)
    for (int x = 0; x < grid.columns; ++x)
      grid.costs[y * grid.row + x] = static_cast<uint32_t>(SatdOne(block, there + y * stride + x, stride));
}

uint64_t SatdOneBytes(const PackedBlock<uint8_t>& block, const uint8_t* there, std::ptrdiff_t stride) {
  return SatdOne(block, there, stride);
}
void SatdGridBytes(const PackedBlock<uint8_t>& block, const uint8_t* there, std::ptrdiff_t stride,
                   const CostGrid& grid) {
  SatdGrid(block, there, stride, grid);
}
uint64_t SatdOneWords(const PackedBlock<uint16_t>& block, const uint16_t* there, std::ptrdiff_t stride) {
  return SatdOne(block, there, stride);
}
void SatdGridWords(const PackedBlock<uint16_t>& block, const uint16_t* there, std::ptrdiff_t stride,
                   const CostGrid& grid) {
  SatdGrid(block, there, stride, grid);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(SatdOneBytes);
VERGENCE_SIMD_EXPORT(SatdGridBytes);
VERGENCE_SIMD_EXPORT(SatdOneWords);
VERGENCE_SIMD_EXPORT(SatdGridWords);

template <>
CostFunctions<std::uint8_t> satd_functions(std::int64_t target) {
  return {HWY_DISPATCH_TABLE(SatdOneBytes)[dispatch_index(target)],
          HWY_DISPATCH_TABLE(SatdGridBytes)[dispatch_index(target)]};
}
template <>
CostFunctions<std::uint16_t> satd_functions(std::int64_t target) {
  return {HWY_DISPATCH_TABLE(SatdOneWords)[dispatch_index(target)],
          HWY_DISPATCH_TABLE(SatdGridWords)[dispatch_index(target)]};
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

// SPDX-License-Identifier: Apache-2.0
// Makes the sums of a frame's tiles, and their ranges.
#include "cpu/motion/tile_sums.hpp"

#include <algorithm>

#define VERGENCE_SIMD_FILE "cpu/motion/tile_sums.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DSum = hn::CappedTag<uint16_t, 32>;
using DPixel = hn::Rebind<uint8_t, DSum>;
using DFour = hn::Repartition<uint64_t, DSum>;

/// Sums of 4x4 pixels: a row of squares, `count` places wide. Reads and writes whole vectors.
void SumPixels(const uint8_t* from, std::ptrdiff_t stride, int count, uint16_t* out) {
  const DSum d;
  const DFour d64;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < count; x += lanes) {
    hn::Vec<DSum> sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (int i = 0; i < 4; ++i) {
      const uint8_t* const p = from + x + i;
      const auto load = [&](int y) { return hn::PromoteTo(d, hn::LoadU(DPixel(), p + y * stride)); };
      const auto third = load(3), middle = hn::Add(hn::Add(load(1), load(2)), third);
      const auto fourth = load(4), fifth = load(5), lower = hn::Add(hn::Add(third, fourth), fifth);
      sums[0] = hn::Add(sums[0], hn::Add(middle, load(0)));
      sums[1] = hn::Add(sums[1], hn::Add(middle, fourth));
      sums[2] = hn::Add(sums[2], hn::Add(lower, load(2)));
      sums[3] = hn::Add(sums[3], hn::Add(lower, load(6)));
    }
    hn::StoreInterleaved4(hn::BitCast(d64, sums[0]), hn::BitCast(d64, sums[1]), hn::BitCast(d64, sums[2]),
                          hn::BitCast(d64, sums[3]), d64, reinterpret_cast<uint64_t*>(out + 4 * x));
  }
}

/// Sums of tiles twice as wide and high as those given.
void SumTiles(const uint16_t* from, std::ptrdiff_t pitch, int side, int count, uint16_t* out) {
  const DSum d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const uint16_t* const beside = from + 4 * side;
  const uint16_t* const below = from + side / 4 * pitch;
  for (int i = 0; i < 4 * count; i += lanes)
    hn::StoreU(hn::Add(hn::Add(hn::LoadU(d, from + i), hn::LoadU(d, beside + i)),
                       hn::Add(hn::LoadU(d, below + i), hn::LoadU(d, below + 4 * side + i))),
               d, out + i);
}

/// The least or the largest of every 128 bits, in their first number.
template <class V, class F>
HWY_INLINE V AcrossGroup(V rows, F&& choose) {
  const DFour d64;
  auto v = hn::BitCast(d64, rows);
  const auto fold = [&](auto moved) {
    v = hn::BitCast(d64, choose(hn::BitCast(DSum(), v), hn::BitCast(DSum(), moved)));
  };
  fold(hn::ShiftRight<16>(v));
  fold(hn::ShiftRight<32>(v));
  fold(hn::Shuffle01(v));
  return hn::BitCast(DSum(), v);
}

/// Ranges of a row of groups that is `count` places wide.
void FindRanges(const uint16_t* from, int count, uint16_t* least, uint16_t* most) {
  const DSum d;
  const DFour d64;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN uint16_t low[hn::MaxLanes(DSum())], high[hn::MaxLanes(DSum())];
  for (int x = 0; x < count; x += lanes) {
    hn::Vec<DFour> r0, r1, r2, r3;
    hn::LoadInterleaved4(d64, reinterpret_cast<const uint64_t*>(from + 4 * x), r0, r1, r2, r3);
    const auto over_rows = [&](auto choose) {
      return choose(choose(hn::BitCast(d, r0), hn::BitCast(d, r1)), choose(hn::BitCast(d, r2), hn::BitCast(d, r3)));
    };
    const auto smaller = [](auto a, auto b) { return hn::Min(a, b); };
    const auto larger = [](auto a, auto b) { return hn::Max(a, b); };
    hn::Store(AcrossGroup(over_rows(smaller), smaller), d, low);
    hn::Store(AcrossGroup(over_rows(larger), larger), d, high);
    for (int i = 0; i < lanes; i += 8) {
      least[(x + i) / 8] = low[i];
      most[(x + i) / 8] = high[i];
    }
  }
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {
namespace {

/// Vectors may go so many places past the last group, and tiles of 4 px begin in the middle of one.
constexpr int slack = 64;

int rounded_up(int value, int to) { return (value + to - 1) / to * to; }

}  // namespace

VERGENCE_SIMD_EXPORT(SumPixels);
VERGENCE_SIMD_EXPORT(SumTiles);
VERGENCE_SIMD_EXPORT(FindRanges);

void TileSums::reserve(int side, Size size, int around_x, int around_y) {
  first_x_ = PlaceGroup::first_column(-around_x);
  first_y_ = PlaceGroup::first_row(-around_y);
  const int columns = size.width + around_x - side + 1 - first_x_;
  const int rows = size.height + around_y - side + 1 - first_y_;
  if (columns <= 0 || rows <= 0) return;
  columns_ = rounded_up(columns, PlaceGroup::width);
  rows_ = rounded_up(rows, PlaceGroup::height) / PlaceGroup::height;
  const int widest = size.width + around_x - first_x_;  // the same for all sides, so that a place has one offset
  pitch_ = 4 * std::ptrdiff_t{rounded_up(widest + slack, 16)};
  sums_ = Image<std::uint16_t>(static_cast<int>(pitch_), rows_, 0);
}

void SumRanges::reserve(const TileSums& sums) {
  first_x_ = sums.first_x();
  first_y_ = sums.first_y();
  pitch_ = sums.columns() / PlaceGroup::width + slack;
  most_ = pitch_ * sums.rows();
  ranges_.resize(static_cast<std::size_t>(2 * most_));
}

TileLevels TileLevels::of(Size block) {
  const int smaller = std::min(block.width, block.height);
  if (smaller >= 32) return {{16, 8, 4}};
  if (smaller >= 8) return {{8, 4, 0}};
  return {};
}

void EliminationFrame::reserve(const TileLevels& levels, Size size, int around_x, int around_y) {
  if (!levels.any()) return;
  for (int side = 4; side <= levels.sides[0]; side *= 2) sums_[index(side)].reserve(side, size, around_x, around_y);
  ranges_.reserve(of(levels.sides[0]));
}

void EliminationFrame::fill(Context& context, const TileLevels& levels, const Plane<std::uint8_t>& plane) {
  constexpr int worth_a_thread = 16;  // rows of squares
  for (int side = 4; side <= levels.sides[0]; side *= 2) {
    TileSums& sums = sums_[index(side)];
    context.threads.rows(sums.rows(), worth_a_thread, [&](int first, int last, int) {
      for (int row = first; row < last; ++row) {
        const int x = sums.first_x(), y = sums.first_y() + 4 * row;
        if (side == 4) {
          VERGENCE_DISPATCH(SumPixels, context.target)
          (plane.at(x, y), plane.stride(), sums.columns(), sums.at(x, y));
        } else {
          const TileSums& smaller = sums_[index(side / 2)];
          VERGENCE_DISPATCH(SumTiles, context.target)
          (smaller.at(x, y), smaller.pitch(), side / 2, sums.columns(), sums.at(x, y));
        }
        if (side == levels.sides[0]) VERGENCE_DISPATCH(FindRanges, context.target)
        (sums.at(x, y), sums.columns(), ranges_.at(x, y), ranges_.at(x, y) + ranges_.most());
      }
    });
  }
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

// SPDX-License-Identifier: Apache-2.0
// Sums of tiles and their bounds, many candidates at once.
#include "cpu/motion/elimination.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/motion/elimination.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"
#include "cpu/motion/scan.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DSum = hn::ScalableTag<uint16_t>;
using DPixel = hn::Rebind<uint8_t, DSum>;

/// Sums of 4x4 pixels: `count` places of a row. Reads and writes whole vectors.
void SumPixels(const uint8_t* from, std::ptrdiff_t stride, int count, uint16_t* out) {
  const DSum d;
  const DPixel pixels;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto column = [&](const uint8_t* p) {
    const auto load = [&](int y) { return hn::PromoteTo(d, hn::LoadU(pixels, p + y * stride)); };
    return hn::Add(hn::Add(load(0), load(1)), hn::Add(load(2), load(3)));
  };
  for (int x = 0; x < count; x += lanes) {
    const uint8_t* const p = from + x;
    hn::StoreU(hn::Add(hn::Add(column(p), column(p + 1)), hn::Add(column(p + 2), column(p + 3))), d, out + x);
  }
}

/// Sums of tiles twice as wide and high as those given.
void SumTiles(const uint16_t* from, std::ptrdiff_t stride, int side, int count, uint16_t* out) {
  const DSum d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const uint16_t* const below = from + side * stride;
  for (int x = 0; x < count; x += lanes)
    hn::StoreU(hn::Add(hn::Add(hn::LoadU(d, from + x), hn::LoadU(d, from + x + side)),
                       hn::Add(hn::LoadU(d, below + x), hn::LoadU(d, below + x + side))),
               d, out + x);
}

/// Tiles first .. last - 1 of a level, added to the bound.
HWY_INLINE hn::Vec<DSum> AddBounds(const BoundLevel& level, const uint16_t* sums, int first, int last,
                                   hn::Vec<DSum> bound) {
  const DSum d;
  const hn::Repartition<uint32_t, DSum> d32;
  auto other = hn::Zero(d);
  const auto distance = [&](int i) {
    const auto own = hn::BitCast(d, hn::Set(d32, level.own[static_cast<size_t>(i)]));
    const auto theirs = hn::LoadU(d, sums + level.offset[static_cast<size_t>(i)]);
    return hn::Sub(hn::Max(own, theirs), hn::Min(own, theirs));
  };
  int i = first;
  for (; i + 2 <= last; i += 2) {
    bound = hn::SaturatedAdd(bound, distance(i));
    other = hn::SaturatedAdd(other, distance(i + 1));
  }
  if (i < last) bound = hn::SaturatedAdd(bound, distance(i));
  return hn::SaturatedAdd(bound, other);
}

/// Appends the lanes of a mask that are columns before `count`.
template <class M>
HWY_INLINE int Append(M low, hn::Vec<DSum> bound, int x, int count, Survivor* left) {
  const DSum d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN uint16_t bounds[hn::MaxLanes(DSum())];
  hn::Store(bound, d, bounds);
  uint8_t bits[8] = {};
  hn::StoreMaskBits(d, low, bits);
  uint64_t mask = 0;
  std::memcpy(&mask, bits, sizeof(mask));
  if (count - x < lanes) mask &= (uint64_t{1} << (count - x)) - 1;
  int found = 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    left[found++] = {static_cast<uint16_t>(x + lane), bounds[lane]};
  }
  return found;
}

/// kCoarse tiles of the coarse level, or any number where it is 0.
template <int kCoarse>
HWY_INLINE int Find(const BoundLevels& levels, const BoundRow& row, Survivor* left) {
  const DSum d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto limit = hn::Set(d, row.most);
  const auto is_low = [&](hn::Vec<DSum> bound) { return hn::Eq(hn::Min(bound, limit), bound); };  // bound <= limit
  const BoundLevel& coarse = levels.levels[0];
  const BoundLevel& fine = levels.levels[1];
  const BoundLevel& finest = levels.levels[2];
  const int half = fine.count / 2;
  const uint16_t* const coarse_sums = coarse.sums + row.dy * coarse.stride;
  const uint16_t* const fine_sums = fine.sums + row.dy * fine.stride;
  const uint16_t* const finest_sums = finest.sums + row.dy * finest.stride;
  int found = 0;
  for (int x = 0; x < row.count && found <= row.enough; x += lanes) {
    auto bound = AddBounds(coarse, coarse_sums + x, 0, kCoarse > 0 ? kCoarse : coarse.count, hn::Zero(d));
    auto low = is_low(bound);
    if (hn::AllFalse(d, low)) continue;
    if (fine.count > 0) {
      bound = AddBounds(fine, fine_sums + x, 0, half, hn::Zero(d));
      if (hn::AllFalse(d, hn::And(low, is_low(bound)))) continue;
      bound = AddBounds(fine, fine_sums + x, half, fine.count, bound);
      low = hn::And(low, is_low(bound));
      if (hn::AllFalse(d, low)) continue;
    }
    const int alive = static_cast<int>(hn::CountTrue(d, low));
    if (finest.count > 0 && alive >= levels.worth && alive < lanes) {
      bound = AddBounds(finest, finest_sums + x, 0, finest.count, hn::Zero(d));
      low = hn::And(low, is_low(bound));
    }
    found += Append(low, bound, x, row.count, left + found);
  }
  return found;
}

int FindSurvivors(const BoundLevels& levels, const BoundRow& row, Survivor* left) {
  switch (levels.levels[0].count) {
    case 1:
      return Find<1>(levels, row, left);
    case 2:
      return Find<2>(levels, row, left);
    case 4:
      return Find<4>(levels, row, left);
    default:
      return Find<0>(levels, row, left);
  }
}

uint32_t MinimumOfRow(const uint32_t* costs, int count) {
  const hn::ScalableTag<uint32_t> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  uint32_t smallest = costs[0];
  int x = 0;
  if (count >= lanes) {
    auto least = hn::LoadU(d, costs);
    for (x = lanes; x + lanes <= count; x += lanes) least = hn::Min(least, hn::LoadU(d, costs + x));
    smallest = hn::GetLane(hn::MinOfLanes(d, least));
  }
  for (; x < count; ++x) smallest = std::min(smallest, costs[x]);
  return smallest;
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(SumPixels);
HWY_EXPORT(SumTiles);
HWY_EXPORT(FindSurvivors);
HWY_EXPORT(MinimumOfRow);

RowMinimum row_minimum(std::int64_t target) { return HWY_DISPATCH_TABLE(MinimumOfRow)[dispatch_index(target)]; }
Survivors survivors(std::int64_t target) { return HWY_DISPATCH_TABLE(FindSurvivors)[dispatch_index(target)]; }

void TileSums::reserve(const Plane<std::uint8_t>& plane) {
  stride_ = plane.stride();
  margin_x_ = plane.margin_x();
  margin_y_ = plane.margin_y();
  sums_.resize(static_cast<std::size_t>(stride_ * (plane.size().height + 2 * margin_y_)) + Plane<std::uint8_t>::slack);
}

TileLevels TileLevels::of(Size block) {
  const int smaller = std::min(block.width, block.height);
  if (smaller >= 16) return {{16, 8, 4}};
  if (smaller >= 8) return {{8, 4, 0}};
  return {};
}

void EliminationFrame::reserve(const TileLevels& levels, const Plane<std::uint8_t>& plane) {
  if (!levels.any()) return;
  for (int side = 4; side <= levels.sides[0]; side *= 2) sums_[static_cast<std::size_t>(side / 8)].reserve(plane);
}

void EliminationFrame::fill(Context& context, const TileLevels& levels, const Plane<std::uint8_t>& plane, int around_x,
                            int around_y) {
  constexpr int worth_a_thread = 64;  // rows
  const Size size = plane.size();
  for (int side = 4; side <= levels.sides[0]; side *= 2) {
    TileSums& sums = sums_[static_cast<std::size_t>(side / 8)];
    const int count = size.width + 2 * around_x - side + 1;
    const int rows = size.height + 2 * around_y - side + 1;
    if (count <= 0) continue;
    context.threads.rows(rows, worth_a_thread, [&](int first, int last, int) {
      for (int y = first - around_y; y < last - around_y; ++y) {
        std::uint16_t* const out = sums.at(-around_x, y);
        if (side == 4) {
          VERGENCE_DISPATCH(SumPixels, context.target)(plane.at(-around_x, y), plane.stride(), count, out);
        } else {
          const TileSums& smaller = sums_[static_cast<std::size_t>(side / 16)];
          VERGENCE_DISPATCH(SumTiles, context.target)
          (smaller.at(-around_x, y), smaller.stride(), side / 2, count, out);
        }
      }
    });
  }
}

void begin_bounds(const Context& context, const TileLevels& levels, const EliminationFrame& frame,
                  const BlockWalk<std::uint8_t>& walk, BoundLevels& bounds) {
  const PackedBlock<std::uint8_t>& block = walk.pixels();
  // Sums of 4x4 pixels in their rows, every column: those of whole tiles are added up below.
  constexpr int stride = 2 * PackedBlock<std::uint8_t>::stride;
  std::array<std::uint16_t, 16 * stride> sums4;
  for (int y = 0; y + 4 <= block.height; y += 4) VERGENCE_DISPATCH(SumPixels, context.target)
  (block.pixels.data() + y * PackedBlock<std::uint8_t>::stride, PackedBlock<std::uint8_t>::stride, block.width,
   sums4.data() + y / 4 * stride);
  // In cycles: three operations for a tile, two at a time, and what one candidate's cost takes.
  bounds.worth = 2 * (block.width / 4) * (block.height / 4) / single_cost(block.width, block.height) + 1;
  for (std::size_t i = 0; i < bounds.levels.size(); ++i) {
    BoundLevel& level = bounds.levels[i];
    level.count = 0;
    const int side = levels.sides[i];
    if (side == 0) continue;
    const TileSums& sums = frame.of(side);
    level.sums = sums.at(walk.block().x + walk.x().first, walk.block().y);
    level.stride = sums.stride();
    for (int y = 0; y + side <= block.height; y += side)
      for (int x = 0; x + side <= block.width; x += side) {
        int sum = 0;
        for (int v = y; v < y + side; v += 4)
          for (int u = x; u < x + side; u += 4) sum += sums4[static_cast<std::size_t>(v / 4 * stride + u)];
        level.own[static_cast<std::size_t>(level.count)] = static_cast<std::uint32_t>(sum) * 0x10001u;
        level.offset[static_cast<std::size_t>(level.count)] = y * sums.stride() + x;
        ++level.count;
      }
  }
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

// SPDX-License-Identifier: Apache-2.0
// Sums of tiles and their bounds, many candidates at once.
#include "cpu/motion/elimination.hpp"

#include <algorithm>

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

HWY_INLINE hn::Vec<DSum> Bounds(const BoundLevel& level, const uint16_t* sums) {
  const DSum d;
  auto bound = hn::Zero(d), other = hn::Zero(d);
  const auto distance = [&](int i) {
    const auto own = hn::Set(d, level.own[static_cast<size_t>(i)]);
    const auto theirs = hn::LoadU(d, sums + level.offset[static_cast<size_t>(i)]);
    return hn::Sub(hn::Max(own, theirs), hn::Min(own, theirs));
  };
  int i = 0;
  for (; i + 2 <= level.count; i += 2) {
    bound = hn::SaturatedAdd(bound, distance(i));
    other = hn::SaturatedAdd(other, distance(i + 1));
  }
  if (i < level.count) bound = hn::SaturatedAdd(bound, distance(i));
  return hn::SaturatedAdd(bound, other);
}

int FindSurvivors(const std::array<BoundLevel, 2>& levels, int dy, int count, uint16_t most, Survivor* left) {
  const DSum d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto limit = hn::Set(d, most);
  HWY_ALIGN uint16_t bounds[hn::MaxLanes(DSum())];
  int found = 0;
  for (int x = 0; x < count; x += lanes) {
    const BoundLevel& coarse = levels[0];
    auto bound = Bounds(coarse, coarse.sums + dy * coarse.stride + x);
    // a <= b is min(a, b) == a.
    auto low = hn::Eq(hn::Min(bound, limit), bound);
    if (hn::AllFalse(d, low)) continue;
    const BoundLevel& fine = levels[1];
    if (fine.count > 0) {
      bound = hn::Max(bound, Bounds(fine, fine.sums + dy * fine.stride + x));
      low = hn::Eq(hn::Min(bound, limit), bound);
      if (hn::AllFalse(d, low)) continue;
    }
    hn::Store(bound, d, bounds);
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, low, bits);
    uint64_t mask = 0;
    for (int i = 0; i < 8; ++i) mask |= uint64_t{bits[i]} << (8 * i);
    if (count - x < lanes) mask &= (uint64_t{1} << (count - x)) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const int lane = __builtin_ctzll(mask);
      left[found++] = {static_cast<uint16_t>(x + lane), bounds[lane]};
    }
  }
  return found;
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
  if (smaller >= 16) return {{16, 8}};
  if (smaller >= 8) return {{8, 4}};
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
                  const BlockWalk<std::uint8_t>& walk, std::array<BoundLevel, 2>& bounds) {
  const PackedBlock<std::uint8_t>& block = walk.pixels();
  // Sums of 4x4 pixels in their rows, every column: those of whole tiles are added up below.
  constexpr int stride = 2 * PackedBlock<std::uint8_t>::stride;
  std::array<std::uint16_t, 16 * stride> sums4;
  for (int y = 0; y + 4 <= block.height; y += 4) VERGENCE_DISPATCH(SumPixels, context.target)
  (block.pixels.data() + y * PackedBlock<std::uint8_t>::stride, PackedBlock<std::uint8_t>::stride, block.width,
   sums4.data() + y / 4 * stride);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    BoundLevel& level = bounds[i];
    const int side = levels.sides[i];
    const TileSums& sums = frame.of(side);
    level.sums = sums.at(walk.block().x + walk.x().first, walk.block().y);
    level.stride = sums.stride();
    level.count = 0;
    for (int y = 0; y + side <= block.height; y += side)
      for (int x = 0; x + side <= block.width; x += side) {
        int sum = 0;
        for (int v = y; v < y + side; v += 4)
          for (int u = x; u < x + side; u += 4) sum += sums4[static_cast<std::size_t>(v / 4 * stride + u)];
        level.own[static_cast<std::size_t>(level.count)] = static_cast<std::uint16_t>(sum);
        level.offset[static_cast<std::size_t>(level.count)] = y * sums.stride() + x;
        ++level.count;
      }
  }
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

// SPDX-License-Identifier: Apache-2.0
// Sums of tiles and their bounds, many candidates at once.
#include "cpu/motion/elimination.hpp"

#include <algorithm>
#include <cstdlib>
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

/// A quarter of the sums of tiles twice as wide and high, which 16 bits hold for 32 px, each tile's rounded down.
void SumQuarters(const uint16_t* from, std::ptrdiff_t stride, int side, int count, uint16_t* out) {
  const DSum d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto quarter = [&](const uint16_t* p) { return hn::ShiftRight<2>(hn::LoadU(d, p)); };
  const uint16_t* const below = from + side * stride;
  for (int x = 0; x < count; x += lanes)
    hn::StoreU(hn::Add(hn::Add(quarter(from + x), quarter(from + x + side)),
                       hn::Add(quarter(below + x), quarter(below + x + side))),
               d, out + x);
}

/// |a - b|; compilers load each once, which they do not for the difference of maximum and minimum.
template <class V>
HWY_INLINE V Distance(V a, V b) {
  return hn::Or(hn::SaturatedSub(a, b), hn::SaturatedSub(b, a));
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
    return Distance(own, theirs);
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
HWY_INLINE int Append(M low, hn::Vec<DSum> bound, int row, int x, int count, Survivor* left) {
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
    left[found++] = {static_cast<uint16_t>(row), static_cast<uint16_t>(x + lane), bounds[lane]};
  }
  return found;
}

/// The search of a strip of rows in steps, each over all vectors of candidates that the one before has left: so the
/// processor need not guess which. A place is where a vector's sums lie, the same on all levels.
class Finder {
 public:
  Finder(const BoundLevels& levels, const BoundStrip& strip)
      : levels_(levels), strip_(strip), stride_(levels.levels[1].stride), first_(strip.dy * stride_) {}

  int Run(Survivor* left) {
    const BoundLevel& coarse = levels_.levels[1];
    // The largest tiles' sums are in quarters, rounded down for each of their four tiles of 16 px.
    const BoundLevel& whole = levels_.levels[0];
    const auto most = static_cast<uint16_t>(std::min((strip_.most + 12 * whole.count) / 4, 65535));
    if (whole.count == 1) {
      Begin<1>(whole, most);
      Keep<4>(coarse, strip_.most);
    } else if (coarse.count == 1) {
      Begin<1>(coarse, strip_.most);
    } else if (coarse.count == 2) {
      Begin<2>(coarse, strip_.most);
    } else if (coarse.count == 4) {
      Begin<4>(coarse, strip_.most);
    } else {
      Begin<0>(whole.count > 0 ? whole : coarse, whole.count > 0 ? most : strip_.most);
    }
    if (whole.count > 1 && coarse.count == 16) Keep<16>(coarse, strip_.most);
    if (levels_.levels[2].count == 4) Keep<4>(levels_.levels[2], strip_.most);
    if (levels_.levels[2].count == 16) Keep<16>(levels_.levels[2], strip_.most);
    if (levels_.levels[3].count == 16) Keep<16>(levels_.levels[3], strip_.most);
    int found = 0;
    for (int i = 0; i < count_ && found <= strip_.enough; ++i) found += Look(places_[i], left + found);
    return found;
  }

 private:
  /// Tiles of a level, ready for many vectors.
  template <size_t kTiles>
  struct Tiles {
    hn::Vec<DSum> own[kTiles];
    const uint16_t* theirs[kTiles];
    explicit HWY_INLINE Tiles(const BoundLevel& level) {
      const hn::Repartition<uint32_t, DSum> d32;
      for (size_t k = 0; k < kTiles; ++k) {
        own[k] = hn::BitCast(DSum(), hn::Set(d32, level.own[k]));
        theirs[k] = level.sums + level.offset[k];
      }
    }
    HWY_INLINE hn::Vec<DSum> Bound(std::ptrdiff_t place) const {
      auto bound = hn::Zero(DSum());
      for (size_t k = 0; k < kTiles; ++k) {
        const auto sums = hn::LoadU(DSum(), theirs[k] + place);
        bound = hn::SaturatedAdd(bound, Distance(own[k], sums));
      }
      return bound;
    }
    int BoundOfOne(std::ptrdiff_t place) const {
      int bound = 0;
      for (size_t k = 0; k < kTiles; ++k) bound += std::abs(static_cast<int>(hn::GetLane(own[k])) - theirs[k][place]);
      return bound;
    }
  };
  /// Any number of them.
  struct AllTiles {
    const BoundLevel& level;
    HWY_INLINE hn::Vec<DSum> Bound(std::ptrdiff_t place) const {
      return AddBounds(level, level.sums + place, 0, level.count, hn::Zero(DSum()));
    }
    int BoundOfOne(std::ptrdiff_t place) const { return static_cast<int>(hn::GetLane(Bound(place))); }
  };

  /// The places of the strip where a candidate's bound is at most `most`.
  template <size_t kTiles>
  HWY_INLINE void Begin(const BoundLevel& level, uint16_t most) {
    if constexpr (kTiles > 0)
      BeginBy(Tiles<kTiles>(level), most);
    else
      BeginBy(AllTiles{level}, most);
  }
  template <class Bounds>
  HWY_INLINE void BeginBy(const Bounds& bounds, uint16_t most) {
    const DSum d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto limit = hn::Set(d, most);
    int kept = 0;
    const int end = strip_.count / lanes * lanes, rest = strip_.count - end;
    const auto valid = hn::FirstN(d, static_cast<size_t>(rest));
    for (int row = 0; row < strip_.rows; ++row) {
      std::ptrdiff_t place = first_ + row * stride_;
      for (int x = 0; x < end; x += lanes, place += lanes) {
        places_[kept] = place;
        kept += hn::AllFalse(d, IsAtMost(bounds.Bound(place), limit)) ? 0 : 1;
      }
      if (rest == 0) continue;
      places_[kept] = place;
      if (rest == 1)  // as with 129 columns
        kept += bounds.BoundOfOne(place) <= most ? 1 : 0;
      else
        kept += hn::AllFalse(d, hn::And(IsAtMost(bounds.Bound(place), limit), valid)) ? 0 : 1;
    }
    count_ = kept;
  }
  /// Leaves those where it is.
  template <size_t kTiles>
  HWY_INLINE void Keep(const BoundLevel& level, uint16_t most) {
    const DSum d;
    const auto limit = hn::Set(d, most);
    const Tiles<kTiles> tiles(level);
    const int count = count_;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const std::ptrdiff_t place = places_[i];
      const auto low = IsAtMost(tiles.Bound(place), limit);
      places_[kept] = place;
      kept += hn::AllFalse(d, low) ? 0 : 1;
    }
    count_ = kept;
  }
  template <class V>
  static HWY_INLINE auto IsAtMost(V bound, V limit) {
    return hn::Eq(hn::Min(bound, limit), bound);
  }

  /// Appends the candidates of a vector that all levels leave.
  HWY_INLINE int Look(std::ptrdiff_t place, Survivor* left) const {
    const DSum d;
    const auto limit = hn::Set(d, strip_.most);
    const BoundLevel& coarse = levels_.levels[1];
    const BoundLevel& fine = levels_.levels[2];
    const BoundLevel& finest = levels_.levels[3];
    // Smaller tiles' bounds are never below those of the larger that they make up.
    const BoundLevel& deep = finest.count == 16 ? finest : fine.count > 0 ? fine : coarse;
    auto bound = AddBounds(deep, deep.sums + place, 0, deep.count, hn::Zero(d));
    auto low = IsAtMost(bound, limit);
    if (hn::AllFalse(d, low)) return 0;
    const int alive = static_cast<int>(hn::CountTrue(d, low));
    if (&deep != &finest && finest.count > 0 && alive >= levels_.worth && alive < static_cast<int>(hn::Lanes(d))) {
      bound = AddBounds(finest, finest.sums + place, 0, finest.count, hn::Zero(d));
      low = hn::And(low, IsAtMost(bound, limit));
    }
    const auto row = static_cast<int>((place - first_) / stride_);
    return Append(low, bound, row, static_cast<int>(place - first_ - row * stride_), strip_.count, left);
  }

  const BoundLevels& levels_;
  const BoundStrip& strip_;
  std::ptrdiff_t stride_, first_;
  int count_ = 0;
  std::ptrdiff_t places_[BoundStrip::most_rows * 130];  // 1025 columns, 8 at once
};

int FindSurvivors(const BoundLevels& levels, const BoundStrip& strip, Survivor* left) {
  return Finder(levels, strip).Run(left);
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
HWY_EXPORT(SumQuarters);
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
  if (smaller >= 32) return {{32, 16, 8, 4}};
  if (smaller >= 16) return {{0, 16, 8, 4}};
  if (smaller >= 8) return {{0, 8, 4, 0}};
  return {};
}

void EliminationFrame::reserve(const TileLevels& levels, const Plane<std::uint8_t>& plane) {
  for (int side = 4; side <= levels.largest(); side *= 2) sums_[index(side)].reserve(plane);
}

void EliminationFrame::fill(Context& context, const TileLevels& levels, const Plane<std::uint8_t>& plane, int around_x,
                            int around_y) {
  constexpr int worth_a_thread = 64;  // rows
  const Size size = plane.size();
  for (int side = 4; side <= levels.largest(); side *= 2) {
    TileSums& sums = sums_[index(side)];
    const int count = size.width + 2 * around_x - side + 1;
    const int rows = size.height + 2 * around_y - side + 1;
    if (count <= 0) continue;
    context.threads.rows(rows, worth_a_thread, [&](int first, int last, int) {
      for (int y = first - around_y; y < last - around_y; ++y) {
        std::uint16_t* const out = sums.at(-around_x, y);
        if (side == 4) {
          VERGENCE_DISPATCH(SumPixels, context.target)(plane.at(-around_x, y), plane.stride(), count, out);
        } else {
          const TileSums& smaller = sums_[index(side / 2)];
          const std::uint16_t* const from = smaller.at(-around_x, y);
          if (side == 32)
            VERGENCE_DISPATCH(SumQuarters, context.target)(from, smaller.stride(), side / 2, count, out);
          else
            VERGENCE_DISPATCH(SumTiles, context.target)(from, smaller.stride(), side / 2, count, out);
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
        const auto sum_of = [&](int left, int top, int length) {
          int sum = 0;
          for (int v = top; v < top + length; v += 4)
            for (int u = left; u < left + length; u += 4) sum += sums4[static_cast<std::size_t>(v / 4 * stride + u)];
          return sum;
        };
        const int sum = side < 32 ? sum_of(x, y, side)
                                  : sum_of(x, y, 16) / 4 + sum_of(x + 16, y, 16) / 4 + sum_of(x, y + 16, 16) / 4 +
                                        sum_of(x + 16, y + 16, 16) / 4;
        level.own[static_cast<std::size_t>(level.count)] = static_cast<std::uint32_t>(sum) * 0x10001u;
        level.offset[static_cast<std::size_t>(level.count)] = y * sums.stride() + x;
        ++level.count;
      }
  }
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

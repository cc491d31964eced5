// SPDX-License-Identifier: Apache-2.0
// Bounds of many candidates at once.
#include "cpu/motion/elimination.hpp"

#include <algorithm>
#include <cstring>

#define VERGENCE_SIMD_FILE "cpu/motion/elimination.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include "cpu/dispatch.hpp"

#if VERGENCE_SIMD_HERE
HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DSum = hn::CappedTag<uint16_t, PlaceGroup::places>;
using VSum = hn::Vec<DSum>;
/// Vectors that hold a group.
constexpr size_t kVectors = PlaceGroup::places / hn::MaxLanes(DSum());

HWY_INLINE VSum Twice(uint32_t both) { return hn::BitCast(DSum(), hn::Set(hn::Repartition<uint32_t, DSum>(), both)); }

template <class V>
HWY_INLINE auto IsAtMost(V bound, V limit) {
  return hn::Eq(hn::Min(bound, limit), bound);
}

/// The bounds of a group's places.
struct Bounds {
  VSum of[kVectors];
  /// Written out: what the compiler made would not be of the SIMD target, as the constructors of NEON's vectors are.
  HWY_INLINE Bounds() {}
  HWY_INLINE bool AnyAtMost(VSum limit) const {
    auto least = of[0];
    for (size_t v = 1; v < kVectors; ++v) least = hn::Min(least, of[v]);
    return !hn::AllFalse(DSum(), IsAtMost(least, limit));
  }
  /// A bit for each place.
  HWY_INLINE uint32_t AtMost(VSum limit) const {
    uint32_t all = 0;
    for (size_t v = 0; v < kVectors; ++v) {
      uint8_t bits[8] = {};
      hn::StoreMaskBits(DSum(), IsAtMost(of[v], limit), bits);
      uint32_t some = 0;
      std::memcpy(&some, bits, sizeof(some));
      all |= some << (v * hn::MaxLanes(DSum()));
    }
    return all;
  }
};

/// A level's bounds: |a - b| = 2 max(a, b) - a - b, and the sum of all b is that of the larger tiles they make up. All
/// modulo 2^16, which may lessen a bound and so leaves it one.
template <int kTiles>
class LevelBounds {
 public:
  /// `cover` are tiles that cover the same pixels, of this level or of a coarser one.
  LevelBounds(const BoundLevel& level, const BoundLevel& cover) : level_(level), cover_(cover) {}
  HWY_INLINE Bounds operator()(std::ptrdiff_t place) const {
    const DSum d;
    const uint16_t* const sums = level_.sums + place;
    Bounds larger, theirs;
    for (size_t v = 0; v < kVectors; ++v) larger.of[v] = theirs.of[v] = hn::Zero(d);
    // Two sums, so that the tiles need not wait for each other.
    Bounds others = theirs;
    const auto add = [&](size_t k, Bounds& to) {
      const auto own = Twice(level_.own[k]);
      for (size_t v = 0; v < kVectors; ++v)
        to.of[v] = hn::Add(to.of[v], hn::Max(own, Load(sums + level_.offset[k], v)));
    };
    size_t k = 0;
    for (; k + 4 <= Count(level_); k += 4) {
      add(k, larger);
      add(k + 1, others);
      add(k + 2, larger);
      add(k + 3, others);
    }
    for (; k < Count(level_); ++k) add(k, larger);
    for (size_t v = 0; v < kVectors; ++v) larger.of[v] = hn::Add(larger.of[v], others.of[v]);
    const uint16_t* const covering = cover_.sums + place;
    const auto covers = static_cast<size_t>(cover_.count);
    for (k = 0; k < covers; ++k)
      for (size_t v = 0; v < kVectors; ++v) theirs.of[v] = hn::Add(theirs.of[v], Load(covering + cover_.offset[k], v));
    const auto total = Twice(level_.total);
    for (size_t v = 0; v < kVectors; ++v)
      larger.of[v] = hn::Sub(hn::Add(larger.of[v], larger.of[v]), hn::Add(theirs.of[v], total));
    return larger;
  }

 private:
  static HWY_INLINE size_t Count(const BoundLevel& level) {
    return kTiles > 0 ? static_cast<size_t>(kTiles) : static_cast<size_t>(level.count);
  }
  static HWY_INLINE VSum Load(const uint16_t* sums, size_t v) {
    return hn::LoadU(DSum(), sums + v * hn::Lanes(DSum()));
  }

  const BoundLevel& level_;
  const BoundLevel& cover_;
};

/// The search of a strip: ranges of sums tell which groups are left, the first level leaves some of them, the others
/// candidates.
class Finder {
 public:
  Finder(const BoundLevels& levels, const BoundStrip& strip)
      : levels_(levels), strip_(strip), coarse_(levels.levels[0]), fine_(levels.levels[1]), finest_(levels.levels[2]) {}

  int Run(Survivor* left) {
    KeepByRanges();
    switch (coarse_.count) {
      case 0:
      case 1:  // the ranges have told nearly as much
        break;
      case 4:
        Keep<4>();
        break;
      case 16:
        Keep<16>();
        break;
      default:
        Keep<0>();
    }
    switch (fine_.count) {
      case 4:
        return Look<4>(left);
      case 16:
        return Look<16>(left);
      default:
        return Look<0>(left);
    }
  }

 private:
  HWY_INLINE std::ptrdiff_t Place(unsigned group) const {
    return (strip_.row + std::ptrdiff_t{group >> 8}) * levels_.pitch + std::ptrdiff_t{group & 255} * PlaceGroup::places;
  }

  /// Groups whose ranges allow a bound of at most `most`.
  HWY_INLINE void KeepByRanges() {
    const DSum d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto limit = hn::Set(d, strip_.most);
    int kept = 0;
    for (int row = 0; row < strip_.rows; ++row)
      for (int column = 0; column < levels_.columns; column += lanes) {
        const uint16_t* const least = levels_.ranges + (strip_.row + row) * levels_.range_pitch + column;
        auto bound = hn::Zero(d);
        for (int k = 0; k < coarse_.count; ++k) {
          const auto own = Twice(coarse_.own[static_cast<size_t>(k)]);
          const uint16_t* const theirs = least + levels_.range_offset[static_cast<size_t>(k)];
          const auto above = hn::SaturatedSub(own, hn::LoadU(d, theirs + levels_.most));
          const auto below = hn::SaturatedSub(hn::LoadU(d, theirs), own);
          bound = hn::SaturatedAdd(bound, hn::Or(above, below));
        }
        const auto group = static_cast<uint16_t>(row << 8 | column);
        const auto valid = hn::FirstN(d, static_cast<size_t>(levels_.columns - column));
        kept += AppendGroups(hn::And(IsAtMost(bound, limit), valid), group, groups_ + kept);
      }
    count_ = kept;
  }

  /// Appends `first` + the number of each lane of the mask.
  template <class M>
  static HWY_INLINE int AppendGroups(M mask, uint16_t first, uint16_t* to) {
    const DSum d;
    if constexpr (kVectors == 1) {  // one instruction; elsewhere a table that GCC copies again and again
      hn::StoreU(hn::Compress(hn::Add(hn::Iota(d, 0), hn::Set(d, first)), mask), d, to);
      return static_cast<int>(hn::CountTrue(d, mask));
    }
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, mask, bytes);
    uint32_t bits = 0;
    std::memcpy(&bits, bytes, sizeof(bits));
    int found = 0;
    for (; bits != 0; bits &= bits - 1) to[found++] = static_cast<uint16_t>(first + __builtin_ctz(bits));
    return found;
  }

  /// Leaves the groups with candidates that the first level leaves.
  template <int kTiles>
  HWY_INLINE void Keep() {
    const LevelBounds<kTiles> bounds(coarse_, coarse_);
    const auto limit = hn::Set(DSum(), strip_.most);
    const int count = count_;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const uint16_t group = groups_[i];
      groups_[kept] = group;
      kept += bounds(Place(group)).AnyAtMost(limit) ? 1 : 0;
    }
    count_ = kept;
  }

  /// The candidates that the other levels leave.
  template <int kTiles>
  HWY_INLINE int Look(Survivor* left) const {
    const LevelBounds<kTiles> by_fine(fine_, fine_.refines ? coarse_ : fine_);
    const auto limit = hn::Set(DSum(), strip_.most);
    int found = 0;
    for (int i = 0; i < count_ && found <= strip_.enough; ++i) {
      const unsigned group = groups_[i];
      const std::ptrdiff_t place = Place(group);
      Bounds bounds = by_fine(place);
      if (!bounds.AnyAtMost(limit)) continue;
      uint32_t alive = bounds.AtMost(limit) & Candidates(group);
      if (finest_.count > 0 && __builtin_popcount(alive) >= levels_.worth) {
        const BoundLevel& cover = finest_.refines ? coarse_ : finest_;
        bounds = finest_.count == 64 ? LevelBounds<64>(finest_, cover)(place) : LevelBounds<0>(finest_, cover)(place);
        alive &= bounds.AtMost(limit);
      }
      found += Append(alive, bounds, group, left + found);
    }
    return found;
  }

  /// The places of a group that are candidates.
  HWY_INLINE uint32_t Candidates(unsigned group) const {
    const int column = static_cast<int>(group & 255), row = strip_.row + static_cast<int>(group >> 8);
    uint32_t places = ~uint32_t{0};
    if (column == 0) places &= levels_.left;
    if (column == levels_.columns - 1) places &= levels_.right;
    if (row == 0) places &= levels_.top;
    if (row == levels_.rows - 1) places &= levels_.bottom;
    return places;
  }

  HWY_INLINE int Append(uint32_t alive, const Bounds& bounds, unsigned group, Survivor* left) const {
    HWY_ALIGN uint16_t of[PlaceGroup::places];
    for (size_t v = 0; v < kVectors; ++v) hn::Store(bounds.of[v], DSum(), of + v * hn::Lanes(DSum()));
    const int dx = levels_.dx + static_cast<int>(group & 255) * PlaceGroup::width;
    const int dy = levels_.dy + (strip_.row + static_cast<int>(group >> 8)) * PlaceGroup::height;
    int found = 0;
    for (; alive != 0; alive &= alive - 1) {
      const int place = __builtin_ctz(alive);
      left[found++] = {static_cast<int16_t>(dx + (place & 3) + (place & 16) / 4),
                       static_cast<int16_t>(dy + (place >> 2 & 3)), of[place]};
    }
    return found;
  }

  const BoundLevels& levels_;
  const BoundStrip& strip_;
  const BoundLevel& coarse_;
  const BoundLevel& fine_;
  const BoundLevel& finest_;
  int count_ = 0;
  uint16_t groups_[BoundStrip::most_rows * BoundLevels::most_columns + PlaceGroup::places];
};

int FindSurvivors(const BoundLevels& levels, const BoundStrip& strip, Survivor* left) {
  return Finder(levels, strip).Run(left);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {
namespace {

/// The places of a group in columns first .. last, and those in rows first .. last.
std::uint32_t columns_of_group(int first, int last) {
  std::uint32_t places = 0;
  for (int x = std::max(first, 0); x <= std::min(last, PlaceGroup::width - 1); ++x)
    places |= std::uint32_t{0x1111} << (x % 4 + x / 4 * 16);
  return places;
}
std::uint32_t rows_of_group(int first, int last) {
  std::uint32_t places = 0;
  for (int y = std::max(first, 0); y <= std::min(last, PlaceGroup::height - 1); ++y)
    places |= std::uint32_t{0x000F000F} << (4 * y);
  return places;
}

/// What follows from the block's size alone.
template <class P>
void place_tiles(const TileLevels& sides, const EliminationFrame& frame, int width, int height, BoundLevels& bounds) {
  bounds.width = width;
  bounds.height = height;
  bounds.range_pitch = frame.ranges().pitch();
  bounds.most = frame.ranges().most();
  for (std::size_t i = 0; i < bounds.levels.size(); ++i) {
    BoundLevel& level = bounds.levels[i];
    level.count = 0;
    const int side = sides.sides[i];
    if (side == 0) continue;
    bounds.pitch = frame.of(side).pitch();
    for (int y = 0; y + side <= height; y += side)
      for (int x = 0; x + side <= width; x += side) {
        const auto k = static_cast<std::size_t>(level.count++);
        level.offset[k] = y / 4 * bounds.pitch + 4 * x;
        if (i == 0) bounds.range_offset[k] = y / PlaceGroup::height * bounds.range_pitch + x / PlaceGroup::width;
      }
    const BoundLevel& first = bounds.levels[0];
    const int times = sides.sides[0] / side;
    level.refines = first.count * times * times == level.count;
  }
  // In cycles: two operations for a tile, nearly two at a time, and what one candidate's cost takes.
  bounds.worth = 5 * (width / 4) * (height / 4) / (4 * single_cost<P>(width, height)) + 1;
}

}  // namespace

VERGENCE_SIMD_EXPORT(FindSurvivors);

Survivors survivors(std::int64_t target) { return HWY_DISPATCH_TABLE(FindSurvivors)[dispatch_index(target)]; }

namespace {

/// The sums of the block's own tiles.
template <class P>
void sum_tiles(const Context& context, const TileLevels& sides, const PackedBlock<P>& block, BoundLevels& bounds) {
  constexpr std::size_t across = BlockCells::across;
  BlockCells::Sums sums;  // NOLINT(*-member-init): of tiles of one size after the other
  BlockCells::of(context, block, bounds.shift, sums);
  auto columns = static_cast<std::size_t>(block.width / 4), rows = static_cast<std::size_t>(block.height / 4);
  for (int side = 4; side <= sides.sides[0]; side *= 2) {
    if (side > 4) {
      columns /= 2;
      rows /= 2;
      for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) {
          const std::uint16_t* const four = sums.data() + 2 * (y * across + x);
          sums[y * across + x] = static_cast<std::uint16_t>(four[0] + four[1] + four[across] + four[across + 1]);
        }
    }
    for (std::size_t i = 0; i < bounds.levels.size(); ++i) {
      if (sides.sides[i] != side) continue;
      BoundLevel& level = bounds.levels[i];
      std::uint32_t total = 0;
      std::size_t k = 0;
      for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) {
          const std::uint32_t sum = sums[y * across + x];
          level.own[k++] = sum * 0x10001u;
          total += sum;
        }
      level.total = (total & 0xFFFF) * 0x10001u;
    }
  }
}

}  // namespace

template <class P>
void begin_bounds(const Context& context, const TileLevels& levels, const EliminationFrame& frame,
                  const BlockWalk<P>& walk, int shift, BoundLevels& bounds) {
  const PackedBlock<P>& block = walk.pixels();
  if (bounds.width != block.width || bounds.height != block.height)
    place_tiles<P>(levels, frame, block.width, block.height, bounds);
  bounds.shift = shift;
  // 2^shift |floor(a / 2^shift) - floor(b / 2^shift)| is at most |a - b| + 2^shift - 1, for every cell.
  const auto cells = static_cast<std::uint64_t>((block.width / 4) * (block.height / 4));
  bounds.rounded = cells * ((std::uint64_t{1} << shift) - 1);
  sum_tiles(context, levels, block, bounds);
  const Rect& at = walk.block();
  const int x = PlaceGroup::first_column(at.x + walk.x().first), y = PlaceGroup::first_row(at.y + walk.y().first);
  bounds.dx = x - at.x;
  bounds.dy = y - at.y;
  const int last_x = walk.x().last - bounds.dx, last_y = walk.y().last - bounds.dy;
  bounds.columns = last_x / PlaceGroup::width + 1;
  bounds.rows = last_y / PlaceGroup::height + 1;
  bounds.left = columns_of_group(walk.x().first - bounds.dx, PlaceGroup::width);
  bounds.right = columns_of_group(0, last_x % PlaceGroup::width);
  bounds.top = rows_of_group(walk.y().first - bounds.dy, PlaceGroup::height);
  bounds.bottom = rows_of_group(0, last_y % PlaceGroup::height);
  for (std::size_t i = 0; i < bounds.levels.size(); ++i)
    if (levels.sides[i] > 0) bounds.levels[i].sums = frame.of(levels.sides[i]).at(x, y);
  bounds.ranges = frame.ranges().at(x, y);
}

template void begin_bounds(const Context&, const TileLevels&, const EliminationFrame&, const BlockWalk<std::uint8_t>&,
                           int, BoundLevels&);
template void begin_bounds(const Context&, const TileLevels&, const EliminationFrame&, const BlockWalk<std::uint16_t>&,
                           int, BoundLevels&);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

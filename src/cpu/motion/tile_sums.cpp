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
using VSum = hn::Vec<DSum>;
using DFour = hn::Repartition<uint64_t, DSum>;

/// Pixels of one place per lane that are added up to those of a cell of 4x4: bytes, and words whose cells 16 bits hold.
template <class P>
struct SmallPixels {
  using Pixel = P;
  VSum sum;
  /// Written out: what the compiler made would not be of the SIMD target.
  HWY_INLINE SmallPixels() {}
  explicit HWY_INLINE SmallPixels(VSum from) : sum(from) {}
  static HWY_INLINE SmallPixels Load(const P* from) {
    if constexpr (sizeof(P) == 1)
      return SmallPixels(hn::PromoteTo(DSum(), hn::LoadU(hn::Rebind<uint8_t, DSum>(), from)));
    else
      return SmallPixels(hn::LoadU(DSum(), from));
  }
  static HWY_INLINE SmallPixels Add(SmallPixels a, SmallPixels b) { return SmallPixels(hn::Add(a.sum, b.sum)); }
  HWY_INLINE VSum Cell(int shift) const { return sizeof(P) == 1 ? sum : hn::ShiftRightSame(sum, shift); }
};

/// Words whose cells need 32 bits: lanes of the lower and of the upper half.
struct LargePixels {
  using Pixel = uint16_t;
  using D32 = hn::Repartition<uint32_t, DSum>;
  hn::Vec<D32> low, high;
  HWY_INLINE LargePixels() {}
  HWY_INLINE LargePixels(hn::Vec<D32> from, hn::Vec<D32> above) : low(from), high(above) {}
  static HWY_INLINE LargePixels Load(const uint16_t* from) {
    const hn::Rebind<uint16_t, D32> half;
    return {hn::PromoteTo(D32(), hn::LoadU(half, from)),
            hn::PromoteTo(D32(), hn::LoadU(half, from + hn::Lanes(D32())))};
  }
  static HWY_INLINE LargePixels Add(LargePixels a, LargePixels b) {
    return {hn::Add(a.low, b.low), hn::Add(a.high, b.high)};
  }
  HWY_INLINE VSum Cell(int shift) const {
    const hn::Rebind<uint16_t, D32> half;
    const auto narrow = [&](auto v) {
      return hn::DemoteTo(half, hn::BitCast(DSigned(), hn::ShiftRightSame(v, shift)));
    };
    return hn::Combine(DSum(), narrow(high), narrow(low));
  }

 private:
  using DSigned = hn::Repartition<int32_t, DSum>;
};

/// Cells of 4x4 pixels: a row of squares, `count` places wide. Reads and writes whole vectors.
template <class Pixels>
HWY_INLINE void SumCells(const typename Pixels::Pixel* from, std::ptrdiff_t stride, int count, int shift,
                         uint16_t* out) {
  const DSum d;
  const DFour d64;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto add = [](const auto& first, const auto&... others) {
    auto sum = first;
    ((sum = Pixels::Add(sum, others)), ...);
    return sum;
  };
  for (int x = 0; x < count; x += lanes) {
    Pixels sums[4];
    for (int i = 0; i < 4; ++i) {
      const auto load = [&](int y) { return Pixels::Load(from + x + i + y * stride); };
      const auto third = load(3), middle = add(load(1), load(2), third);
      const auto fourth = load(4), fifth = load(5), lower = add(third, fourth, fifth);
      const Pixels rows[4] = {add(middle, load(0)), add(middle, fourth), add(lower, load(2)), add(lower, load(6))};
      for (int row = 0; row < 4; ++row) sums[row] = i == 0 ? rows[row] : add(sums[row], rows[row]);
    }
    const auto cell = [&](int row) { return hn::BitCast(d64, sums[row].Cell(shift)); };
    hn::StoreInterleaved4(cell(0), cell(1), cell(2), cell(3), d64, reinterpret_cast<uint64_t*>(out + 4 * x));
  }
}

void SumBytes(const uint8_t* from, std::ptrdiff_t stride, int count, int /*shift*/, uint16_t* out) {
  SumCells<SmallPixels<uint8_t>>(from, stride, count, 0, out);
}
void SumSmallWords(const uint16_t* from, std::ptrdiff_t stride, int count, int shift, uint16_t* out) {
  SumCells<SmallPixels<uint16_t>>(from, stride, count, shift, out);
}
void SumLargeWords(const uint16_t* from, std::ptrdiff_t stride, int count, int shift, uint16_t* out) {
  SumCells<LargePixels>(from, stride, count, shift, out);
}

/// The sums of 4x4 pixels of a block's rows y to y + 3 in every fourth number of `out`. Reads and writes whole vectors.
void SumBlockPixels(const uint8_t* from, std::ptrdiff_t stride, int width, uint16_t* out) {
  const DSum d;
  const hn::Rebind<uint8_t, DSum> pixels;
  const hn::Repartition<uint64_t, DSum> d64;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto load = [&](int y) { return hn::PromoteTo(d, hn::LoadU(pixels, from + y * stride + x)); };
    auto sums = hn::BitCast(d64, hn::Add(hn::Add(load(0), load(1)), hn::Add(load(2), load(3))));
    sums = hn::BitCast(d64, hn::Add(hn::BitCast(d, sums), hn::BitCast(d, hn::ShiftRight<16>(sums))));
    sums = hn::BitCast(d64, hn::Add(hn::BitCast(d, sums), hn::BitCast(d, hn::ShiftRight<32>(sums))));
    hn::StoreU(hn::BitCast(d, sums), d, out + x);
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

VERGENCE_SIMD_EXPORT(SumBytes);
VERGENCE_SIMD_EXPORT(SumSmallWords);
VERGENCE_SIMD_EXPORT(SumLargeWords);
VERGENCE_SIMD_EXPORT(SumBlockPixels);
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

void BlockCells::of(const Context& context, const PackedBlock<std::uint8_t>& block, int /*shift*/, Sums& sums) {
  constexpr std::size_t stride = PackedBlock<std::uint8_t>::stride;
  std::array<std::uint16_t, 2 * stride> row;  // NOLINT(*-member-init): written before it is read
  const auto sum_pixels = VERGENCE_DISPATCH(SumBlockPixels, context.target);
  const auto columns = static_cast<std::size_t>(block.width / 4), rows = static_cast<std::size_t>(block.height / 4);
  for (std::size_t y = 0; y < rows; ++y) {
    sum_pixels(block.pixels.data() + 4 * y * stride, stride, block.width, row.data());
    for (std::size_t x = 0; x < columns; ++x) sums[y * across + x] = row[4 * x];
  }
}
void BlockCells::of(const Context& /*context*/, const PackedBlock<std::uint16_t>& block, int shift, Sums& sums) {
  constexpr std::size_t stride = PackedBlock<std::uint16_t>::stride;
  const auto columns = static_cast<std::size_t>(block.width / 4), rows = static_cast<std::size_t>(block.height / 4);
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x) {
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < 16; ++i) sum += block.pixels[(4 * y + i / 4) * stride + 4 * x + i % 4];
      sums[y * across + x] = static_cast<std::uint16_t>(sum >> shift);
    }
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

namespace {

template <class P>
using SumCellsOf = void (*)(const P* from, std::ptrdiff_t stride, int count, int shift, std::uint16_t* out);

SumCellsOf<std::uint8_t> sum_cells(std::int64_t target, int /*max_pixel*/, std::uint8_t /*of*/) {
  return HWY_DISPATCH_TABLE(SumBytes)[dispatch_index(target)];
}
SumCellsOf<std::uint16_t> sum_cells(std::int64_t target, int max_pixel, std::uint16_t /*of*/) {
  if (16 * max_pixel <= 65535) return HWY_DISPATCH_TABLE(SumSmallWords)[dispatch_index(target)];
  return HWY_DISPATCH_TABLE(SumLargeWords)[dispatch_index(target)];
}

}  // namespace

template <class P>
void EliminationFrame::fill(Context& context, const TileLevels& levels, const Plane<P>& plane, int max_pixel) {
  constexpr int worth_a_thread = 16;  // rows of squares
  const SumCellsOf<P> cells = sum_cells(context.target, max_pixel, P{});
  const int shift = cell_shift(max_pixel);
  for (int side = 4; side <= levels.sides[0]; side *= 2) {
    TileSums& sums = sums_[index(side)];
    context.threads.rows(sums.rows(), worth_a_thread, [&](int first, int last, int) {
      for (int row = first; row < last; ++row) {
        const int x = sums.first_x(), y = sums.first_y() + 4 * row;
        if (side == 4) {
          cells(plane.at(x, y), plane.stride(), sums.columns(), shift, sums.at(x, y));
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

template void EliminationFrame::fill(Context&, const TileLevels&, const Plane<std::uint8_t>&, int);
template void EliminationFrame::fill(Context&, const TileLevels&, const Plane<std::uint16_t>&, int);

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

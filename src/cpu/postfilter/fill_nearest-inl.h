// SPDX-License-Identifier: Apache-2.0
// Filling from the nearest valid pixel: an exact distance transform in two passes (Meijster, Roerdink, Hesselink, "A
// general algorithm for computing distance transforms in linear time", 2000). First the nearest valid pixel of each
// column, the upper one of two; then, between the two valid ends of a hole, the lower envelope of the columns'
// parabolas. A site stays in the envelope even where it is only as near as its neighbours, so that raster order can
// decide among all of them. Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_FILL_NEAREST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_FILL_NEAREST_INL_H_
#undef VERGENCE_CPU_POSTFILTER_FILL_NEAREST_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_FILL_NEAREST_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "cpu/postfilter/fill_job.hpp"
#include "cpu/postfilter/pixel_bits-inl.h"
#include "definitions/postfilter/fill.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int32_t kNoRow = -1;

/// rows[x] = y where pixel x of row y is valid.
template <class T>
HWY_INLINE void TakeValid(const FillJob<T>& job, int y, const std::int32_t* from, std::int32_t* rows) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::Rebind<T, decltype(d)> narrow;
  const T* const in = job.in.row(y);
  const auto invalid = hn::Set(d, job.plan.invalid);
  const auto here = hn::Set(d, y);
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= job.width(); x += lanes) {
    const auto loaded = hn::LoadU(narrow, in + x);
    const auto value = [&]() HWY_ATTR {
      if constexpr (sizeof(T) == sizeof(std::int32_t))
        return loaded;
      else
        return hn::PromoteTo(d, loaded);
    }();
    hn::Store(hn::IfThenElse(hn::Ne(value, invalid), here, hn::Load(d, from + x)), d, rows + x);
  }
  for (; x < job.width(); ++x) rows[x] = in[x] != job.invalid() ? y : from[x];
}

/// Of the next valid pixels above and below in a column, both kNoRow where there is none, the nearer one.
HWY_INLINE void TakeNearer(int y, int width, const std::int32_t* above, std::int32_t* below) {
  const hn::ScalableTag<std::int32_t> d;
  const auto here = hn::Set(d, y);
  const auto none = hn::Set(d, kNoRow);
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    const auto up = hn::Load(d, above + x);
    const auto down = hn::Load(d, below + x);
    const auto down_wins = hn::And(hn::Ne(down, none), hn::Gt(hn::Sub(here, up), hn::Sub(down, here)));
    hn::Store(hn::IfThenElse(hn::Or(hn::Eq(up, none), down_wins), down, up), d, below + x);
  }
  for (; x < width; ++x)
    if (above[x] != kNoRow && (below[x] == kNoRow || y - above[x] <= below[x] - y)) below[x] = above[x];
}

HWY_INLINE std::int64_t SquaredDistance(const NearestSite& site, std::int64_t x) {
  // (x - column)^2 + distance^2
  return site.height + x * (x - 2 * std::int64_t{site.column});
}

/// The lower envelope of the sites of a row.
class Envelope {
 public:
  explicit Envelope(NearestSite* sites) : sites_(sites) {}

  /// Columns come in ascending order.
  HWY_INLINE void Add(int column, int row, int y) {
    const std::int64_t distance = row - y;
    const NearestSite site{std::int64_t{column} * column + distance * distance, column, row};
    while (count_ > 1 && IsAbove(sites_[count_ - 2], sites_[count_ - 1], site)) --count_;
    sites_[count_++] = site;
  }

  bool empty() const { return count_ == 0; }

  /// The nearest site of x; x must not decrease from call to call.
  HWY_INLINE const NearestSite& At(int x, int y) {
    std::int64_t least = SquaredDistance(sites_[at_], x);
    int best = at_;
    for (int next = at_ + 1; next < count_; ++next) {
      // Along the envelope distances fall, stay equal (here raster order decides), then rise.
      const std::int64_t distance = SquaredDistance(sites_[next], x);
      if (distance > least) break;
      if (distance < least) {
        least = distance;
        at_ = best = next;
      } else if (definitions::is_nearer(sites_[next].column - x, sites_[next].row - y, sites_[best].column - x,
                                        sites_[best].row - y)) {
        best = next;
      }
    }
    return sites_[best];
  }

 private:
  /// The parabola of b lies above the lower one of a and c everywhere: it meets a later than it meets c.
  static HWY_INLINE bool IsAbove(const NearestSite& a, const NearestSite& b, const NearestSite& c) {
    // Heights stay below 2^41, columns below 2^20.
    return (b.height - a.height) * (c.column - b.column) > (c.height - b.height) * (b.column - a.column);
  }

  NearestSite* sites_;
  int count_ = 0;
  int at_ = 0;
};

/// Memory of one worker.
struct NearestWork {
  std::uint64_t* valid;
  NearestSite* sites;
  std::int32_t* above;
  std::int32_t* below[nearest_block];
};
template <class T>
NearestWork CutNearestWork(const FillJob<T>& job, int worker) {
  ScratchArrays arrays(job.scratch.work.row(worker));
  NearestWork work{};
  work.valid = arrays.take<std::uint64_t>(bit_words(job.width()));
  work.sites = arrays.take<NearestSite>(job.width());
  work.above = arrays.take<std::int32_t>(job.width());
  for (auto& row : work.below) row = arrays.take<std::int32_t>(job.width());
  return work;
}

/// Fills the holes of row y; rows[x] is the row of the nearest valid pixel of column x.
template <class T>
void FillNearestRow(const FillJob<T>& job, const NearestWork& work, const std::int32_t* rows, int y) {
  T* const out = job.out.row(y);
  for_each_hole(work.valid, job.width(), [&](int first, int last) {
    const int begin = std::max(first, job.left());
    const int end = std::min(last, job.right());
    if (begin >= end) return;
    Envelope envelope(work.sites);
    // Nothing beyond the valid pixels at both ends of the hole is nearer than they are.
    const int last_column = std::min(last, job.width() - 1);
    for (int column = std::max(first - 1, 0); column <= last_column; ++column)
      if (rows[column] != kNoRow) envelope.Add(column, rows[column], y);
    if (envelope.empty()) return;
    for (int x = begin; x < end; ++x) {
      const NearestSite& site = envelope.At(x, y);
      out[x] = job.in(site.column, site.row);
    }
  });
}

template <class T>
void FillNearestBlock(const FillJob<T>& job, const NearestWork& work, int block) {
  const int first = block * nearest_block;
  const int last = std::min(first + nearest_block, job.height());
  const std::int32_t* below = job.scratch.below.row(block);
  for (int y = last - 1; y >= first; --y) {
    TakeValid(job, y, below, work.below[y - first]);
    below = work.below[y - first];
  }
  const std::int32_t* above = job.scratch.above.row(block);
  for (int y = first; y < last; ++y) {
    TakeValid(job, y, above, work.above);
    above = work.above;
    job.copy_row(y);
    if (!job.fills_row(y)) continue;
    ValidBits(job.in.row(y), job.width(), job.invalid(), work.valid);
    if (find_bit(work.valid, 0, job.width(), false) == job.width()) continue;
    TakeNearer(y, job.width(), above, work.below[y - first]);
    FillNearestRow(job, work, work.below[y - first], y);
  }
}

/// The uppermost and the lowest valid pixel of each column of a block.
template <class T>
void ScanBlock(const FillJob<T>& job, int block) {
  const int first = block * nearest_block;
  const int last = std::min(first + nearest_block, job.height());
  std::int32_t* const upper = job.scratch.below.row(block);
  std::int32_t* const lower = job.scratch.above.row(block);
  std::fill(upper, upper + job.width(), kNoRow);
  std::fill(lower, lower + job.width(), kNoRow);
  for (int y = last - 1; y >= first; --y) TakeValid(job, y, upper, upper);
  for (int y = first; y < last; ++y) TakeValid(job, y, lower, lower);
}

/// Moves the rows of each block to the next block (step 1) or the one before (step -1), and on through blocks that have
/// none of their own: what was found in a block becomes what is found outside of it.
inline void Shift(Image<std::int32_t>& rows, int width, int first, int end, int step, std::int32_t* carried) {
  std::fill(carried, carried + width, kNoRow);
  for (int block = first; block != end; block += step) {
    std::int32_t* const row = rows.row(block);
    for (int x = 0; x < width; ++x) {
      const std::int32_t own = row[x];
      row[x] = carried[x];
      carried[x] = own != kNoRow ? own : carried[x];
    }
  }
}

template <class T>
void FillNearest(const FillJob<T>& job) {
  const int blocks = nearest_blocks(job.height());
  const auto scan = [&](int first, int last, int) HWY_ATTR {
    for (int block = first; block < last; ++block) ScanBlock(job, block);
  };
  job.threads.rows(blocks, 1, scan);
  std::int32_t* const carried = CutNearestWork(job, 0).above;
  Shift(job.scratch.above, job.width(), 0, blocks, 1, carried);
  Shift(job.scratch.below, job.width(), blocks - 1, -1, -1, carried);
  const auto fill = [&](int first, int last, int worker) HWY_ATTR {
    const NearestWork work = CutNearestWork(job, worker);
    for (int block = first; block < last; ++block) FillNearestBlock(job, work, block);
  };
  job.threads.rows(blocks, 1, fill);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_FILL_NEAREST_INL_H_

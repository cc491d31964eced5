// SPDX-License-Identifier: Apache-2.0
// Filling with window means: sums and counts of valid pixels run down the columns, totals of them along the row; the
// difference of two totals is a window's sum. All are exact integers. Compiled once per target.

#if defined(VERGENCE_CPU_POSTFILTER_FILL_MEAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_FILL_MEAN_INL_H_
#undef VERGENCE_CPU_POSTFILTER_FILL_MEAN_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_FILL_MEAN_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cpu/postfilter/fill_job.hpp"
#include "cpu/postfilter/pixel_bits-inl.h"
#include "cpu/postfilter/store-inl.h"
#include "definitions/postfilter/fill.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums and counts of the valid pixels of each column in the rows of the window.
template <class T>
class ColumnSums {
 public:
  using Sum = typename WindowSum<T>::Type;

  ColumnSums(ScratchArrays& arrays, int width, T invalid)
      : sums_(arrays.take<Sum>(width)), counts_(arrays.take<Sum>(width)), width_(width), invalid_(invalid) {
    std::fill(sums_, sums_ + width, Sum{0});
    std::fill(counts_, counts_ + width, Sum{0});
  }
  const Sum* sums() const { return sums_; }
  const Sum* counts() const { return counts_; }

  /// Adds a row to the window and takes one away; either may be null.
  void Move(const T* added, const T* removed) {
    if (added != nullptr && removed != nullptr) return Update<true, true>(added, removed);
    if (added != nullptr) return Update<true, false>(added, added);
    if (removed != nullptr) Update<false, true>(removed, removed);
  }

 private:
  template <bool kAdd, bool kRemove>
  HWY_INLINE void Update(const T* added, const T* removed) {
    const hn::ScalableTag<Sum> d;
    const hn::Rebind<T, decltype(d)> narrow;
    const auto invalid = hn::Set(d, static_cast<Sum>(invalid_));
    const int lanes = static_cast<int>(hn::Lanes(d));
    int x = 0;
    for (; x + lanes <= width_; x += lanes) {
      auto sum = hn::Load(d, sums_ + x);
      auto count = hn::Load(d, counts_ + x);
      if constexpr (kAdd) {
        const auto value = hn::PromoteTo(d, hn::LoadU(narrow, added + x));
        const auto valid = hn::Ne(value, invalid);
        sum = hn::Add(sum, hn::IfThenElseZero(valid, value));
        count = hn::Sub(count, hn::VecFromMask(d, valid));
      }
      if constexpr (kRemove) {
        const auto value = hn::PromoteTo(d, hn::LoadU(narrow, removed + x));
        const auto valid = hn::Ne(value, invalid);
        sum = hn::Sub(sum, hn::IfThenElseZero(valid, value));
        count = hn::Add(count, hn::VecFromMask(d, valid));
      }
      hn::Store(sum, d, sums_ + x);
      hn::Store(count, d, counts_ + x);
    }
    for (; x < width_; ++x) {
      if (kAdd && added[x] != invalid_) {
        sums_[x] += static_cast<Sum>(added[x]);
        ++counts_[x];
      }
      if (kRemove && removed[x] != invalid_) {
        sums_[x] -= static_cast<Sum>(removed[x]);
        --counts_[x];
      }
    }
  }

  Sum* sums_;
  Sum* counts_;
  int width_;
  T invalid_;
};

/// Running totals of a row of column sums: at()[x] is the sum before pixel x, counted from some pixel on. They wrap
/// around; the difference of two is a window's sum again. Beside the row they go on, so that no window need be clipped,
/// and a vector further.
template <class Sum>
class RunningTotals {
 public:
  using Word = std::make_unsigned_t<Sum>;

  RunningTotals(ScratchArrays& arrays, int width, int radius)
      : at_(arrays.take<Word>(totals_length(width, radius)) + radius), width_(width), radius_(radius) {
    std::fill_n(at_ - radius, totals_length(width, radius), Word{0});
  }
  const Word* at() const { return at_; }

  void StartRow(const Sum* values) {
    values_ = values;
    done_ = -1;
  }
  /// Makes differences hold for the windows around [first, last), which lies right of what was asked for before.
  void Cover(int first, int last) {
    const int from = std::max(0, first - radius_);
    const int to = std::min(width_, last + radius_);
    if (from > done_) {
      at_[from] = 0;
      done_ = from;
    }
    Extend(to);
    if (to == width_) std::fill_n(at_ + width_ + 1, radius_, at_[width_]);
  }

 private:
  HWY_INLINE void Extend(int to) {
    // Blocks of 128 bits, in which lanes are added up by shifts.
    const hn::CappedTag<Word, 16 / sizeof(Word)> d;
    const hn::RebindToSigned<decltype(d)> signed_d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int x = done_;
    auto total = hn::Set(d, at_[x]);
    for (; x + lanes <= to; x += lanes) {
      auto sums = hn::BitCast(d, hn::LoadU(signed_d, values_ + x));
      sums = hn::Add(sums, hn::ShiftLeftLanes<1>(d, sums));
      if constexpr (sizeof(Word) == 4) sums = hn::Add(sums, hn::ShiftLeftLanes<2>(d, sums));
      total = hn::Add(sums, total);
      hn::StoreU(total, d, at_ + x + 1);
      total = hn::Broadcast<16 / sizeof(Word) - 1>(total);
    }
    for (; x < to; ++x) at_[x + 1] = at_[x] + static_cast<Word>(values_[x]);
    done_ = std::max(done_, to);
  }

  Word* at_;
  const Sum* values_ = nullptr;
  int width_, radius_;
  int done_ = -1;  ///< Totals hold up to here.
};

/// The totals that the windows of a row are taken from.
template <class T>
struct WindowTotals {
  using Sum = typename WindowSum<T>::Type;
  using Word = std::make_unsigned_t<Sum>;
  const Word* sums;
  const Word* counts;
  int window;
  bool all;  ///< mean_all

  Sum sum(int x) const { return Difference(sums, x); }
  Sum count(int x) const { return Difference(counts, x); }

 private:
  Sum Difference(const Word* totals, int x) const {
    return static_cast<Sum>(totals[x + window / 2 + 1] - totals[x - window / 2]);
  }
};

/// Fills [first, last) of a row. 32-bit sums are divided as doubles: dividends stay below 2^33 and divisors below 2^18,
/// so both are exact, a quotient that is no integer is at least 2^-18 away from the next one, which is far more than
/// its rounding error, and the quotient rounded down is that of the integers.
inline void FillMeanRun(const WindowTotals<std::int16_t>& totals, int first, int last, std::int16_t invalid,
                        std::int16_t* out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  const hn::Rebind<std::uint32_t, decltype(d)> du32;
  const hn::Rebind<std::int16_t, decltype(d)> d16;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int before = totals.window / 2, behind = before + 1;
  const auto fixed_divisor = hn::Set(d, static_cast<double>(totals.window * totals.window - 1));
  for (int x = first; x < last; x += lanes) {
    const auto difference = [&](const std::uint32_t* from) HWY_ATTR {
      const auto sum = hn::Sub(hn::LoadU(du32, from + x + behind), hn::LoadU(du32, from + x - before));
      return hn::PromoteTo(d, hn::BitCast(d32, sum));
    };
    const auto sum = difference(totals.sums);
    const auto count = difference(totals.counts);
    auto dividend = sum;
    auto divisor = fixed_divisor;
    if (!totals.all) {
      dividend = hn::Add(hn::Add(sum, sum), count);
      divisor = hn::Max(hn::Add(count, count), hn::Set(d, 1.0));
    }
    auto mean = hn::Floor(hn::Div(dividend, divisor));
    if (!totals.all) mean = hn::IfThenElse(hn::Eq(count, hn::Zero(d)), hn::Set(d, static_cast<double>(invalid)), mean);
    StoreFirst(d16, hn::DemoteTo(d16, hn::DemoteTo(d32, mean)), last - x, out + x);
  }
}

inline void FillMeanRun(const WindowTotals<std::int32_t>& totals, int first, int last, std::int32_t,
                        std::int32_t* out) {
  for (int x = first; x < last; ++x) {
    const std::int64_t sum = totals.sum(x), count = totals.count(x);
    if (totals.all)
      out[x] = static_cast<std::int32_t>(definitions::fill_mean_all(sum, totals.window));
    else if (count > 0)
      out[x] = static_cast<std::int32_t>(definitions::fill_mean(sum, count));
  }
}

template <class T>
void FillMeanRows(const FillJob<T>& job, int first, int last, int worker) {
  using Sum = typename WindowSum<T>::Type;
  const int width = job.width(), height = job.height(), window = job.plan.options.fill_window, radius = window / 2;
  ScratchArrays arrays(job.scratch.work.row(worker));
  auto* const valid = arrays.take<std::uint64_t>(bit_words(width));
  ColumnSums<T> columns(arrays, width, job.invalid());
  RunningTotals<Sum> sums(arrays, width, radius), counts(arrays, width, radius);
  const WindowTotals<T> totals{sums.at(), counts.at(), window, job.plan.options.fill == StereoFill::mean_all};
  const auto row = [&](int y) HWY_ATTR { return y >= 0 && y < height ? job.in.row(y) : nullptr; };
  for (int y = first - radius; y < first + radius; ++y) columns.Move(row(y), nullptr);
  for (int y = first; y < last; ++y) {
    columns.Move(row(y + radius), y > first ? row(y - radius - 1) : nullptr);
    job.copy_row(y);
    if (!job.fills_row(y)) continue;
    ValidBits(job.in.row(y), width, job.invalid(), valid);
    if (find_bit(valid, 0, width, false) == width) continue;
    sums.StartRow(columns.sums());
    counts.StartRow(columns.counts());
    T* const out = job.out.row(y);
    job.for_each_hole(valid, [&](int begin, int end) HWY_ATTR {
      sums.Cover(begin, end);
      counts.Cover(begin, end);
      FillMeanRun(totals, begin, end, job.invalid(), out);
    });
  }
}

template <class T>
void FillMean(const FillJob<T>& job) {
  const auto band = [&](int first, int last, int worker) HWY_ATTR { FillMeanRows(job, first, last, worker); };
  // A band costs a window's height of extra rows to start with.
  job.threads.rows(job.height(), std::max(fill_rows_per_band, job.plan.options.fill_window), band);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_FILL_MEAN_INL_H_

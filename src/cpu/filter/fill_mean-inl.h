// SPDX-License-Identifier: Apache-2.0
// Filling with window means: sums and counts of valid pixels run down the columns, totals of them along the row; the
// difference of two totals is a window's sum. All are exact integers. Compiled once per target.

#if defined(VERGENCE_CPU_FILTER_FILL_MEAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_FILTER_FILL_MEAN_INL_H_
#undef VERGENCE_CPU_FILTER_FILL_MEAN_INL_H_
#else
#define VERGENCE_CPU_FILTER_FILL_MEAN_INL_H_
#endif

#include <algorithm>
#include <cstdint>
#include <functional>

#include "cpu/filter/fill_job.hpp"
#include "cpu/filter/pixel_bits-inl.h"
#include "definitions/filter/fill.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums and counts of the valid pixels of each column in the rows of the window.
template <class T>
class ColumnSums {
 public:
  using Sum = typename WindowSum<T>::Type;

  ColumnSums(Cutter& cut, int width, T invalid)
      : sums_(cut.take<Sum>(width)), counts_(cut.take<Sum>(width)), width_(width), invalid_(invalid) {
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

template <class T>
void FillMeanRows(const FillJob<T>& job, int first, int last, int worker) {
  const int width = job.width(), height = job.height(), window = job.plan.options.fill_window, radius = window / 2;
  const bool all = job.plan.options.fill == Fill::mean_all;
  Cutter cut(job.scratch.work.row(worker));
  auto* const valid = cut.take<std::uint64_t>(bit_words(width));
  auto* const sums = cut.take<std::int64_t>(width + 1);
  auto* const counts = cut.take<std::int64_t>(width + 1);
  ColumnSums<T> columns(cut, width, job.invalid());
  const auto row = [&](int y) HWY_ATTR { return y >= 0 && y < height ? job.in.row(y) : nullptr; };
  for (int y = first - radius; y < first + radius; ++y) columns.Move(row(y), nullptr);
  for (int y = first; y < last; ++y) {
    columns.Move(row(y + radius), y > first ? row(y - radius - 1) : nullptr);
    job.copy_row(y);
    if (!job.fills_row(y)) continue;
    ValidBits(job.in.row(y), width, job.invalid(), valid);
    if (find_bit(valid, 0, width, false) == width) continue;
    sums[0] = counts[0] = 0;
    for (int x = 0; x < width; ++x) {
      sums[x + 1] = sums[x] + columns.sums()[x];
      counts[x + 1] = counts[x] + columns.counts()[x];
    }
    T* const out = job.out.row(y);
    job.for_each_hole(valid, [&](int begin, int end) {
      for (int x = begin; x < end; ++x) {
        const int from = std::max(0, x - radius);
        const int to = std::min(width, x + radius + 1);
        const std::int64_t sum = sums[to] - sums[from];
        const std::int64_t count = counts[to] - counts[from];
        if (all)
          out[x] = static_cast<T>(definitions::fill_mean_all(sum, window));
        else if (count > 0)
          out[x] = static_cast<T>(definitions::fill_mean(sum, count));
      }
    });
  }
}

template <class T>
void FillMean(const FillJob<T>& job) {
  const auto band = [&](int first, int last, int worker) HWY_ATTR { FillMeanRows(job, first, last, worker); };
  // A band costs a window's height of extra rows to start with.
  job.threads.rows(job.height(), std::max(fill_rows_per_band, job.plan.options.fill_window), std::cref(band));
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_FILTER_FILL_MEAN_INL_H_

// SPDX-License-Identifier: Apache-2.0
// Filling from the background: each hole of a row between its two ends, then rows without any valid pixel. Compiled
// once per target.

#if defined(VERGENCE_CPU_POSTFILTER_FILL_BACKGROUND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_POSTFILTER_FILL_BACKGROUND_INL_H_
#undef VERGENCE_CPU_POSTFILTER_FILL_BACKGROUND_INL_H_
#else
#define VERGENCE_CPU_POSTFILTER_FILL_BACKGROUND_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "cpu/postfilter/fill_job.hpp"
#include "cpu/postfilter/pixel_bits-inl.h"
#include "definitions/postfilter/fill.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

constexpr std::int32_t kFilled = -1;   ///< The row has a valid pixel.
constexpr std::int32_t kNowhere = -2;  ///< There is no row to fill from.

/// Writes into row y what belongs into the holes of row `source`; false where that has no valid pixel.
template <class T>
HWY_INLINE bool FillRow(const FillJob<T>& job, std::uint64_t* valid, int source, int y) {
  const T* const from = job.in.row(source);
  T* const to = job.out.row(y);
  const int width = job.width();
  ValidBits(from, width, job.invalid(), valid);
  if (find_bit(valid, 0, width, true) == width) return false;
  for_each_hole(valid, width, [&](int first, int last) {
    const int left = first > 0 ? from[first - 1] : job.plan.invalid;
    const int right = last < width ? from[last] : job.plan.invalid;
    const auto value = static_cast<T>(definitions::fill_background(left, right, job.plan.invalid));
    first = std::max(first, job.left());
    last = std::min(last, job.right());
    for (int x = first; x < last; ++x) to[x] = value;
  });
  return true;
}

/// For every empty row the row that it is filled from.
template <class T>
void ChooseRows(const FillJob<T>& job, std::int32_t* rows) {
  int above = -1;
  int below = 0;
  for (int y = 0; y < job.height(); ++y) {
    if (rows[y] == kFilled) {
      above = y;
      continue;
    }
    for (below = std::max(below, y); below < job.height() && rows[below] != kFilled;) ++below;
    if (above < 0)
      rows[y] = below < job.height() ? below : kNowhere;
    else
      rows[y] = below < job.height() && definitions::is_nearer_row(below - y, above - y) ? below : above;
  }
}

template <class T>
void FillBackground(const FillJob<T>& job) {
  std::int32_t* const rows = job.scratch.rows.data();
  const auto fill = [&](int first, int last, int worker) HWY_ATTR {
    auto* const valid =
        ScratchArrays(job.scratch.work.row(worker)).template take<std::uint64_t>(bit_words(job.width()));
    for (int y = first; y < last; ++y) {
      job.copy_row(y);
      bool filled = false;
      if (job.fills_row(y)) {
        filled = FillRow(job, valid, y, y);
      } else {
        ValidBits(job.in.row(y), job.width(), job.invalid(), valid);
        filled = find_bit(valid, 0, job.width(), true) < job.width();
      }
      rows[y] = filled ? kFilled : kNowhere;
    }
  };
  job.threads.rows(job.height(), fill_rows_per_band, fill);
  if (std::find(rows, rows + job.height(), kNowhere) == rows + job.height()) return;

  ChooseRows(job, rows);
  const auto fill_empty = [&](int first, int last, int worker) HWY_ATTR {
    auto* const valid =
        ScratchArrays(job.scratch.work.row(worker)).template take<std::uint64_t>(bit_words(job.width()));
    for (int y = first; y < last; ++y) {
      if (rows[y] < 0 || !job.fills_row(y)) continue;
      const T* const source = job.in.row(rows[y]);
      std::copy(source + job.left(), source + job.right(), job.out.row(y) + job.left());
      FillRow(job, valid, rows[y], y);
    }
  };
  job.threads.rows(job.height(), fill_rows_per_band, fill_empty);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_POSTFILTER_FILL_BACKGROUND_INL_H_

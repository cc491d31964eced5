// SPDX-License-Identifier: Apache-2.0
// Makes pixels invalid that show nothing, or whose match shows nothing. Masks of rectified pictures are one run of
// ones in nearly every row, with zeros before and behind it: only pixels that may meet a zero are looked at.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cpu/postfilter/stages.hpp"

namespace vergence::cpu {
namespace {

/// Columns first .. end - 1.
struct ShownRun {
  int first, end;
};

/// Ones without a gap, from the first one of the row on.
ShownRun first_shown_run(const std::uint8_t* mask, int width) {
  const auto* const one = static_cast<const std::uint8_t*>(std::memchr(mask, 1, static_cast<std::size_t>(width)));
  if (one == nullptr) return {0, 0};
  const std::uint8_t* const end = mask + width;
  const auto* const zero = static_cast<const std::uint8_t*>(std::memchr(one, 0, static_cast<std::size_t>(end - one)));
  return {static_cast<int>(one - mask), static_cast<int>((zero != nullptr ? zero : end) - mask)};
}

template <class T>
struct SourceRow {
  const std::uint8_t *own, *other;
  int width;
  bool left;  ///< The reference picture is the left one.
  bool looks_at_match;
  T invalid;

  bool shows_nothing(int column) const { return column >= 0 && column < width && other[column] == 0; }
  void cut(T* row, int first, int end) const {
    for (int x = first; x < end; ++x) {
      const int d = row[x];
      if (d == invalid) continue;
      const int lower = left ? -(d >> 4) : d >> 4, upper = left ? -((d + 15) >> 4) : (d + 15) >> 4;
      const bool lost = looks_at_match && (shows_nothing(x + lower) || shows_nothing(x + upper));
      if (own[x] == 0 || lost) row[x] = invalid;
    }
  }
};

}  // namespace

template <class T>
void source(const StereoPlan& plan, Context& context, ImageView<T> disparity, SourceRule rule) {
  constexpr int rows_per_band = 64;
  const bool left = plan.matches_left();
  const Image<std::uint8_t>& own = left ? plan.masks->left : plan.masks->right;
  const Image<std::uint8_t>& other = left ? plan.masks->right : plan.masks->left;
  const int width = plan.size.width, low = plan.options.min_disparity, high = plan.last_disparity();
  const bool matches = rule == SourceRule::pixel_and_match;
  const auto band = [&](int first_row, int end_row, int) {
    for (int y = first_row; y < end_row; ++y) {
      const SourceRow<T> row{own.row(y), other.row(y), width, left, matches, static_cast<T>(plan.invalid)};
      // Pixels that keep what they have: they show something, and so does every candidate of theirs.
      ShownRun kept = first_shown_run(row.own, width);
      if (matches) {
        const ShownRun seen = first_shown_run(row.other, width);
        kept.first = std::max(kept.first, left ? seen.first + high : seen.first - low);
        kept.end = std::min(kept.end, left ? seen.end + low : seen.end - high);
      }
      kept.first = std::clamp(kept.first, 0, width);
      kept.end = std::clamp(kept.end, kept.first, width);
      row.cut(disparity.row(y), 0, kept.first);
      row.cut(disparity.row(y), kept.end, width);
    }
  };
  context.threads.rows(plan.size.height, rows_per_band, band);
}

template void source(const StereoPlan&, Context&, ImageView<std::int16_t>, SourceRule);
template void source(const StereoPlan&, Context&, ImageView<std::int32_t>, SourceRule);

}  // namespace vergence::cpu

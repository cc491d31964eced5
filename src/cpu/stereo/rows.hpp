// SPDX-License-Identifier: Apache-2.0
// Rows on their way from the pictures to the maps. In: rows of a pair, prefiltered or turned into census words,
// mirrored as band.hpp says, kept for as long as a window needs them, so that no whole prepared picture is ever stored.
// Out: finished rows, mirrored back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cpu/context.hpp"
#include "cpu/stereo/band.hpp"
#include "plan/stereo/match_maps.hpp"
#include "plan/stereo/plan.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// One row of a picture after x-Sobel, clipped to +-cap and stored as cap + derivative; `above` and `below` are its
/// neighbours. Source: decisions follow OpenCV's StereoBM prefilter (K. Konolige, "Small vision systems", ISRR 1997,
/// for the idea).
template <class P>
void xsobel_row(const Context& context, const P* above, const P* row, const P* below, int width, int cap,
                std::uint8_t* out);

/// Rows of one picture after the prefilter, in E.
template <class P, class E>
class FilteredRows {
 public:
  static constexpr int kept = 8;  ///< Rows that stay valid after they were asked for.
  static constexpr int pad = 64;  ///< Elements before and after a row that hold its edge values.

  FilteredRows(const StereoPlan& plan, StereoPrefilter filter) : plan_(&plan), filter_(filter) {}
  void begin(const Context& context, ImageView<const P> picture);
  /// Row y, 0 <= y < height. Rows before y - kept + 1 may be gone.
  const E* row(int y);
  std::size_t bytes() const { return memory_.capacity() * sizeof(E); }

 private:
  void make(int y, E* out);

  const StereoPlan* plan_;
  StereoPrefilter filter_;
  const Context* context_ = nullptr;
  ImageView<const P> picture_;
  std::ptrdiff_t stride_ = 0;
  std::vector<E> memory_;
  std::vector<int> held_;
};

/// Census words of row y as byte planes `plane_stride` apart; rows[0..6] are y - 3 .. y + 3, clamped to the picture,
/// each padded. R. Zabih, J. Woodfill, "Non-parametric local transforms for computing visual correspondence", ECCV
/// 1994, section 3.
template <class E>
void census_row(const Context& context, const E* const* rows, int width, StereoCost cost, std::uint8_t* out,
                std::ptrdiff_t plane_stride);

/// Bytes of a census word, 1 for other costs.
int census_planes(StereoCost cost);

/// The rows that a band of output rows needs, made on demand in ascending order. P is a pixel, F a pixel after the
/// prefilter, E what is matched: F itself, or a byte of a census word.
template <class P, class F, class E>
class PreparedRows {
 public:
  /// With a `margin` rows are wider than the picture by that many columns on both sides, as the layout's width says.
  /// They repeat the edge, or, in the other picture, continue with zeros where `outside` is `zero`.
  PreparedRows(const StereoPlan& plan, const MatchLayout& layout, int margin = 0);
  void begin(const Context& context, ImageView<const P> left, ImageView<const P> right);
  /// Row y; a row outside the picture costs nothing anywhere. Rows asked for ascend, but for those a window higher that
  /// leave it again.
  RowPair<E> row(int y);
  RowPair<E> zeros() { return row(-1); }
  /// 0 at positions outside the other picture, where candidates there are none, else 255.
  const std::uint8_t* inside() const { return inside_.data(); }
  std::size_t bytes() const;

 private:
  void make(int y, E* ref, E* other);
  void place_ref(const E* in, E* out) const;
  void place_other(const E* in, E* out) const;
  /// The row of one picture as it is matched; census words in `words_`.
  const E* matched(FilteredRows<P, F>& rows, int y);
  /// The same with margins; in `margins_` where there are any.
  const E* widened(const E* row, bool zeros);

  const StereoPlan* plan_;
  const MatchLayout* layout_;
  const Context* context_ = nullptr;
  FilteredRows<P, F> first_, second_;  ///< Reference and other picture.
  int slots_;                          ///< Rows kept, and after them one row of zeros.
  int margin_;
  std::ptrdiff_t ref_stride_, other_stride_, ref_step_, other_step_;
  std::vector<E> ref_, other_;
  std::vector<std::uint8_t> words_;
  std::vector<E> margins_;
  std::vector<std::uint8_t> inside_;
  std::vector<int> held_;
};

/// What the maps ask of every row.
template <class T>
MatchWants wants_of(const StereoPlan& plan, const MatchMaps<T>& maps) {
  const bool shows_second = !maps.confidence.empty() || !maps.second_cost.empty();
  return {.second = shows_second || plan.options.uniqueness_ratio > 0,
          .only_uniqueness = !shows_second,
          .confidence = !maps.confidence.empty(),
          .neighbours = !maps.cost_before.empty() || !maps.cost_after.empty(),
          .narrow_disparities = sizeof(T) == 2};
}

/// Pixels that may get a disparity: those of the region of interest, but for the margins where windows must be whole.
/// May be empty.
inline Rect shown_pixels(const StereoPlan& plan) {
  const bool whole_windows = plan.options.border == StereoBorder::invalid;
  const int rx = whole_windows ? plan.rx : 0, ry = whole_windows ? plan.ry : 0;
  const Rect& roi = plan.roi;
  const int x = std::max(roi.x, rx), y = std::max(roi.y, ry);
  const int end_x = std::min(roi.x + roi.width, plan.size.width - rx);
  const int end_y = std::min(roi.y + roi.height, plan.size.height - ry);
  if (end_x <= x || end_y <= y) return {0, 0, 0, 0};
  return {x, y, end_x - x, end_y - y};
}

/// Puts finished rows into the maps: mirrored back, outside the region of interest invalid.
template <class S, class T>
class Output {
 public:
  Output(const StereoPlan& plan, const MatchMaps<T>& maps) : plan_(plan), maps_(maps), shown_(shown_pixels(plan)) {}

  void put(int y, const MatchedRow<S>& row) const {
    const RowResults<S>& results = row.results;
    const T* disparity = static_cast<const T*>(row.disparity);
    place(maps_.disparity, y, static_cast<T>(plan_.invalid), [&](int x) { return disparity[x]; });
    place(maps_.confidence, y, std::uint8_t{0}, [&](int x) { return row.confidence[x]; });
    place(maps_.cost, y, no_cost, [&](int x) { return as_cost(results.cost[x]); });
    place(maps_.second_cost, y, no_cost, [&](int x) { return as_cost(results.second[x]); });
    place(maps_.cost_before, y, no_cost, [&](int x) { return as_cost(results.near[x].before); });
    place(maps_.cost_after, y, no_cost, [&](int x) { return as_cost(results.near[x].after); });
  }

 private:
  static std::uint32_t as_cost(S cost) { return cost == none<S> ? no_cost : static_cast<std::uint32_t>(cost); }

  template <class V, class Value>
  void place(ImageView<V> map, int y, V absent, Value value) const {
    if (map.empty()) return;
    V* out = map.row(y);
    const int width = plan_.size.width, end = shown_.x + shown_.width;
    std::fill(out, out + shown_.x, absent);
    if (plan_.matches_left())
      for (int x = shown_.x; x < end; ++x) out[x] = value(x);
    else
      for (int x = shown_.x; x < end; ++x) out[x] = value(width - 1 - x);
    std::fill(out + end, out + width, absent);
  }

  const StereoPlan& plan_;
  const MatchMaps<T>& maps_;
  const Rect shown_;
};

template <class T>
void clear_row(const StereoPlan& plan, const MatchMaps<T>& maps, int y) {
  const auto fill = [&](auto map, auto value) {
    if (!map.empty())
      std::fill_n(map.row(y), plan.size.width, static_cast<std::remove_reference_t<decltype(*map.data())>>(value));
  };
  fill(maps.disparity, plan.invalid);
  fill(maps.confidence, 0);
  for (const auto& map : {maps.cost, maps.second_cost, maps.cost_before, maps.cost_after}) fill(map, no_cost);
}

/// The rows above and below those that may get disparities.
template <class T>
void clear_other_rows(const StereoPlan& plan, const MatchMaps<T>& maps) {
  const Rect shown = shown_pixels(plan);
  for (int y = 0; y < plan.size.height; ++y)
    if (y < shown.y || y >= shown.y + shown.height) clear_row(plan, maps, y);
}

}  // namespace vergence::cpu

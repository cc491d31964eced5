// SPDX-License-Identifier: Apache-2.0
// From finished rows to the maps of `match`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cpu/stereo/band.hpp"
#include "plan/stereo/match_maps.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

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

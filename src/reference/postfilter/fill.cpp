// SPDX-License-Identifier: Apache-2.0
// Reference: hole filling. Every rule reads the unfilled map `in` only, and writes nothing outside the plan's region.
#include "definitions/postfilter/fill.h"

#include <cstdint>

#include "reference/postfilter/stages.hpp"

namespace vergence::reference {
namespace {

/// The first valid value at (x, y), (x + step, y), ..., or `invalid`.
template <class T>
int first_valid(const StereoPlan& plan, ImageView<const T> in, int x, int y, int step) {
  for (; x >= 0 && x < plan.size.width; x += step)
    if (in(x, y) != plan.invalid) return in(x, y);
  return plan.invalid;
}

/// The row that row y is filled from: itself, or where it is empty the nearest that is not; -1 in an empty map.
template <class T>
int source_row(const StereoPlan& plan, ImageView<const T> in, int y) {
  int best = -1;
  for (int other = 0; other < plan.size.height; ++other) {
    if (first_valid(plan, in, 0, other, 1) == plan.invalid) continue;
    if (best < 0 || definitions::is_nearer_row(other - y, best - y)) best = other;
  }
  return best;
}

template <class T>
int background(const StereoPlan& plan, ImageView<const T> in, int x, int y) {
  const int row = source_row(plan, in, y);
  if (row < 0) return plan.invalid;
  return definitions::fill_background(first_valid(plan, in, x, row, -1), first_valid(plan, in, x, row, 1),
                                      plan.invalid);
}

template <class T>
int nearest(const StereoPlan& plan, ImageView<const T> in, int x, int y) {
  bool found = false;
  int best_x = 0;
  int best_y = 0;
  for (int v = 0; v < plan.size.height; ++v)
    for (int u = 0; u < plan.size.width; ++u) {
      if (in(u, v) == plan.invalid) continue;
      if (found && !definitions::is_nearer(u - x, v - y, best_x - x, best_y - y)) continue;
      found = true;
      best_x = u;
      best_y = v;
    }
  return found ? in(best_x, best_y) : plan.invalid;
}

template <class T>
int window_mean(const StereoPlan& plan, ImageView<const T> in, int x, int y) {
  const int radius = plan.options.fill_window / 2;
  std::int64_t sum = 0;
  std::int64_t count = 0;
  for (int v = y - radius; v <= y + radius; ++v)
    for (int u = x - radius; u <= x + radius; ++u) {
      if (u < 0 || u >= plan.size.width || v < 0 || v >= plan.size.height) continue;
      if (in(u, v) == plan.invalid) continue;
      sum += in(u, v);
      ++count;
    }
  if (plan.options.fill == StereoFill::mean_all)
    return static_cast<int>(definitions::fill_mean_all(sum, plan.options.fill_window));
  return count > 0 ? static_cast<int>(definitions::fill_mean(sum, count)) : plan.invalid;
}

template <class T>
int filled(const StereoPlan& plan, ImageView<const T> in, int x, int y) {
  switch (plan.options.fill) {
    case StereoFill::none:
      return plan.invalid;
    case StereoFill::background:
      return background(plan, in, x, y);
    case StereoFill::nearest:
      return nearest(plan, in, x, y);
    case StereoFill::mean:
    case StereoFill::mean_all:
      return window_mean(plan, in, x, y);
  }
  return plan.invalid;
}

}  // namespace

template <class T>
void fill(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      const bool in_region =
          x >= plan.roi.x && x < plan.roi.x + plan.roi.width && y >= plan.roi.y && y < plan.roi.y + plan.roi.height;
      const bool is_hole = in(x, y) == plan.invalid && in_region;
      out(x, y) = is_hole ? static_cast<T>(filled(plan, in, x, y)) : in(x, y);
    }
}

template void fill(const StereoPlan&, ImageView<const std::int16_t>, ImageView<std::int16_t>);
template void fill(const StereoPlan&, ImageView<const std::int32_t>, ImageView<std::int32_t>);

}  // namespace vergence::reference

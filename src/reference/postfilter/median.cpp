// SPDX-License-Identifier: Apache-2.0
// Reference: the median of the valid values in a window that is clipped to the picture.
#include "definitions/postfilter/median.h"

#include <algorithm>
#include <vector>

#include "reference/postfilter/stages.hpp"

namespace vergence::reference {
namespace {

template <class T>
T median_at(const StereoPlan& plan, ImageView<const T> in, int x, int y) {
  const int radius = plan.options.median / 2;
  std::vector<T> values;
  for (int v = y - radius; v <= y + radius; ++v)
    for (int u = x - radius; u <= x + radius; ++u) {
      if (u < 0 || u >= plan.size.width || v < 0 || v >= plan.size.height) continue;
      if (in(u, v) != plan.invalid) values.push_back(in(u, v));
    }
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(definitions::median_rank(static_cast<int>(values.size())))];
}

}  // namespace

template <class T>
void median(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x)
      out(x, y) = in(x, y) == plan.invalid ? in(x, y) : median_at(plan, in, x, y);
}

template void median(const StereoPlan&, ImageView<const std::int16_t>, ImageView<std::int16_t>);
template void median(const StereoPlan&, ImageView<const std::int32_t>, ImageView<std::int32_t>);

}  // namespace vergence::reference

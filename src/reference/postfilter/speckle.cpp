// SPDX-License-Identifier: Apache-2.0
// Reference: the speckle filter. Every region is walked from its first pixel.
#include "definitions/postfilter/speckle.h"

#include <cstdint>
#include <vector>

#include "reference/postfilter/stages.hpp"

namespace vergence::reference {
namespace {

struct Point {
  int x;
  int y;
};

/// The pixels of the region of `start`, each marked in `seen`.
template <class T>
std::vector<Point> region_of(const StereoPlan& plan, ImageView<T> disparity, Point start, Image<std::uint8_t>& seen) {
  std::vector<Point> region{start};
  seen(start.x, start.y) = 1;
  for (std::size_t i = 0; i < region.size(); ++i) {
    const Point at = region[i];
    for (const Point next : {Point{at.x - 1, at.y}, {at.x + 1, at.y}, {at.x, at.y - 1}, {at.x, at.y + 1}}) {
      if (next.x < 0 || next.x >= plan.size.width || next.y < 0 || next.y >= plan.size.height) continue;
      if (seen(next.x, next.y) != 0) continue;
      if (!definitions::is_same_region(disparity(at.x, at.y), disparity(next.x, next.y), plan.options.speckle_range,
                                       plan.invalid))
        continue;
      seen(next.x, next.y) = 1;
      region.push_back(next);
    }
  }
  return region;
}

}  // namespace

template <class T>
void speckle(const StereoPlan& plan, ImageView<T> disparity) {
  Image<std::uint8_t> seen(plan.size, 0);
  std::vector<Point> removed;
  for (int y = 0; y < plan.size.height; ++y)
    for (int x = 0; x < plan.size.width; ++x) {
      if (disparity(x, y) == plan.invalid || seen(x, y) != 0) continue;
      const std::vector<Point> region = region_of(plan, disparity, {x, y}, seen);
      if (definitions::is_speckle(static_cast<std::int64_t>(region.size()), plan.options.speckle_size))
        removed.insert(removed.end(), region.begin(), region.end());
    }
  for (const Point& point : removed) disparity(point.x, point.y) = static_cast<T>(plan.invalid);
}

template void speckle(const StereoPlan&, ImageView<std::int16_t>);
template void speckle(const StereoPlan&, ImageView<std::int32_t>);

}  // namespace vergence::reference

// SPDX-License-Identifier: Apache-2.0
// NearPixels: discs of pixels, row by row. All in whole numbers, so that what is near is the same everywhere.
#include "track/near_pixels.hpp"

#include <algorithm>
#include <cmath>

#include "definitions/track/position.h"

namespace vergence {
namespace {

/// The largest number whose square is at most `value`.
std::int64_t root(std::int64_t value) {
  auto result = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  while (result * result > value) --result;
  while ((result + 1) * (result + 1) <= value) ++result;
  return result;
}

std::int64_t floor_of(std::int64_t position, std::int64_t units) {
  return position >= 0 ? position / units : -((units - 1 - position) / units);
}

}  // namespace

void NearPixels::restart(Size size, std::int64_t distance) {
  size_ = size;
  distance_ = distance;
  pitch_ = (static_cast<std::size_t>(size.width) + 63) / 64 + 3;
  words_.assign(pitch_ * static_cast<std::size_t>(size.height), 0);
  reaches_.clear();
  const std::int64_t units = definitions::position_units();
  for (std::int64_t dy = 0; dy < size.height && dy * dy * units * units < distance; ++dy)
    reaches_.push_back(
        static_cast<int>(std::min<std::int64_t>(root(distance - 1 - dy * dy * units * units) / units, size.width)));
}

void NearPixels::mark(std::int64_t first, std::int64_t last, int y) {
  first = std::max<std::int64_t>(first, 0);
  last = std::min<std::int64_t>(last, size_.width - 1);
  if (first > last) return;
  std::uint64_t* const row = this->row(y);
  const auto begin = static_cast<std::size_t>(first / 64), end = static_cast<std::size_t>(last / 64);
  const std::uint64_t from = ~std::uint64_t{0} << (first % 64), to = ~std::uint64_t{0} >> (63 - last % 64);
  if (begin == end) {
    row[begin] |= from & to;
    return;
  }
  row[begin] |= from;
  std::fill(row + begin + 1, row + end, ~std::uint64_t{0});
  row[end] |= to;
}

void NearPixels::add(int x, int y) {
  const int rows = static_cast<int>(reaches_.size());
  for (int v = std::max(y - rows + 1, 0); v <= std::min(y + rows - 1, size_.height - 1); ++v) {
    const int reach = reaches_[static_cast<std::size_t>(std::abs(v - y))];
    if (reach > short_reach) {
      mark(x - reach, x + reach, v);
      continue;
    }
    // From 32 pixels before the row on.
    const std::uint64_t bits = ~std::uint64_t{0} >> (63 - 2 * reach);
    const auto first = static_cast<unsigned>(x - reach + 64);
    std::uint64_t* const words = row(v) - 1 + first / 64;
    words[0] |= bits << (first % 64);
    words[1] |= bits >> 1 >> (63 - first % 64);
  }
}

void NearPixels::add(TrackPosition at) {
  const std::int64_t units = definitions::position_units();
  const std::int64_t farthest = distance_ > 0 ? root(distance_ - 1) : -1;
  const std::int64_t first = std::max<std::int64_t>(floor_of(at.y - farthest - 1, units) + 1, 0);
  const std::int64_t last = std::min<std::int64_t>(floor_of(at.y + farthest, units), size_.height - 1);
  for (std::int64_t y = first; y <= last; ++y) {
    const std::int64_t dy = y * units - at.y;
    const std::int64_t left = distance_ - 1 - dy * dy;
    if (left < 0) continue;
    const std::int64_t reach = root(left);
    mark(floor_of(at.x - reach - 1, units) + 1, floor_of(at.x + reach, units), static_cast<int>(y));
  }
}

}  // namespace vergence

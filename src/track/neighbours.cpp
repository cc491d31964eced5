// SPDX-License-Identifier: Apache-2.0
// Neighbours: lists of points per cell; a near point lies in the same cell or in one beside it.
#include "track/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "definitions/track/position.h"

namespace vergence {
namespace {

/// Small frames of many cells gain nothing, large ones of tiny cells would need much memory.
constexpr int smallest_cell = 8;
/// Above every distance that options allow, 65535 px.
constexpr std::int64_t farthest = 65536 * 1024;

}  // namespace

void Neighbours::restart(Size size, std::int64_t distance) {
  distance_ = distance;
  const double pixels = std::sqrt(static_cast<double>(distance)) / definitions::position_units();
  cell_ = std::max(smallest_cell, static_cast<int>(std::ceil(pixels)) + 1);
  cells_ = {size.width / cell_ + 1, size.height / cell_ + 1};
  first_.assign(static_cast<std::size_t>(cells_.width) * static_cast<std::size_t>(cells_.height), -1);
  entries_.clear();
}

int Neighbours::column(std::int32_t x) const {
  return std::clamp(definitions::whole_position(x) / cell_, 0, cells_.width - 1);
}
int Neighbours::row(std::int32_t y) const {
  return std::clamp(definitions::whole_position(y) / cell_, 0, cells_.height - 1);
}

bool Neighbours::is_free(TrackPosition at) const {
  if (distance_ == 0) return true;
  for (int v = std::max(row(at.y) - 1, 0); v <= std::min(row(at.y) + 1, cells_.height - 1); ++v)
    for (int u = std::max(column(at.x) - 1, 0); u <= std::min(column(at.x) + 1, cells_.width - 1); ++u)
      for (std::int32_t i = first_[static_cast<std::size_t>(v) * static_cast<std::size_t>(cells_.width) +
                                   static_cast<std::size_t>(u)];
           i >= 0; i = entries_[static_cast<std::size_t>(i)].next) {
        const TrackPosition other = entries_[static_cast<std::size_t>(i)].at;
        const std::int64_t x = std::int64_t{at.x} - other.x, y = std::int64_t{at.y} - other.y;
        // Points that were added may lie anywhere: of components beyond all distances squares are not taken.
        if (std::max(std::abs(x), std::abs(y)) < farthest && x * x + y * y < distance_) return false;
      }
  return true;
}

void Neighbours::add(TrackPosition at) {
  std::int32_t& first = first_[static_cast<std::size_t>(row(at.y)) * static_cast<std::size_t>(cells_.width) +
                               static_cast<std::size_t>(column(at.x))];
  entries_.push_back({at, first});
  first = static_cast<std::int32_t>(entries_.size()) - 1;
}

std::size_t Neighbours::bytes() const {
  return first_.capacity() * sizeof(std::int32_t) + entries_.capacity() * sizeof(Entry);
}

}  // namespace vergence

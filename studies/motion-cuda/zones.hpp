// SPDX-License-Identifier: Apache-2.0
// The program's test-zone search, whose SADs may come from anywhere: one by one, or all of a zone at once.
#pragma once

#include <cstdlib>
#include <vector>

#include "definitions/motion/tz.h"
#include "motion-cuda/lab.hpp"

namespace vergence::studies::motion_cuda {

/// What belongs together: zero and the diamonds about it; the raster; the diamonds about the best so far.
enum class Zone { start, raster, refine };

struct Offset {
  int dx = 0, dy = 0;
};

/// Points of a zone about its centre, in the order in which they are looked at.
inline std::vector<Offset> zone_points(Zone zone, const Geometry& geometry) {
  std::vector<Offset> points;
  constexpr int mesh = definitions::tz_raster();
  if (zone == Zone::raster) {
    for (int dx = -geometry.reach / 2; dx < geometry.reach / 2; dx += mesh)
      for (int dy = -geometry.reach / 2; dy < geometry.reach / 2; dy += mesh) points.push_back({dx, dy});
    return points;
  }
  if (zone == Zone::start) points.emplace_back();
  for (int distance = 1; distance <= geometry.reach; distance *= 2)
    for (int k = 0; k < definitions::tz_count(distance); ++k)
      points.push_back({definitions::tz_x(distance, k), definitions::tz_y(distance, k)});
  return points;
}

/// `enter(zone, centre)` comes before the first of a zone's points; `sad(index, dx, dy)` is that of point `index` of
/// the zone, `sentinel` where it may not be used.
template <class Enter, class Sad>
exact::Match walk_zones(const Geometry& geometry, const Enter& enter, const Sad& sad) {
  exact::Match best, centre;
  std::size_t index = 0;
  int last_distance = 0;
  const auto attempt = [&](int dx, int dy) {
    const int cost = sad(index++, dx, dy);
    if (cost >= best.sad) return false;
    best = {dx, dy, cost};
    return true;
  };
  const auto begin = [&](Zone zone, const exact::Match& about) {
    centre = about;
    index = 0;
    enter(zone, about);
  };
  const auto diamond = [&](int distance) {
    bool better = false;
    for (int k = 0; k < definitions::tz_count(distance); ++k)
      better |= attempt(centre.dx + definitions::tz_x(distance, k), centre.dy + definitions::tz_y(distance, k));
    if (better) last_distance = distance;
  };
  begin(Zone::start, {});
  attempt(0, 0);
  for (int distance = 1; distance <= geometry.reach; distance *= 2) diamond(distance);
  constexpr int mesh = definitions::tz_raster(), most_refinements = 8;
  if (std::abs(best.dx) > mesh || std::abs(best.dy) > mesh) {
    begin(Zone::raster, {});
    for (int dx = -geometry.reach / 2; dx < geometry.reach / 2; dx += mesh)
      for (int dy = -geometry.reach / 2; dy < geometry.reach / 2; dy += mesh) attempt(dx, dy);
  }
  if (best.dx == 0 && best.dy == 0) return best;
  for (int i = 0; i < most_refinements; ++i) {
    const exact::Match before = best;
    begin(Zone::refine, before);
    for (int distance = 1; distance <= geometry.reach; distance *= 2) {
      diamond(distance);
      if (exact::ends_early(distance, last_distance)) break;
    }
    if (best == before) break;
  }
  return best;
}

}  // namespace vergence::studies::motion_cuda

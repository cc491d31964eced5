// SPDX-License-Identifier: Apache-2.0
// Points that stand still while the others move.
#include "track/still_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/picture_watch.hpp"

namespace vergence::cli {
namespace {

constexpr std::int32_t moving = 1024;  // in 1/1024 px: the median step where all moves,
constexpr std::int32_t still = 64;     // and one of a point that stays

/// What eight of ten values span.
std::int32_t span_of(std::vector<std::int32_t> values) {
  const auto low = values.begin() + std::ssize(values) / 10, high = values.end() - 1 - std::ssize(values) / 10;
  std::nth_element(values.begin(), low, values.end());
  const std::int32_t least = *low;
  std::nth_element(values.begin(), high, values.end());
  return *high - least;
}

/// Whether points that move lie in a part of where points lie: before a camera that stands, things do.
bool part_moves(const std::vector<StillPoints::Step>& steps) {
  for (const auto axis : {&TrackPosition::x, &TrackPosition::y}) {
    std::vector<std::int32_t> all, moved;
    for (const StillPoints::Step& step : steps) {
      all.push_back(step.at.*axis);
      if (step.length > still) moved.push_back(step.at.*axis);
    }
    if (10 * std::int64_t{span_of(moved)} < 7 * std::int64_t{span_of(all)}) return true;
  }
  return false;
}

}  // namespace

void StillPoints::see(std::span<const Track> tracks, std::int64_t seen) {
  std::vector<Step> steps;
  if (is_looked_at(seen))
    for (const Track& track : tracks) {
      if (track.status != TrackStatus::tracked) continue;
      const auto was = std::lower_bound(before_.begin(), before_.end(), track.id,
                                        [](const Place& place, std::uint64_t id) { return place.id < id; });
      if (was == before_.end() || was->id != track.id) continue;
      steps.push_back(
          {std::max(std::abs(track.position.x - was->at.x), std::abs(track.position.y - was->at.y)), track.position});
    }
  before_.clear();
  if (is_looked_at(seen + 1)) {
    for (const Track& track : tracks)
      if (track.status == TrackStatus::tracked) before_.push_back({track.id, track.position});
    std::sort(before_.begin(), before_.end(), [](const Place& a, const Place& b) { return a.id < b.id; });
  }
  if (steps.empty()) return;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle, {}, &Step::length);
  if (middle->length < moving || part_moves(steps)) return;
  steps_ += std::ssize(steps);
  still_ += std::ranges::count_if(steps, [](const Step& step) { return step.length <= still; });
}

std::string StillPoints::warning(const std::string& video) const {
  constexpr std::int64_t least = 100, percent = 8;
  if (steps_ < least || 100 * still_ < percent * steps_) return "";
  return fmt::format(
      "of {} steps of points in {} that were looked at, {} stand still while most move by a pixel and more: these hold "
      "on to what is no part of the scene, such as letters, stuck pixels or a part that hung: leave it out by "
      "--points-mask",
      steps_, video, still_);
}

}  // namespace vergence::cli

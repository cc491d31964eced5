// SPDX-License-Identifier: Apache-2.0
// Packs the source maps of a rig.
#include "gpu/rectify/packed_map.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "definitions/rectify/bilinear.h"
#include "gpu/shared/rectify/remap.h"

namespace vergence::gpu {
namespace {

constexpr std::int64_t largest_byte = 255;
constexpr std::int64_t largest_step = 1 << 23;  // so that no place of a line is as far off as REMAP_OUTSIDE / 2

/// One coordinate of the pixels of a run, and the last place inside the source picture.
struct RunPlaces {
  std::array<std::int64_t, REMAP_RUN> at{};
  int count = 0;
  std::int64_t last = 0;

  /// At a border any place beyond it does as well: the kernel moves it there.
  bool at_border(int i) const {
    const std::int64_t place = at[static_cast<std::size_t>(i)];
    return place == 0 || place == last;
  }
};

/// A line through a run, and what each pixel has more than it.
struct RunLine {
  std::int64_t start = 0, step = 0;
  std::array<std::int64_t, REMAP_RUN> more{};

  std::int64_t at(int i) const { return start + i * step; }
  /// Also of pixels beyond the width.
  bool is_inside(std::int64_t last) const {
    for (int i = 0; i < REMAP_RUN; ++i) {
      const std::int64_t place = at(i) + more[static_cast<std::size_t>(i)];
      if (place < 0 || place >= last) return false;
    }
    return true;
  }
};

/// From the first to the last place that is not at a border; where only one is not, from it to a neighbour.
std::int64_t step_of(const RunPlaces& places) {
  int first = 0, end = places.count - 1;
  while (first < end && places.at_border(first)) ++first;
  while (end > first && places.at_border(end)) --end;
  if (first == end) {
    if (places.count <= 1) return 0;
    first == 0 ? ++end : --first;
  }
  const auto place = [&](int i) { return places.at[static_cast<std::size_t>(i)]; };
  return (place(end) - place(first)) / (end - first);
}

/// False where the places do not follow a line closely enough.
bool fit_line(const RunPlaces& places, RunLine& line) {
  if (places.count == 0) return true;  // at the first pixel
  line.step = step_of(places);
  if (line.step < -largest_step || line.step > largest_step) return false;
  std::int64_t least = 0, most = 0;
  bool any = false;
  for (int i = 0; i < places.count; ++i) {
    const std::int64_t more = places.at[static_cast<std::size_t>(i)] - i * line.step;
    if (places.at_border(i)) continue;
    least = any ? std::min(least, more) : more;
    most = any ? std::max(most, more) : more;
    any = true;
  }
  if (!any) least = most = places.at[0];
  line.start = least - std::max<std::int64_t>(0, largest_byte - (most - least)) / 2;
  for (int i = 0; i < places.count; ++i) {
    const auto index = static_cast<std::size_t>(i);
    line.more[index] = std::clamp<std::int64_t>(places.at[index] - line.at(i), 0, largest_byte);
    if (std::clamp<std::int64_t>(line.at(i) + line.more[index], 0, places.last) != places.at[index]) return false;
  }
  return true;
}

/// Of column `first` and those right of it in row v: x, then y.
std::array<RunPlaces, 2> places_of(const rectify::SourceMap& map, int first, int v) {
  std::array<RunPlaces, 2> places;
  places[0].last = std::int64_t{1024} * (map.source.width - 1);
  places[1].last = std::int64_t{1024} * (map.source.height - 1);
  const int count = std::clamp(map.x.width() - first, 0, REMAP_RUN);  // 0: a run beyond the width
  for (int i = 0; i < count; ++i) {
    places[0].at[static_cast<std::size_t>(i)] = definitions::source_place(map.x(first + i, v));
    places[1].at[static_cast<std::size_t>(i)] = map.y(first + i, v);
  }
  places[0].count = places[1].count = count;
  return places;
}

void append_run(const RunLine& x, const RunLine& y, bool inside, PackedMaps& packed) {
  for (const std::int64_t number : {x.start - (inside ? 0 : REMAP_OUTSIDE), y.start, x.step, y.step})
    packed.runs.push_back(static_cast<std::int32_t>(number));
}

/// Appends the runs of a row; false where one does not follow lines.
bool append_runs(const rectify::SourceMap& map, int v, PackedMaps& packed) {
  for (int four = 0; four < packed.fours; ++four) {
    std::array<std::uint32_t, 2 * REMAP_RUN> words{};
    for (int i = 0; i < 4; ++i) {
      const std::array<RunPlaces, 2> places = places_of(map, four * REMAP_FOUR_RUNS + i * REMAP_RUN, v);
      RunLine x, y;
      if (!fit_line(places[0], x) || !fit_line(places[1], y)) return false;
      append_run(x, y, x.is_inside(places[0].last) && y.is_inside(places[1].last), packed);
      for (std::size_t pixel = 0; pixel < REMAP_RUN; ++pixel) {
        words[2 * pixel] |= static_cast<std::uint32_t>(x.more[pixel]) << (8 * i);
        words[2 * pixel + 1] |= static_cast<std::uint32_t>(y.more[pixel]) << (8 * i);
      }
    }
    packed.words.insert(packed.words.end(), words.begin(), words.end());
  }
  return true;
}

void append_places(const rectify::SourceMap& map, int v, PackedMaps& packed) {
  for (int u = 0; u < map.x.width(); ++u)
    packed.words.push_back(static_cast<std::uint32_t>(definitions::source_place(map.x(u, v))));
  for (int u = 0; u < map.x.width(); ++u) packed.words.push_back(static_cast<std::uint32_t>(map.y(u, v)));
}

}  // namespace

PackedMaps pack_maps(const rectify::SourceMap& left, const rectify::SourceMap& right) {
  const Size size = left.x.size();
  PackedMaps packed;
  packed.fours = (size.width + REMAP_FOUR_RUNS - 1) / REMAP_FOUR_RUNS;
  for (const rectify::SourceMap* map : {&left, &right})
    for (int v = 0; v < size.height && !packed.wide; ++v) packed.wide = !append_runs(*map, v, packed);
  if (!packed.wide) return packed;
  packed.words.clear();
  packed.words.reserve(4 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  packed.runs.assign(4, 0);
  for (const rectify::SourceMap* map : {&left, &right})
    for (int v = 0; v < size.height; ++v) append_places(*map, v, packed);
  return packed;
}

}  // namespace vergence::gpu

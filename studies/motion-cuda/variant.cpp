// SPDX-License-Identifier: Apache-2.0
// The table of rungs.
#include "motion-cuda/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vergence/error.hpp"

namespace vergence::studies::motion_cuda {
namespace {

using Make = void (*)(Variant&);
struct Rung {
  std::string_view name;
  Make make;
};

void start(Variant& v) {
  v.unit = Unit::sad;
  v.flat = v.block_kernel = v.area_kernel = v.swap = false;
}
void less(Variant& v) { v.unit = Unit::sad; }
void streams(Variant& v) { v.borders = Borders::overlapped; }
void shared(Variant& v) {
  v.unit = Unit::shared;
  v.pinned = true;
}

/// Each rung of the full search adds to the one above.
constexpr std::array full_rungs{
    Rung{"sad", start},
    Rung{"sad-flat",
         [](Variant& v) {
           start(v);
           v.flat = true;
         }},
    Rung{"sad-block",
         [](Variant& v) {
           start(v);
           v.flat = v.block_kernel = true;
         }},
    Rung{"sad-area",
         [](Variant& v) {
           start(v);
           v.flat = v.block_kernel = v.area_kernel = true;
         }},
    Rung{"sad-swap", less},
    Rung{"borders",
         [](Variant& v) {
           less(v);
           v.borders = Borders::host;
         }},
    Rung{"borders-overlapped",
         [](Variant& v) {
           less(v);
           v.borders = Borders::overlapped;
         }},
    Rung{"search", [](Variant& v) { v.borders = Borders::host; }},
    Rung{"search-overlapped", [](Variant& v) { v.borders = Borders::overlapped; }},
    Rung{"streams-portions", streams},
    Rung{"streams-reduced",
         [](Variant& v) {
           streams(v);
           v.reduced = true;
         }},
    Rung{"all-on-device", [](Variant&) {}},
    Rung{"pinned", [](Variant& v) { v.pinned = true; }},
    Rung{"z", shared},
    Rung{"z-shuffles",
         [](Variant& v) {
           shared(v);
           v.shuffles = true;
         }},
};

constexpr std::array step_rungs{
    Rung{"step-3x3", [](Variant& v) { v.grid = 3; }},
    Rung{"step-7x7", [](Variant& v) { v.grid = 7; }},
    Rung{"step-13x13", [](Variant& v) { v.grid = 13; }},
    Rung{"step-z",
         [](Variant& v) {
           shared(v);
           v.grid = 3;
         }},
    Rung{"step-7x7-z",
         [](Variant& v) {
           shared(v);
           v.grid = 7;
         }},
    Rung{"step-13x13-z",
         [](Variant& v) {
           shared(v);
           v.grid = 13;
         }},
    Rung{"step-15x15-z",
         [](Variant& v) {
           shared(v);
           v.grid = 15;
         }},
    Rung{"tz-z",
         [](Variant& v) {
           shared(v);
           v.zones = true;
         }},
};

}  // namespace

std::vector<std::string_view> rung_names() {
  std::vector<std::string_view> names;
  for (const Rung& rung : full_rungs) names.push_back(rung.name);
  for (const Rung& rung : step_rungs) names.push_back(rung.name);
  return names;
}

namespace {

std::vector<std::string> wanted_rungs(const Settings& settings, const char* key) {
  std::vector<std::string> wanted;
  if (settings.text(key) == "all")
    for (const std::string_view name : rung_names()) wanted.emplace_back(name);
  else if (settings.text(key) != "none")
    wanted = settings.words(key, rung_names());
  return wanted;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<Variant> choose_variants(const Settings& settings) {
  const std::vector<std::string> timed = wanted_rungs(settings, "rungs"),
                                 clocked = wanted_rungs(settings, "clock-rungs");
  const std::vector<int> stream_counts = settings.integers("streams", 1, 32),
                         lane_counts = settings.integers("lanes", 32, 256);
  const std::vector<Size> groups = settings.sizes("groups", 1, 1024);
  static constexpr std::array<std::string_view, 2> codes{"vectors", "plain"};
  std::vector<Code> host;
  for (const std::string& word : settings.words("host-code", codes))
    host.push_back(word == "plain" ? Code::plain : Code::vectors);
  std::vector<Variant> all;
  const auto add = [&](const Rung& rung) {
    if (!is_among(timed, rung.name) && !is_among(clocked, rung.name)) return;
    Variant one;
    one.rung = rung.name;
    one.clock_only = !is_among(timed, rung.name);
    one.group = groups.front();
    one.host = host.front();
    rung.make(one);
    const bool sweeps_streams = rung.name.starts_with("streams"), sweeps_groups = rung.name == "all-on-device";
    const bool sweeps_lanes = !one.is_full() && one.unit == Unit::shared, sweeps_host = rung.name == "search";
    all.push_back(one);
    if (sweeps_streams) {
      all.pop_back();
      for (const int count : stream_counts) all.push_back(one), all.back().streams = count;
    }
    if (sweeps_lanes) {
      all.pop_back();
      for (const int count : lane_counts) all.push_back(one), all.back().lanes = count;
    }
    if (sweeps_host)
      for (std::size_t i = 1; i < host.size(); ++i) all.push_back(one), all.back().host = host[i];
    if (sweeps_groups)
      for (std::size_t i = 1; i < groups.size(); ++i) all.push_back(one), all.back().group = groups[i];
  };
  for (const Rung& rung : full_rungs) add(rung);
  for (const Rung& rung : step_rungs) add(rung);
  return all;
}

bool is_inner(Size frame, Place place, const Geometry& geometry) {
  // No candidate of an inner block is cut off by the program's condition, and its area lies in the frame.
  const int after = std::max(geometry.span(), geometry.reach + geometry.block - 1);
  return place.x >= geometry.reach && place.y >= geometry.reach && place.x + after <= frame.width &&
         place.y + after <= frame.height;
}

KernelName kernel_of(const Variant& variant) {
  const bool shared_sad = variant.unit == Unit::shared;
  if (variant.zones) return {"motion-cuda/list_z.cl", "list_z"};
  if (variant.is_step())
    return shared_sad ? KernelName{"motion-cuda/step_z.cl", "step_z"}
                      : KernelName{"motion-cuda/step.cl", "step_candidates"};
  if (variant.unit == Unit::sad) return {"motion-cuda/sad.cl", "sad_rows"};
  return shared_sad ? KernelName{"motion-cuda/search_z.cl", "search_z"}
                    : KernelName{"motion-cuda/search.cl", "search_candidates"};
}

Geometry geometry_of(const Settings& settings) {
  Geometry geometry;
  geometry.block = settings.integer("block", 8, 64);
  geometry.reach = settings.integer("reach", 8, 128);
  const auto check = [](const char* name, int value, const char* allowed) {
    if ((value & (value - 1)) != 0)
      throw Error(ErrorCode::invalid_argument, fmt::format("{} is {}: allowed are {}", name, value, allowed));
  };
  check("block", geometry.block, "8, 16, 32 and 64");
  check("reach", geometry.reach, "8, 16, 32, 64 and 128");
  return geometry;
}

gpu::Defines defines_of(const Geometry& geometry) {
  gpu::Defines defines;
  defines.set("BLOCK", geometry.block).set("REACH", geometry.reach);
  return defines;
}

gpu::Defines defines_of(const Variant& variant, const Geometry& geometry) {
  gpu::Defines defines = defines_of(geometry);
  defines.set("CONDITION", variant.borders == Borders::condition ? 1 : 0);
  if (variant.is_step()) defines.set("GRID", variant.grid);
  if (variant.unit == Unit::shared)
    defines.set("LANES", variant.lanes).set("WARPS", variant.shuffles ? 1 : 0);
  else if (variant.unit == Unit::search && variant.is_full())
    defines.set("GROUP_W", variant.group.width).set("GROUP_H", variant.group.height);
  return defines;
}

}  // namespace vergence::studies::motion_cuda

// SPDX-License-Identifier: Apache-2.0
// Candidates for motion: every way here is run by tests against the reference.
#include "gpu/motion/tuning.hpp"

#include <algorithm>

#include "gpu/tuning.hpp"

namespace vergence::gpu {
namespace {

/// One field of the default tuning changed; 0 and -1 leave it.
struct Change {
  int group = 0;
  int serial = -1;
  int tiles = -1;
  int tile_columns = 0, tile_slabs = 0, tile_chunk = 0, tile_group = 0, tile_registers = 0;
  int eliminate = -1, eliminate_group = 0;
  bool tiles_only = false;  ///< Tells itself apart from others where full_sad.cl serves alone.
};

constexpr Change tile(int columns, int slabs, int chunk, int group, int registers) {
  return {0, -1, -1, columns, slabs, chunk, group, registers, -1, 0, true};
}
constexpr Change elimination(int on, int group) { return {0, -1, -1, 0, 0, 0, 0, 0, on, group, true}; }

constexpr Change of_search[] = {{32}, {64}, {128}, {256}, {0, 0}, {0, 1}};
constexpr Change of_full[] = {
    {32},
    {64},
    {128},
    {256},
    {0, 0},
    {0, -1, 0},
    tile(64, 0, 0, 0, 0),
    tile(128, 0, 0, 0, 0),
    tile(0, 1, 0, 0, 0),
    tile(0, 2, 0, 0, 0),
    tile(0, 0, 8, 0, 0),
    tile(0, 0, 16, 0, 0),
    tile(0, 0, 32, 0, 0),
    tile(0, 0, 0, 128, 0),
    tile(0, 0, 0, 512, 0),
    tile(0, 0, 0, 0, 48),
    tile(0, 0, 0, 0, 64),
    tile(0, 0, 0, 0, 80),
    tile(128, 0, 16, 0, 64),
    tile(64, 0, 16, 0, 64),
    elimination(0, 0),
    elimination(1, 128),
    elimination(1, 512),
};

MotionTuning with(MotionTuning tuning, const Change& change) {
  const auto set = [](int& field, int value) {
    if (value > 0) field = value;
  };
  set(tuning.group, change.group);
  if (change.serial >= 0) tuning.serial = change.serial == 1;
  if (change.tiles >= 0) tuning.tiles = change.tiles == 1;
  set(tuning.tile_columns, change.tile_columns);
  set(tuning.tile_slabs, change.tile_slabs);
  set(tuning.tile_chunk, change.tile_chunk);
  set(tuning.tile_group, change.tile_group);
  set(tuning.tile_registers, change.tile_registers);
  if (change.eliminate >= 0) tuning.eliminate = change.eliminate == 1;
  set(tuning.eliminate_group, change.eliminate_group);
  return tuning;
}

}  // namespace

std::vector<std::string> motion_entries() { return {"motion-full", "motion-search"}; }

std::string motion_entry(const MotionPlan& plan) {
  const MotionOptions& o = plan.options;
  const bool full = o.search == MotionSearch::full && o.cost == MotionCost::sad && o.depth == Depth::u8;
  return full ? "motion-full" : "motion-search";
}

MotionOptions motion_workload(const std::string& entry) {
  MotionOptions options;
  if (entry == "motion-full")
    options.block = {32, 32};
  else
    options.search = MotionSearch::tz;
  return options;
}

std::vector<MotionTuning> motion_candidates(const std::string& entry, const Properties& properties) {
  const MotionTuning usual = default_motion_tuning(properties);
  std::vector<MotionTuning> all{usual};
  const auto add = [&](const Change& change) {
    const MotionTuning one = with(usual, change);
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const MotionTuning& other) { return numbers_of(other) == numbers_of(one); });
    const bool fits = static_cast<std::size_t>(std::max(change.group, change.tile_group)) <= properties.largest_group;
    if (!known && fits && (usual.tiles || (!change.tiles_only && change.tiles < 0))) all.push_back(one);
  };
  if (entry == "motion-full")
    std::for_each(std::begin(of_full), std::end(of_full), add);
  else
    std::for_each(std::begin(of_search), std::end(of_search), add);
  return all;
}

backend::Tuning numbers_of(const MotionTuning& tuning) {
  // A new field does not compile: name it below.
  const auto& [group, serial, tiles, tile_columns, tile_slabs, tile_tall, tile_chunk, tile_group, tile_registers,
               eliminate, eliminate_group, eliminate_left, eliminate_pixels, eliminate_registers, sizes, sizes_columns,
               sizes_slabs, sizes_tall, sizes_group, sizes_registers, matrices, walk, walk_rows, grid_chunk] = tuning;
  return {{"group", group},
          {"serial", serial ? 1 : 0},
          {"tiles", tiles ? 1 : 0},
          {"tile_columns", tile_columns},
          {"tile_slabs", tile_slabs},
          {"tile_tall", tile_tall},
          {"tile_chunk", tile_chunk},
          {"tile_group", tile_group},
          {"tile_registers", tile_registers},
          {"eliminate", eliminate ? 1 : 0},
          {"eliminate_group", eliminate_group},
          {"eliminate_left", eliminate_left},
          {"eliminate_pixels", eliminate_pixels},
          {"eliminate_registers", eliminate_registers},
          {"sizes", sizes ? 1 : 0},
          {"sizes_columns", sizes_columns},
          {"sizes_slabs", sizes_slabs},
          {"sizes_tall", sizes_tall},
          {"sizes_group", sizes_group},
          {"sizes_registers", sizes_registers},
          {"matrices", matrices ? 1 : 0},
          {"walk", walk ? 1 : 0},
          {"walk_rows", walk_rows},
          {"grid_chunk", grid_chunk}};
}

std::optional<MotionTuning> motion_tuning_of(const std::string& entry, const Properties& properties,
                                             const backend::Tuning& numbers) {
  for (const MotionTuning& one : motion_candidates(entry, properties))
    if (numbers_of(one) == numbers) return one;
  return std::nullopt;
}

MotionTuning best_tuning(const MotionPlan& plan, const Device& device) {
  const Properties& properties = device.properties();
  const std::string entry = motion_entry(plan);
  const std::optional<backend::Tuning> kept = stored_tuning(device, entry);
  return (kept ? motion_tuning_of(entry, properties, *kept) : std::nullopt).value_or(default_motion_tuning(properties));
}

}  // namespace vergence::gpu

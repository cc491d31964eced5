// SPDX-License-Identifier: Apache-2.0
// Candidates for motion: every launch configuration here is run by tests against the reference.
#include "gpu/motion/tuning.hpp"

#include <algorithm>
#include <span>

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

/// All launch configurations worth trying on such a device; the default first, none twice.
std::vector<MotionTuning> candidates(std::span<const Change> changes, const Properties& properties) {
  const MotionTuning usual = default_motion_tuning(properties);
  std::vector<MotionTuning> all{usual};
  for (const Change& change : changes) {
    const MotionTuning one = with(usual, change);
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const MotionTuning& other) { return numbers_of(other) == numbers_of(one); });
    const bool fits = static_cast<std::size_t>(std::max(change.group, change.tile_group)) <= properties.largest_group;
    if (!known && fits && (usual.tiles || (!change.tiles_only && change.tiles < 0))) all.push_back(one);
  }
  return all;
}

void configure_all(MotionTuning& configuration, const MotionTuning& candidate) { configuration = candidate; }

const TunedEntry<MotionTuning>& entry_of(const MotionPlan& plan) {
  const MotionOptions& o = plan.options;
  const bool full = o.search == MotionSearch::full && o.cost == MotionCost::sad && o.depth == Depth::u8;
  return motion_entries()[full ? 0 : 1];
}

}  // namespace

const std::vector<TunedEntry<MotionTuning>>& motion_entries() {
  static const std::vector<TunedEntry<MotionTuning>> table{
      {.name = "motion-full",
       .workload = MotionOptions{.block = {32, 32}},
       .candidates = [](const Properties& properties) { return candidates(of_full, properties); },
       .numbers = numbers_of,
       .configure = configure_all},
      {.name = "motion-search",
       .workload = MotionOptions{.search = MotionSearch::tz},
       .candidates = [](const Properties& properties) { return candidates(of_search, properties); },
       .numbers = numbers_of,
       .configure = configure_all}};
  return table;
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

MotionTuning best_tuning(const MotionPlan& plan, const Device& device, const RequestedTuning& requested) {
  MotionTuning best = default_motion_tuning(device.properties());
  configure(entry_of(plan), device, requested, best);
  return best;
}

}  // namespace vergence::gpu

// SPDX-License-Identifier: Apache-2.0
// Candidates for tracks: every way here is run by tests against the reference.
#include "gpu/track/tuning.hpp"

#include <algorithm>
#include <cstddef>

#include "gpu/tuning.hpp"

namespace vergence::gpu {
namespace {

constexpr const char* of_prepare = "track-prepare";
constexpr const char* of_points = "track-points";

/// Fields of the default that are changed; 0 leaves one.
struct Change {
  int lanes = 0, fours = 0, registers = 0;
};
constexpr Change on_processors[] = {{32}, {64}, {128}};
constexpr Change on_gpus[] = {{0, 1}, {0, 2}, {0, 8}, {32}, {64}, {128}};
/// Ways to prepare: levels of a pass, the tile, and a group's work-items.
struct Pass {
  int levels, width, height, threads;
};
constexpr Pass passes_on_processors[] = {{1, 64, 32, 32}, {1, 128, 16, 64}, {2, 64, 32, 16}};
constexpr Pass passes_on_gpus[] = {{4, 64, 64, 128},  {4, 64, 32, 128},   {4, 128, 32, 256}, {4, 128, 64, 256},
                                   {4, 128, 64, 512}, {4, 128, 128, 512}, {2, 64, 64, 256},  {1, 64, 64, 256}};

/// NVIDIA's compilers take an upper bound.
constexpr Change on_nvidia[] = {{0, 0, 96}, {0, 0, 160}, {0, 0, 255}, {0, 2, 96}, {0, 8, 255}};

}  // namespace

std::vector<std::string> track_entries() { return {of_prepare, of_points}; }

bool is_track_entry(const std::string& entry) { return entry == of_prepare || entry == of_points; }

std::vector<TrackTuning> track_candidates(const std::string& entry, const Properties& properties) {
  const TrackTuning usual = default_track_tuning(properties);
  std::vector<TrackTuning> all{usual};
  const auto add = [&](const TrackTuning& one) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const TrackTuning& other) {
      return numbers_of(entry, other) == numbers_of(entry, one);
    });
    if (!known && static_cast<std::size_t>(one.lanes) <= properties.largest_group) all.push_back(one);
  };
  if (entry == of_prepare) {
    const auto add_pass = [&](const Pass& pass) {
      TrackTuning one = usual;
      one.pass = pass.levels;
      one.tile_width = pass.width;
      one.tile_height = pass.height;
      one.threads = pass.threads;
      if (static_cast<std::size_t>(pass.threads) <= properties.largest_group) add(one);
    };
    if (properties.is_cpu)
      std::for_each(std::begin(passes_on_processors), std::end(passes_on_processors), add_pass);
    else
      std::for_each(std::begin(passes_on_gpus), std::end(passes_on_gpus), add_pass);
    return all;
  }
  const auto add_change = [&](const Change& change) {
    TrackTuning one = usual;
    if (change.lanes > 0) one.lanes = change.lanes;
    if (change.fours > 0) one.fours = change.fours;
    if (change.registers > 0) one.registers = change.registers;
    add(one);
  };
  if (properties.is_cpu)
    std::for_each(std::begin(on_processors), std::end(on_processors), add_change);
  else
    std::for_each(std::begin(on_gpus), std::end(on_gpus), add_change);
  if (properties.is_nvidia) std::for_each(std::begin(on_nvidia), std::end(on_nvidia), add_change);
  return all;
}

backend::Tuning numbers_of(const std::string& entry, const TrackTuning& tuning) {
  // A new field does not compile: name it below.
  const auto& [lanes, fours, registers, pass, tile_width, tile_height, threads] = tuning;
  if (entry == of_prepare)
    return {{"pass", pass}, {"tile-width", tile_width}, {"tile-height", tile_height}, {"threads", threads}};
  return {{"lanes", lanes}, {"fours", fours}, {"registers", registers}};
}

std::optional<TrackTuning> track_tuning_of(const std::string& entry, const Properties& properties,
                                           const backend::Tuning& numbers, TrackTuning tuning) {
  for (const TrackTuning& one : track_candidates(entry, properties)) {
    if (numbers_of(entry, one) != numbers) continue;
    if (entry == of_prepare) {
      tuning.pass = one.pass;
      tuning.tile_width = one.tile_width;
      tuning.tile_height = one.tile_height;
      tuning.threads = one.threads;
    } else {
      tuning.lanes = one.lanes;
      tuning.fours = one.fours;
      tuning.registers = one.registers;
    }
    return tuning;
  }
  return std::nullopt;
}

TrackTuning best_track_tuning(const Device& device) {
  const Properties& properties = device.properties();
  TrackTuning best = default_track_tuning(properties);
  for (const std::string& entry : track_entries())
    if (const std::optional<backend::Tuning> kept = stored_tuning(device, entry))
      best = track_tuning_of(entry, properties, *kept, best).value_or(best);
  return best;
}

}  // namespace vergence::gpu

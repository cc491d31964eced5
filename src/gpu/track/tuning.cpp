// SPDX-License-Identifier: Apache-2.0
// Candidates for tracks: every launch configuration here is run by tests against the reference.
#include "gpu/track/tuning.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>

namespace vergence::gpu {
namespace {

/// Fields of the default that are changed; 0 leaves one.
struct Change {
  int lanes = 0, fours = 0, registers = 0;
};
constexpr Change on_processors[] = {{32}, {64}, {128}};
constexpr Change on_gpus[] = {{0, 1}, {0, 2}, {0, 8}, {32}, {64}, {128}};
/// Launch configurations that prepare: levels of a pass, the tile, and a group's work-items.
struct Pass {
  int levels, width, height, threads;
};
constexpr Pass passes_on_processors[] = {{1, 64, 32, 32}, {1, 128, 16, 64}, {2, 64, 32, 16}};
constexpr Pass passes_on_gpus[] = {{4, 64, 64, 128},  {4, 64, 32, 128},   {4, 128, 32, 256}, {4, 128, 64, 256},
                                   {4, 128, 64, 512}, {4, 128, 128, 512}, {2, 64, 64, 256},  {1, 64, 64, 256}};

/// NVIDIA's compilers take an upper bound.
constexpr Change on_nvidia[] = {{0, 0, 96}, {0, 0, 160}, {0, 0, 255}, {0, 2, 96}, {0, 8, 255}};

backend::Tuning prepare_numbers(const TrackTuning& tuning) {
  return {{"pass", tuning.pass},
          {"tile-width", tuning.tile_width},
          {"tile-height", tuning.tile_height},
          {"threads", tuning.threads}};
}
backend::Tuning point_numbers(const TrackTuning& tuning) {
  return {{"lanes", tuning.lanes}, {"fours", tuning.fours}, {"registers", tuning.registers}};
}

void configure_prepare(TrackTuning& configuration, const TrackTuning& candidate) {
  configuration.pass = candidate.pass;
  configuration.tile_width = candidate.tile_width;
  configuration.tile_height = candidate.tile_height;
  configuration.threads = candidate.threads;
}
void configure_points(TrackTuning& configuration, const TrackTuning& candidate) {
  configuration.lanes = candidate.lanes;
  configuration.fours = candidate.fours;
  configuration.registers = candidate.registers;
}

/// The default first, none twice.
class Candidates {
 public:
  Candidates(const Properties& properties, backend::Tuning (*numbers)(const TrackTuning&))
      : usual_(default_track_tuning(properties)),
        most_(static_cast<int>(std::min<std::size_t>(properties.largest_group, INT_MAX))),
        numbers_(numbers),
        all_{usual_} {}
  void add(const Pass& pass) {
    TrackTuning one = usual_;
    configure_prepare(
        one, {.pass = pass.levels, .tile_width = pass.width, .tile_height = pass.height, .threads = pass.threads});
    if (pass.threads <= most_) add(one);
  }
  void add(const Change& change) {
    TrackTuning one = usual_;
    if (change.lanes > 0) one.lanes = change.lanes;
    if (change.fours > 0) one.fours = change.fours;
    if (change.registers > 0) one.registers = change.registers;
    add(one);
  }
  template <class Rows>
  void add_all(const Rows& rows) {
    for (const auto& row : rows) add(row);
  }
  const std::vector<TrackTuning>& all() const { return all_; }

 private:
  void add(const TrackTuning& one) {
    const bool known = std::any_of(all_.begin(), all_.end(),
                                   [&](const TrackTuning& other) { return numbers_(other) == numbers_(one); });
    if (!known && one.lanes <= most_) all_.push_back(one);
  }

  TrackTuning usual_;
  int most_;  ///< Work-items of a group.
  backend::Tuning (*numbers_)(const TrackTuning&);
  std::vector<TrackTuning> all_;
};

std::vector<TrackTuning> prepare_candidates(const Properties& properties) {
  Candidates candidates(properties, prepare_numbers);
  if (properties.is_cpu)
    candidates.add_all(passes_on_processors);
  else
    candidates.add_all(passes_on_gpus);
  return candidates.all();
}

std::vector<TrackTuning> point_candidates(const Properties& properties) {
  Candidates candidates(properties, point_numbers);
  if (properties.is_cpu)
    candidates.add_all(on_processors);
  else
    candidates.add_all(on_gpus);
  if (properties.is_nvidia) candidates.add_all(on_nvidia);
  return candidates.all();
}

}  // namespace

const std::vector<TunedEntry<TrackTuning>>& track_entries() {
  static const std::vector<TunedEntry<TrackTuning>> table{
      {.name = "track-prepare",
       .workload = backend::TrackWorkload{.options = {}, .follows_points = false},
       .candidates = prepare_candidates,
       .numbers = prepare_numbers,
       .configure = configure_prepare},
      {.name = "track-points",
       .workload = backend::TrackWorkload{.options = {}, .follows_points = true},
       .candidates = point_candidates,
       .numbers = point_numbers,
       .configure = configure_points}};
  return table;
}

TrackTuning best_track_tuning(const Device& device, const RequestedTuning& requested) {
  TrackTuning best = default_track_tuning(device.properties());
  for (const TunedEntry<TrackTuning>& entry : track_entries()) configure(entry, device, requested, best);
  return best;
}

}  // namespace vergence::gpu

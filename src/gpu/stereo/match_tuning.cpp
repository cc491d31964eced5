// SPDX-License-Identifier: Apache-2.0
// Candidates for `match`: every launch configuration here is run by tests against the reference.
#include "gpu/stereo/match_tuning.hpp"

#include <algorithm>

namespace vergence::gpu {
namespace {

struct Candidate {
  MatchTuning tuning;
  bool nvidia_only = false;     ///< Tells itself apart from others there alone.
  bool processor_only = false;  ///< The same.
  bool gpu_only = false;        ///< Processors have nothing to gain, and take long over compiling.
};

/// match.cl: columns of a group, rows, where columns' sums lie, and work-items of a column.
constexpr Candidate plain(int group, int rows, bool local_columns, int split) {
  MatchTuning tuning;
  tuning.split = split;
  tuning.group = group;
  tuning.rows = rows;
  tuning.local_columns = local_columns;
  return {tuning};
}
constexpr Candidate shared(int group, int rows, bool local_columns, int split) {
  Candidate candidate = plain(group, rows, local_columns, split);
  candidate.gpu_only = true;
  return candidate;
}
/// match_strip.cl: columns of a work-item, candidates of a warp, registers, rows.
constexpr Candidate strips(int own, int candidates, int registers, int rows) {
  MatchTuning tuning;
  tuning.strip_own = own;
  tuning.strip_candidates = candidates;
  tuning.strip_registers = registers;
  tuning.strip_rows = rows;
  return {tuning, true};
}
/// match_rows.cl: rows of a band, columns of a strip.
constexpr Candidate bands(int rows, int columns) {
  MatchTuning tuning{128, 64, true, 1};
  tuning.bands = true;
  tuning.band_rows = rows;
  tuning.band_columns = columns;
  return {tuning, false, true};
}
/// match_warp.cl: columns of a warp, registers, rows.
constexpr Candidate warps(int columns, int registers, int rows, int side_rows = 0) {
  MatchTuning tuning;
  tuning.warp_columns = columns;
  tuning.warp_registers = registers;
  tuning.warp_rows = rows;
  tuning.warp_side_rows = side_rows;
  return {tuning, true};
}
constexpr Candidate with(bool strips, bool warps, bool sides = true) {
  MatchTuning tuning;
  tuning.strips = strips;
  tuning.warps = warps;
  tuning.sides = sides;
  return {tuning, true};
}

constexpr Candidate candidates[] = {
    plain(64, 16, true, 1),  plain(128, 64, true, 1), plain(128, 64, false, 1), shared(64, 32, true, 4),
    shared(64, 16, true, 8), shared(32, 16, true, 8), shared(128, 32, true, 4), plain(64, 32, false, 4),
    with(false, true),       with(true, false),       with(false, false),       with(true, true, false),
    warps(32, 128, 0),       warps(16, 96, 0),        warps(16, 128, 20),       warps(16, 128, 0, 12),
    strips(8, 16, 128, 0),   strips(8, 16, 128, 8),   strips(8, 16, 128, 34),   strips(8, 8, 128, 0),
    strips(8, 8, 80, 0),     strips(4, 16, 104, 0),   strips(4, 16, 80, 0),     strips(4, 8, 80, 0),
    bands(32, 128),          bands(32, 512),          bands(16, 256),           bands(64, 256),
    bands(128, 256),
};

/// Semi-global matching: packed_paths.cl, candidates of its work-items, and parts of its lines.
constexpr Candidate pairs(int own, int parts) {
  MatchTuning tuning;
  tuning.path_pairs = true;
  tuning.pair_own = own;
  tuning.path_parts = parts;
  Candidate candidate{tuning};
  candidate.gpu_only = true;
  return candidate;
}
/// paths.cl: most work-items that share a pixel, and candidates of each.
constexpr Candidate singles(int lanes, int own) {
  MatchTuning tuning;
  tuning.path_lanes = lanes;
  tuning.path_own = own;
  return {tuning};
}
constexpr Candidate sgm_candidates[] = {pairs(4, 1), pairs(8, 1),   pairs(16, 1),   pairs(4, 2),
                                        pairs(8, 2), singles(0, 0), singles(32, 8), singles(8, 16)};

void copy_paths(MatchTuning& to, const MatchTuning& from) {
  to.path_pairs = from.path_pairs;
  to.path_lanes = from.path_lanes;
  to.path_own = from.path_own;
  to.pair_own = from.pair_own;
  to.path_parts = from.path_parts;
  to.path_warm = from.path_warm;
  to.pair_strips = from.pair_strips;
}
backend::Tuning numbers_of_paths(const MatchTuning& tuning) {
  return {{"path_pairs", tuning.path_pairs ? 1 : 0},
          {"path_lanes", tuning.path_lanes},
          {"path_own", tuning.path_own},
          {"pair_own", tuning.pair_own},
          {"path_parts", tuning.path_parts},
          {"path_warm", tuning.path_warm},
          {"pair_strips", tuning.pair_strips}};
}

StereoOptions workload(StereoCost cost) {
  StereoOptions options;
  options.speckle_size = 0;  // the filters have no candidates
  options.cost = cost;
  return options;
}

StereoOptions sgm_workload() {
  StereoOptions options = workload(StereoCost::census_9x7);
  options.aggregate = StereoAggregate::sgm;
  options.window = {0, 0};
  options.paths = 4;
  return options;
}

bool serves(const Candidate& one, const Properties& properties) {
  const bool apart =
      (properties.is_nvidia || !one.nvidia_only) && (properties.is_cpu ? !one.gpu_only : !one.processor_only);
  return apart && static_cast<std::size_t>(one.tuning.group) <= properties.largest_group;
}

std::vector<MatchTuning> path_candidates(const Properties& properties) {
  std::vector<MatchTuning> all{default_match_tuning(properties)};
  for (const Candidate& one : sgm_candidates) {
    MatchTuning tuning = all.front();
    copy_paths(tuning, one.tuning);
    const bool known = std::any_of(all.begin(), all.end(), [&](const MatchTuning& other) {
      return numbers_of_paths(tuning) == numbers_of_paths(other);
    });
    // NVIDIA's GPUs without the instructions for pairs have nothing in place of them.
    const bool possible = !one.tuning.path_pairs || !properties.is_nvidia || properties.has_packed_minimum;
    if (!known && possible && serves(one, properties)) all.push_back(tuning);
  }
  return all;
}

TunedEntry<MatchTuning> entry(const char* name, StereoCost cost) {
  return {.name = name,
          .workload = workload(cost),
          .candidates = match_candidates,
          .numbers = numbers_of,
          .configure = [](MatchTuning& configuration, const MatchTuning& candidate) { configuration = candidate; }};
}
TunedEntry<MatchTuning> sgm_entry() {
  return {.name = "match-sgm",
          .workload = sgm_workload(),
          .candidates = path_candidates,
          .numbers = numbers_of_paths,
          .configure = copy_paths};
}

const TunedEntry<MatchTuning>& entry_of(const StereoPlan& plan) {
  const StereoCost cost = plan.options.cost;
  if (plan.sums_paths()) return match_entries()[3];
  return match_entries()[cost == StereoCost::sad ? 0 : cost == StereoCost::ssd ? 1 : 2];
}

}  // namespace

const std::vector<TunedEntry<MatchTuning>>& match_entries() {
  static const std::vector<TunedEntry<MatchTuning>> table{entry("match-sad", StereoCost::sad),
                                                          entry("match-ssd", StereoCost::ssd),
                                                          entry("match-census", StereoCost::census_9x7), sgm_entry()};
  return table;
}

std::vector<MatchTuning> match_candidates(const Properties& properties) {
  std::vector<MatchTuning> all{default_match_tuning(properties)};
  for (const Candidate& one : candidates) {
    MatchTuning candidate = one.tuning;
    copy_paths(candidate, all.front());
    candidate.census_tiles = all.front().census_tiles;
    const bool known = std::any_of(
        all.begin(), all.end(), [&](const MatchTuning& tuning) { return numbers_of(tuning) == numbers_of(candidate); });
    if (!known && serves(one, properties)) all.push_back(candidate);
  }
  return all;
}

backend::Tuning numbers_of(const MatchTuning& tuning) {
  // A new field does not compile: name it below.
  const auto& [group, rows, local_columns, split, strips, strip_own, strip_rows, strip_candidates, strip_registers,
               warps, warp_columns, warp_rows, warp_side_rows, warp_registers, sides, bands, band_rows, band_columns,
               census_tiles, path_pairs, path_lanes, path_own, pair_own, path_parts, path_warm, pair_strips] = tuning;
  return {{"group", group},
          {"rows", rows},
          {"local_columns", local_columns ? 1 : 0},
          {"split", split},
          {"strips", strips ? 1 : 0},
          {"strip_own", strip_own},
          {"strip_rows", strip_rows},
          {"strip_candidates", strip_candidates},
          {"strip_registers", strip_registers},
          {"warps", warps ? 1 : 0},
          {"warp_columns", warp_columns},
          {"warp_rows", warp_rows},
          {"warp_side_rows", warp_side_rows},
          {"warp_registers", warp_registers},
          {"sides", sides ? 1 : 0},
          {"bands", bands ? 1 : 0},
          {"band_rows", band_rows},
          {"band_columns", band_columns},
          {"census_tiles", census_tiles ? 1 : 0},
          {"path_pairs", path_pairs ? 1 : 0},
          {"path_lanes", path_lanes},
          {"path_own", path_own},
          {"pair_own", pair_own}};
}

MatchTuning best_tuning(const StereoPlan& plan, const Device& device, const RequestedTuning& requested) {
  MatchTuning best = default_match_tuning(device.properties());
  configure(entry_of(plan), device, requested, best);
  return best;
}

}  // namespace vergence::gpu

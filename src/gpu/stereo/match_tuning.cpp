// SPDX-License-Identifier: Apache-2.0
// Candidates for `match`: every way here is run by tests against the reference.
#include "gpu/stereo/match_tuning.hpp"

#include <algorithm>

#include "gpu/tuning.hpp"

namespace vergence::gpu {
namespace {

struct Candidate {
  MatchTuning tuning;
  bool nvidia_only = false;  ///< Tells itself apart from others there alone.
};

constexpr Candidate candidates[] = {
    {{64, 32, true, true, 0}, false},  {{64, 16, true, true, 0}, false},  {{64, 64, true, true, 0}, false},
    {{32, 32, true, true, 0}, false},  {{128, 32, true, true, 0}, false}, {{128, 64, true, true, 0}, false},
    {{256, 64, true, true, 0}, false}, {{64, 32, false, true, 0}, false}, {{128, 64, false, true, 0}, false},
    {{64, 32, true, false, 0}, true},  {{64, 32, true, true, 8}, true},   {{64, 32, true, true, 12}, true},
    {{64, 32, true, true, 17}, true},
};

}  // namespace

std::vector<std::string> match_entries() { return {"match-sad", "match-ssd", "match-census"}; }

std::string match_entry(const StereoPlan& plan) {
  switch (plan.options.cost) {
    case Cost::sad:
      return "match-sad";
    case Cost::ssd:
      return "match-ssd";
    default:
      return "match-census";
  }
}

StereoOptions match_workload(const std::string& entry) {
  StereoOptions options;
  options.speckle_size = 0;  // the filters have no candidates
  if (entry == "match-ssd") options.cost = Cost::ssd;
  if (entry == "match-census") options.cost = Cost::census_9x7;
  return options;
}

std::vector<MatchTuning> match_candidates(const Properties& properties) {
  std::vector<MatchTuning> all{default_tuning(properties)};
  for (const Candidate& one : candidates) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const MatchTuning& tuning) {
      return numbers_of(tuning) == numbers_of(one.tuning);
    });
    const bool fits = static_cast<std::size_t>(one.tuning.group) <= properties.largest_group;
    if (!known && fits && (properties.is_nvidia || !one.nvidia_only)) all.push_back(one.tuning);
  }
  return all;
}

backend::Tuning numbers_of(const MatchTuning& tuning) {
  const auto& [group, rows, local_columns, packed, packed_rows] =
      tuning;  // a new field does not compile: name it below
  return {{"group", group},
          {"rows", rows},
          {"local_columns", local_columns ? 1 : 0},
          {"packed", packed ? 1 : 0},
          {"packed_rows", packed_rows}};
}

std::optional<MatchTuning> match_tuning_of(const Properties& properties, const backend::Tuning& numbers) {
  for (const MatchTuning& one : match_candidates(properties))
    if (numbers_of(one) == numbers) return one;
  return std::nullopt;
}

MatchTuning best_tuning(const StereoPlan& plan, const Device& device) {
  const Properties& properties = device.properties();
  const std::optional<backend::Tuning> kept = kept_tuning(device, match_entry(plan));
  return (kept ? match_tuning_of(properties, *kept) : std::nullopt).value_or(default_tuning(properties));
}

}  // namespace vergence::gpu

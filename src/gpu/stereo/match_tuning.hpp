// SPDX-License-Identifier: Apache-2.0
// The candidates of `vergence tune` for the entry point `match`, as data, and MatchTuning as named numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "gpu/stereo/match.hpp"

namespace vergence::gpu {

/// What is tuned apart: the kinds of cost, whose windows ask for different work.
std::vector<std::string> match_entries();
/// The entry that a matcher's work belongs to.
std::string match_entry(const StereoPlan& plan);
/// Settings of an entry's timing.
StereoOptions match_workload(const std::string& entry);

/// All ways worth trying on such a device; the default first, none twice.
std::vector<MatchTuning> match_candidates(const Properties& properties);

backend::Tuning numbers_of(const MatchTuning& tuning);
/// The candidate of these numbers; nothing where this build or this device has no such candidate.
std::optional<MatchTuning> match_tuning_of(const Properties& properties, const backend::Tuning& numbers);

/// What was kept for the plan's entry, else the default.
MatchTuning best_tuning(const StereoPlan& plan, const Device& device);

}  // namespace vergence::gpu

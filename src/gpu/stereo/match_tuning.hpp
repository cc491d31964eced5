// SPDX-License-Identifier: Apache-2.0
// The table of entries of stereo: `match` by the kind of cost, its candidates for `vergence tune` as data, and
// MatchTuning as named numbers.
#pragma once

#include <vector>

#include "backend/tuning.hpp"
#include "gpu/stereo/match.hpp"
#include "gpu/tuning.hpp"

namespace vergence::gpu {

/// What is tuned apart: the kinds of cost, whose windows ask for different work.
const std::vector<TunedEntry<MatchTuning>>& match_entries();

/// All ways worth trying on such a device; the default first, none twice.
std::vector<MatchTuning> match_candidates(const Properties& properties);

backend::Tuning numbers_of(const MatchTuning& tuning);

/// What was requested of the plan's entry, else what was kept for it, else the default.
MatchTuning best_tuning(const StereoPlan& plan, const Device& device, const RequestedTuning& requested = {});

}  // namespace vergence::gpu

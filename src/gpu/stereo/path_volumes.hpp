// SPDX-License-Identifier: Apache-2.0
// The memory for costs at the ends of all paths, see gpu/shared/stereo/paths.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/device.hpp"
#include "gpu/stereo/match.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::gpu {

/// The largest cost at the end of a path.
std::uint64_t most_of_path(const StereoPlan& plan);
/// Of a volume's numbers.
std::size_t value_bytes(const StereoPlan& plan);

/// Whether packed_paths.cl walks, not paths.cl.
bool packs_paths(const StereoPlan& plan, const Properties& device, const MatchTuning& tuning);
/// Whether window costs have a volume too: windows of several pixels would be summed again for every path, and
/// packed_paths.cl computes no other costs than those of census words.
bool keeps_costs(const StereoPlan& plan, bool packed);

/// Throws Error(out_of_memory) that says how much it is and what would fit.
std::unique_ptr<Buffer> make_path_volumes(const StereoPlan& plan, Device& device, const MatchTuning& tuning);

}  // namespace vergence::gpu

// SPDX-License-Identifier: Apache-2.0
// The rows of table III: the published tracker's phases on processor and board, and this library's tracker.
#pragma once

#include "common/study.hpp"
#include "stencil-energy/effort.hpp"

namespace vergence::studies::stencil_energy {

/// SC, MC, GPU, both, and both the other way round, on a clip on which features survive, and SC on the clip as it is.
void run_published(Context& context, const Effort& effort, Joules& joules);
/// That last row alone.
void run_given(Context& context, const Effort& effort, Joules& joules);
/// The same mappings of this library's tracker, the one that is fastest in a trial (auto), 1 to all threads, and the
/// sweep over windows and numbers of features.
void run_ours(Context& context, const Effort& effort, Joules& joules);

}  // namespace vergence::studies::stencil_energy

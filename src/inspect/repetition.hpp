// SPDX-License-Identifier: Apache-2.0
// Texture that repeats within the range: several candidates match alike.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// How far from the best candidate of one point the nearest one lies that matches as well, beyond one that does not; 0
/// where there is none. `costs`: sums of absolute differences of patches, one for each candidate in turn; those above
/// no_rival_above(the least one) may be smaller than they are, if not below that.
int nearest_rival(const std::vector<int>& costs);
int no_rival_above(int least);

/// Sets the problem `repetition`, where many of so many points have rivals, which lie so far away; nearly all, where
/// another problem is found already.
void judge_rivals(int points, std::vector<int> distances, PairFindings& findings);

}  // namespace vergence::inspect

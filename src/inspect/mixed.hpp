// SPDX-License-Identifier: Apache-2.0
// Views that hold a part of each other: crosstalk of a display or splitter, blended frames, reflections.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem `mixed` and what belongs to it, where what matches leave, once they are subtracted from each other,
/// is what the pictures show at one place. `matches` are those of the reference picture that lead back.
void compare_residues(Picture reference, Picture other, const std::vector<Match>& matches, const StereoOptions& options,
                      PairFindings& findings);

}  // namespace vergence::inspect

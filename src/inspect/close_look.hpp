// SPDX-License-Identifier: Apache-2.0
// The closer look at a doubtful pair: where its points really match.
#pragma once

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Searches for points of the left picture in the right one, in other rows and beyond the range, and says which problem
/// explains what was found.
void look_closely(Picture left, Picture right, const StereoOptions& options, PairFindings& findings);

}  // namespace vergence::inspect

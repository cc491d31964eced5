// SPDX-License-Identifier: Apache-2.0
// Every second row of one picture displaced, or exchanged with the next one: pictures of interlaced cameras.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem `interlaced` and what belongs to it, where even and odd rows match in different places. `matches`
/// are those of one row each, whether or not they lead back.
void compare_fields(Picture left, Picture right, const std::vector<Match>& matches, bool left_first,
                    PairFindings& findings);

}  // namespace vergence::inspect

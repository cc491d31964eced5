// SPDX-License-Identifier: Apache-2.0
// Pictures of different colours, such as a red channel beside a blue one: one surface is brighter in one of them, and
// the next one in the other.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem `colours` where few points match, and those that do are brighter here and darker there, once the
/// levels of both pictures are alike as a whole. `even` is the right picture with the left one's levels.
void compare_colours(Picture left, Picture even, const std::vector<Match>& matches, PairFindings& findings);

}  // namespace vergence::inspect

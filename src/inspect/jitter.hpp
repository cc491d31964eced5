// SPDX-License-Identifier: Apache-2.0
// Rows that lie beside their neighbours, each by another number of pixels, as analogue capture leaves them.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem `jitter`, where single rows of many patches match some px beside the place of the patch. `matches`
/// are those of one row each, whether or not they lead back.
void compare_jitter(Picture from, Picture to, const std::vector<Match>& matches, PairFindings& findings);

}  // namespace vergence::inspect

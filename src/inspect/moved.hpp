// SPDX-License-Identifier: Apache-2.0
// A truth that lies some px beside its map.
#pragma once

#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem `moved`, where the map fits the truth of a place up to 12 px away (48 along rows,
/// where much is wrong) far better than its own. Sizes
/// are equal.
void find_move(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

}  // namespace vergence::inspect

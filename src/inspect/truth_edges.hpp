// SPDX-License-Identifier: Apache-2.0
// Edges of depth of a truth, and of its map.
#pragma once

#include <optional>

#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Percent of the truth's edges of depth along rows that the map has, too; none where there are few. Sizes are equal.
std::optional<double> edges_met(ImageView<const float> map, ImageView<const float> truth);

/// Sets the problem `other_edges`, where the truth's edges of depth are not those of the map, of which findings.close
/// says that it is poor besides. Sizes are equal.
void compare_edges(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

/// Sets the problem `too_large` or `too_small`, where the numbers of both are no px of a picture of this size.
void judge_unit_of_both(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

}  // namespace vergence::inspect

// SPDX-License-Identifier: Apache-2.0
// How far rows of a pair can be off, by the points of the first look alone.
#pragma once

#include <optional>
#include <vector>

#include "inspect/alignment.hpp"

namespace vergence::inspect {

/// In 1/16 px: root mean square over the whole picture of what a twisted plane through the points says, and three
/// standard errors. Nothing where too few points tell their row.
std::optional<int> rows_within(const std::vector<Sight>& sights, Size size);

}  // namespace vergence::inspect

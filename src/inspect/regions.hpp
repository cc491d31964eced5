// SPDX-License-Identifier: Apache-2.0
// Parts of one picture that the other one does not show: something covers a lens, or a part of a frame is lost.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// A rectangle of cells that speak for something, and hardly against it.
struct Block {
  Rect cells;
  int score = 0;
};
/// The rectangle whose cells have the largest sum. `values` has `columns` for each row.
Block best_block(const std::vector<int>& values, int columns);

/// Sets the problem `covered` and what belongs to it, where most of both pictures match, and a part of one does not
/// although it has texture.
void compare_regions(Picture left, Picture right, PairFindings& findings);

}  // namespace vergence::inspect

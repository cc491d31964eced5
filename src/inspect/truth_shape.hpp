// SPDX-License-Identifier: Apache-2.0
// Truths whose pixels do not lie where they belong: rows in turn, lines that repeat or are in another order, a turn or
// a zoom; and maps of one number.
#pragma once

#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem one_number, where the map is one and the truth is not. Sizes are equal.
void judge_one_number(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);
/// Sets the problem rows_in_turn, where the map fits every second row of the truth far better than the others.
void judge_rows_in_turn(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);
/// Sets the problem rearranged, where columns or rows of the truth are in another order; repeated_rows, where rows of
/// it repeat one, and the map does not fit them as it fits others; or beside_part, as judge_beside_part does.
void judge_shape(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);
/// Sets the problem warped, where the map fits the truth far better once that is turned by a few degrees, or zoomed.
void judge_warp(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

}  // namespace vergence::inspect

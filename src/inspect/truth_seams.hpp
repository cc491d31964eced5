// SPDX-License-Identifier: Apache-2.0
// A truth that was put together of parts that do not belong together.
#pragma once

#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem moved_bands, where the map fits bands of rows of the truth that lie elsewhere far better than those
/// at their own place. Sizes are equal.
void judge_bands(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

/// Sets the problem other_part, where a straight seam along a row or a column parts what the map fits from what it does
/// not fit any better than by chance. Sizes are equal.
void judge_other_part(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

/// Sets the problem beside_part, where such a seam parts what the map fits from what it fits once an offset or a factor
/// is undone. Sizes are equal.
void judge_beside_part(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

}  // namespace vergence::inspect

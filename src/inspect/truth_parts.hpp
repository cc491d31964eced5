// SPDX-License-Identifier: Apache-2.0
// A truth of which a half is turned, whose halves are exchanged, or that is smoothed.
#pragma once

#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problems part_turned and exchanged_halves, where the map fits a half of the truth once that is turned.
/// Sizes are equal.
void judge_halves(ImageView<const float> map, ImageView<const float> truth, TruthFindings& findings);

/// Sets the problem smoothed, where edges of depth of the truth take some px.
void judge_smoothing(ImageView<const float> truth, TruthFindings& findings);

}  // namespace vergence::inspect

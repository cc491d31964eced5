// SPDX-License-Identifier: Apache-2.0
// A truth that is a line through the map, a factor and an offset together, or a curve.
#pragma once

#include <vector>

#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets the problem linear, where the disparities of the map lead to the truth by a factor and an offset, and neither
/// alone explains as much. `map` and `truth` are those of the same pixels, some hundred at least; `scaled` is the
/// percentage that is close once the truth is divided by the factor of the medians.
void judge_line(const std::vector<double>& map, const std::vector<double>& truth, double scaled,
                TruthFindings& findings);

/// Sets the problem curved, where one rising curve leads from the map to the truth, and explains more than what
/// judge_line has tried, before this. Else as that.
void judge_curve(const std::vector<double>& map, const std::vector<double>& truth, double scaled,
                 TruthFindings& findings);

}  // namespace vergence::inspect

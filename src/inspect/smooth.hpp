// SPDX-License-Identifier: Apache-2.0
// One picture that is far smoother than the other one, as strong blur makes it.
#pragma once

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// Sets sharpness where one picture is as smooth as blur by 2 px and more makes it, and the other one is not. Unlike
/// matches, rows tell that of any blur.
void compare_smoothness(Picture left, Picture right, PairFindings& findings);

/// Do no pixels differ by more than one grey level, although pictures have more texture than that?
bool almost_equal(Picture left, Picture right);

/// Sets the problem `blurred`, where neither picture holds anything finer than about 4 px.
void find_blur(Picture left, Picture right, PairFindings& findings);

}  // namespace vergence::inspect

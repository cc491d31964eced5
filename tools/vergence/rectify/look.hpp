// SPDX-License-Identifier: Apache-2.0
// Whether rectified pictures look rectified.
#pragma once

#include <string>

#include "vergence/io.hpp"
#include "vergence/rectify.hpp"

namespace vergence::cli {

/// Rectifies a pair as grey pictures and looks whether points lie in the same row of both, within the rectangle that
/// both cameras see: one line that says what they do instead, else "".
std::string rectified_warning(StereoRectifier& rectifier, const StereoFrame& frame);

}  // namespace vergence::cli

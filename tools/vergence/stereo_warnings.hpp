// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` warns of before it matches anything.
#pragma once

#include <string>

#include "vergence/stereo.hpp"

namespace vergence::cli {

/// Where no pixel can have a candidate, the map is empty whatever the pictures show: one line that says so, else "".
std::string no_candidate_warning(Size size, const StereoOptions& options);

}  // namespace vergence::cli

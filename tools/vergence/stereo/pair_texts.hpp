// SPDX-License-Identifier: Apache-2.0
// What is said of a doubtful pair: one line for each problem, with its cure.
#pragma once

#include <string>

#include "vergence/inspect.hpp"

namespace vergence::cli {

/// One line that says what the pair suffers from and what to do, else "".
std::string pair_warning(const PairFindings& found, const StereoOptions& options);
/// The same of what is painted over both pictures.
std::string painted_warning(const PaintedFindings& found);

}  // namespace vergence::cli

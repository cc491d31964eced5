// SPDX-License-Identifier: Apache-2.0
// What is said of a truth that is not that of its map.
#pragma once

#include <string>

#include "vergence/inspect.hpp"

namespace vergence::cli {

/// "" where nothing is to be said. Both maps in px, of one size.
std::string truth_values_warning(const std::string& name, ImageView<const float> map, ImageView<const float> truth);

/// What inspect_truth has found, with its cure; "" of none. `scale` is what --truth-scale says, where it was given,
/// else 1.
std::string truth_warning(const std::string& name, const TruthFindings& found, double scale, bool scale_given);

}  // namespace vergence::cli

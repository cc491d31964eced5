// SPDX-License-Identifier: Apache-2.0
// What is said of a truth whose numbers are no disparities.
#pragma once

#include <array>
#include <string>

#include "vergence/inspect.hpp"

namespace vergence::cli {

/// "" where nothing is to be said. Both maps in px, of one size.
std::string truth_values_warning(const std::string& name, ImageView<const float> map, ImageView<const float> truth);

/// How a truth lies ("upside down"), and the order of what to check ("rows").
std::array<const char*, 2> turned_words(TruthProblem problem);

/// Of inverted and unlike.
/// `scale` is what --truth-scale says, where it was given, else 1.
std::string unit_warning(const std::string& name, const TruthFindings& found, double scale, bool scale_given);
std::string unlike_warning(const std::string& name, const TruthFindings& found);

}  // namespace vergence::cli

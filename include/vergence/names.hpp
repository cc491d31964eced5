// SPDX-License-Identifier: Apache-2.0
// Names that were mistyped, or that other programs use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vergence {

/// The candidates that were probably meant, the likeliest first, at most three: those that other programs call so
/// (OpenCV, FFmpeg, ...), that are written a little differently, of which one is the other's beginning or part, or that
/// are at most a third of the letters away. Hyphens at the beginning do not count. Empty where none is like it.
///
/// ```cpp
/// const auto likely = likely_names("numDisparities", {"window", "disparities"});
/// bool told = !likely.empty() && likely.front() == "disparities";  // true
/// ```
std::vector<std::string> likely_names(std::string_view given, const std::vector<std::string>& candidates);

/// All candidates, the least different ones first.
std::vector<std::string> sorted_by_likeness(std::string_view given, std::vector<std::string> candidates);

}  // namespace vergence

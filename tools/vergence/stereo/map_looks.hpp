// SPDX-License-Identifier: Apache-2.0
// What the map of a pair tells of its pictures: one line each, else "".
#pragma once

#include <string>

#include "stereo/outputs.hpp"
#include "vergence/io.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

/// Disparities go up and down from row to row, in all of the map's width alike. `invalid` as StereoMatcher::invalid.
std::string swing_warning(const StereoMaps& maps, int invalid);
/// Many disparities follow small differences of brightness.
std::string misled_warning(const StereoFrame& frame, const StereoOptions& options, const StereoMaps& maps, int invalid);

}  // namespace vergence::cli

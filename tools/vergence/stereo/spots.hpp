// SPDX-License-Identifier: Apache-2.0
// Lost pixels and blocks of a pair, echoes, and rows that swing: one line each, else "".
#pragma once

#include <string>

#include "stereo/outputs.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One picture, or both, hold salt and pepper, or blocks that a decoder lost. `left` and `right` are their names.
std::string spots_warning(const StereoFrame& frame, const std::string& left, const std::string& right);
/// One picture holds itself once more, some px along its rows.
std::string echo_warning(const StereoFrame& frame, const std::string& left, const std::string& right);
/// Disparities go up and down from row to row, in all of the map's width alike. `invalid` as StereoMatcher::invalid.
std::string swing_warning(const StereoMaps& maps, int invalid);

}  // namespace vergence::cli

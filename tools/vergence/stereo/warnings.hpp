// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` warns of.
#pragma once

#include <functional>
#include <string>

#include "stereo/run.hpp"
#include "vergence/stereo.hpp"

namespace vergence::cli {

/// Where no pixel can have a candidate, or none as many as the tie rule needs, the map is empty whatever the pictures
/// show: one line that says so, else "".
std::string no_candidate_warning(Size size, const StereoOptions& options);

/// Where the window takes more than a fifth of the pictures' width or height: one line that says so, else "".
std::string window_warning(Size size, const StereoOptions& options);

/// Where a speckle-size that was given is a fifth of the picture: one line that says so, else "".
std::string speckle_size_warning(Size size, const StereoSettings& settings);

/// Where p1 is given without p2, and leaves no room below p2's default, or both are far from their defaults: one line
/// that says so, else "". `used`: with
/// what 0 stood for.
std::string penalties_warning(const StereoOptions& given, const StereoOptions& used);

/// Where pictures exceeded the device's memory: one line that says how they were matched, else "".
std::string bands_warning(const std::string& device, const StereoMatcher& matcher);

/// Does a run. Where it lacks memory for some buffer, the Error speaks of the pictures: of `size`, once that is known.
StereoResult naming_size(const Size& size, const std::function<StereoResult()>& run);

}  // namespace vergence::cli

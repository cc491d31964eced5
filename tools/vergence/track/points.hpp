// SPDX-License-Identifier: Apache-2.0
// The points that --points-file gives `vergence track` to follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

/// Points in px, one to a line; empty lines and those that begin with # do not count. Of a .csv that `vergence track
/// -o` wrote: those of its last frame. Throws Error where the file has none, or a line is not two numbers.
std::vector<TrackPosition> read_points(const std::string& path);
/// The tracker loses a point at once that lies beyond the middles of the frame's outermost pixels; empty where none
/// does.
std::string outside_warning(const std::string& path, const std::vector<TrackPosition>& points, Size size);
/// Where points are looked for, in frames of this size. Throws Error for what is no mask of that size; a line for what
/// does not look like one goes to `warnings`.
Image<std::uint8_t> read_points_mask(const std::string& path, Size size, std::vector<std::string>& warnings);

}  // namespace vergence::cli

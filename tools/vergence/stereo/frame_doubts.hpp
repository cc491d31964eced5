// SPDX-License-Identifier: Apache-2.0
// What both pictures of a frame are doubted for: one line of each, with its cure.
#pragma once

#include <string>

#include "cli/upper_bytes.hpp"
#include "stereo/map_doubts.hpp"
#include "stereo/outputs.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One or both pictures are made of blocks of equal pixels; else "". Names are "left picture a.png" and the like.
std::string enlarged_warning(const StereoFrame& frame, const PairBytes& bytes, const std::string& left,
                             const std::string& right);

/// Both pictures are noisy, and less than half of the pixels were measured; else "".
std::string noise_warning(const StereoFrame& frame, const MapShares& shares, int max_value);

/// Bars at the edges, or under semi-global matching an area without texture, are measured all the same; else "".
/// `invalid` as StereoMatcher::invalid.
std::string bare_warning(const StereoFrame& frame, const StereoOptions& options, const StereoMaps& maps, int invalid);

/// One picture of 8 bits looks like the other one without its upper bit; else "".
std::string lost_bit_warning(const StereoFrame& frame, const std::string& left, const std::string& right);

/// One picture holds itself once more, some px along its rows; else "".
std::string echo_warning(const PairBytes& pair, const std::string& left, const std::string& right);

}  // namespace vergence::cli

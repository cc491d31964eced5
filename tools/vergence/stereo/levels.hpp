// SPDX-License-Identifier: Apache-2.0
// Grey levels that no camera gives: bits that are stuck, levels that wrapped, rows that are brighter or darker each.
#pragma once

#include <string>

#include "cli/upper_bytes.hpp"
#include "stereo/map_doubts.hpp"
#include "stereo/outputs.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One of the middle bits of the pixels has one value; else "". Of pairs of 8 bits.
std::string stuck_bit_warning(const PairBytes& pair, const std::string& left, const std::string& right);

/// Levels of a picture go on at 0 behind the largest one, or are the differences of neighbours; else "".
std::string wrapped_warning(const PairBytes& pair, const std::string& left, const std::string& right);

/// Rows of one picture are brighter or darker than their neighbours, and those of the other one are not; else "".
std::string row_noise_warning(const PairBytes& pair, const std::string& left, const std::string& right);

/// Much of both pictures is at the largest level, and much of that has a disparity all the same; else "".
std::string clipped_warning(const StereoFrame& frame, StereoView reference, const StereoMaps& maps, int invalid);

}  // namespace vergence::cli

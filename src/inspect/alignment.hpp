// SPDX-License-Identifier: Apache-2.0
// How the right picture of a pair lies and shines beside the left one, from points found in both.
#pragma once

#include <vector>

#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect {

/// One point in both pictures.
struct Sight {
  Point from;            ///< In the left picture.
  int left = 0;          ///< Mean of its patch, in 1/16 grey levels,
  int right = 0;         ///< and of the patch in the right picture.
  bool has_row = false;  ///< The texture tells the row.
  int row = 0;           ///< By how much it lies lower in the right picture, in 1/16 px.
};
/// `even`: the right picture with the left one's levels, where rows are compared.
Sight sight(Picture left, Point from, Picture right, Picture even, Point to);

/// A quick look at the same: may rows or brightness differ? `left`, here, is the reference picture.
bool looks_misaligned(const std::vector<Sight>& sights, Size size);
bool looks_brighter(const std::vector<Sight>& sights);

/// Sets gain, offset and brightness_change of `findings`.
void compare_brightness(const std::vector<Sight>& sights, PairFindings& findings);
/// Sets row_shift, row_tilt, row_growth, row_twist and row_bend.
void compare_rows(const std::vector<Sight>& sights, Size size, PairFindings& findings);

/// Do the rows differ by so much that disparities suffer? And the brightness?
bool rows_are_off(const PairFindings& findings);
bool corners_are_harmful(const PairFindings& findings);  ///< Twist or bend do, whatever else does.
bool brightness_differs(const PairFindings& findings);

/// Do the cost and the prefilter see how bright a picture is? Census does not, and xsobel takes away what is even.
bool sees_brightness(const StereoOptions& options);

}  // namespace vergence::inspect

// SPDX-License-Identifier: Apache-2.0
// Seams: what lies between both views of one picture, rows at which a view was put together of two frames, rows that
// were lost, and lines of two views in turn.
#pragma once

#include <string>

#include "cli/second_looks.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Both views come from one picture: one line where lines of about one grey level part them, of which each half holds
/// some; else "".
std::string separator_warning(const StereoFrame& frame, Halves halves);

/// The same: one line where three or four views seem to lie in the picture; where bars of one level lie at its outer
/// edges alone; and where both views meet beside its middle; else "".
std::string several_views_warning(const StereoFrame& frame, Halves halves);
std::string outer_bars_warning(const StereoFrame& frame, Halves halves);
std::string beside_middle_warning(const StereoFrame& frame, Halves halves);

/// One line where one view is torn along a row, and the other one is not at the same place; else "".
std::string torn_warning(const StereoFrame& frame, const std::string& left, const std::string& right);

/// One line where a view has rows of one grey level amid others, else "".
std::string lost_rows_warning(const StereoFrame& frame, const std::string& left, const std::string& right);

/// One line where the columns, or the rows of both views, are those of two pictures in turn; else "".
std::string lines_in_turn_warning(const StereoFrame& frame);

}  // namespace vergence::cli

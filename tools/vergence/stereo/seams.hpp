// SPDX-License-Identifier: Apache-2.0
// Seams: what lies between both views of one picture, and rows at which a view was put together of two frames.
#pragma once

#include <string>

#include "cli/second_looks.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Both views come from one picture: one line where lines of about one grey level part them, of which each half holds
/// some; else "".
std::string separator_warning(const StereoFrame& frame, Halves halves);

/// One line where one view is torn along a row, and the other one is not at the same place; else "".
std::string torn_warning(const StereoFrame& frame, const std::string& left, const std::string& right);

}  // namespace vergence::cli

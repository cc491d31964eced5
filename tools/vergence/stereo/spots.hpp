// SPDX-License-Identifier: Apache-2.0
// Lost pixels and blocks of a pair: one line, else "".
#pragma once

#include <string>

#include "vergence/io.hpp"

namespace vergence::cli {

/// One picture, or both, hold salt and pepper, or blocks that a decoder lost. `left` and `right` are their names.
std::string spots_warning(const StereoFrame& frame, const std::string& left, const std::string& right);

}  // namespace vergence::cli

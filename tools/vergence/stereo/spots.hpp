// SPDX-License-Identifier: Apache-2.0
// Lost pixels and blocks of a pair, and parts in large pixels: one line, else "".
#pragma once

#include <string>

#include "cli/upper_bytes.hpp"

namespace vergence::cli {

/// One picture, or both, hold salt and pepper, or blocks that a decoder lost. `left` and `right` are their names.
std::string spots_warning(const PairBytes& pair, const std::string& left, const std::string& right);

/// A part of one picture, or of both, is in large pixels.
std::string large_pixels_warning(const PairBytes& pair, const std::string& left, const std::string& right);

}  // namespace vergence::cli

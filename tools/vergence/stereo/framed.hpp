// SPDX-License-Identifier: Apache-2.0
// Views that are shown within figures or pages, with axes or labels around them.
#pragma once

#include <optional>
#include <string>

#include "vergence/io.hpp"

namespace vergence::cli {

/// Both pictures are light pages that show a view in the same rectangle, and something around it; else "", and where
/// `part`, that which is matched, lies within the view.
std::string framed_warning(const StereoFrame& frame, const std::optional<Rect>& part);

}  // namespace vergence::cli

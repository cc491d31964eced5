// SPDX-License-Identifier: Apache-2.0
// Pictures whose columns or rows stand in another order than they were taken.
#pragma once

#include <string>

#include "vergence/inspect_layout.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

Rearranged order_of(const GreyPicture& picture);
/// One line where they do, else "". `name` is "left picture a.png", "both pictures" or "frame 3 of clip.mp4".
std::string order_warning(const Rearranged& found, const std::string& name);

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Truths of numbered files that fit another frame's map: their order or their numbers are wrong.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/image.hpp"

namespace vergence::cli {

/// One line where the map of this frame, in px, fits the truth of another number far better than its own `truth`;
/// else "". `names` are those of all truths, `scale` their unit. Of a `doubtful` truth the eight before and behind it
/// are tried, and those at both ends; else the nearest and the ends. A file that cannot be read is passed over.
std::string other_frame_warning(const std::string& names, std::int64_t frame, double scale, ImageView<const float> map,
                                ImageView<const float> truth, bool doubtful);

}  // namespace vergence::cli

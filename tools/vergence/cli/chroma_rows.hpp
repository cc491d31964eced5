// SPDX-License-Identifier: Apache-2.0
// Frames that show the smaller planes of 4:2:0 in their rows.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/io.hpp"

namespace vergence::cli {

/// One line where the frame `name` of raw video does so: below the picture, or anywhere else; else "".
std::string chroma_rows_warning(const GreyPicture& frame, const std::string& name);
/// One line where the picture `name` does so below, as where a buffer was stored as a grey picture; else "".
std::string chroma_below_warning(ImageView<const std::uint8_t> picture, const std::string& name);

}  // namespace vergence::cli

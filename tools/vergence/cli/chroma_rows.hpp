// SPDX-License-Identifier: Apache-2.0
// Raw frames that show the smaller planes of 4:2:0 in their rows.
#pragma once

#include <string>

#include "vergence/io.hpp"

namespace vergence::cli {

/// One line where the frame `name` does so: below the picture, or anywhere else; else "".
std::string chroma_rows_warning(const GreyPicture& frame, const std::string& name);

}  // namespace vergence::cli

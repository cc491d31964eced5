// SPDX-License-Identifier: Apache-2.0
// Lines about patterns that lie all over a picture: bytes of packed samples, filters of colours, waves and meshes.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One line where it seems to hold packed samples of 10 or 12 bits, else "".
std::string packed_warning(ImageView<const std::uint8_t> picture, const std::string& name);
/// One line where it seems to be a mosaic of colour filters, else "".
std::string mosaic_warning(const GreyPicture& picture, const std::string& name);
/// One line where a regular pattern lies all over it, else "".
std::string regular_warning(ImageView<const std::uint8_t> picture, const std::string& name);

}  // namespace vergence::cli

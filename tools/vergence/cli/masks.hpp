// SPDX-License-Identifier: Apache-2.0
// Pictures that choose pixels.
#pragma once

#include <string>

#include "vergence/image.hpp"

namespace vergence::cli {

/// Error(bad_data) where the picture is a JPEG, deeper than 8 bits, or drawn in its transparency alone; `meaning` says
/// what a mask must be.
Image<std::uint8_t> read_mask(const std::string& path, const std::string& meaning);
/// One line where the picture has more grey levels than a mask's, or one alone; else "".
std::string mask_warning(const std::string& path, ImageView<const std::uint8_t> mask, const std::string& meaning,
                         int most_levels = 16);
/// One line where a mask of the pixels that both pictures see keeps the others, by this truth; else "".
std::string inverted_mask_warning(const std::string& path, ImageView<const std::uint8_t> mask,
                                  ImageView<const float> truth);

}  // namespace vergence::cli

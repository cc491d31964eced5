// SPDX-License-Identifier: Apache-2.0
// Structural similarity of two pictures (Wang, Bovik, Sheikh and Simoncelli, "Image Quality Assessment: From Error
// Visibility to Structural Similarity", IEEE Trans. Image Processing, 2004, section III).
#pragma once

#include <cstdint>

#include "vergence/image.hpp"

namespace vergence {

/// The mean over all windows of 11x11 inside the pictures, which have one size; not a number where there is none.
double ssim(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value);
double ssim(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction, int max_value);
/// The same bits by the instructions that every processor has.
double plain_ssim(ImageView<const std::uint8_t> frame, ImageView<const std::uint8_t> prediction, int max_value);
double plain_ssim(ImageView<const std::uint16_t> frame, ImageView<const std::uint16_t> prediction, int max_value);

}  // namespace vergence

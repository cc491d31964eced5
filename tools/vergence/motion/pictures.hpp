// SPDX-License-Identifier: Apache-2.0
// What a field of vectors and its residue look like.
#pragma once

#include "vergence/image.hpp"
#include "vergence/io.hpp"
#include "vergence/motion.hpp"

namespace vergence::cli {

struct OverlayStyle {
  int zoom = 1;       ///< Pixels of the picture per pixel of the frame.
  double scale = 16;  ///< px: vectors of this length have the scale's last colour, longer ones too.
};

/// The frame, paled, with the blocks' edges and an arrow per block, from its middle to where it was found in the
/// reference frame, coloured by length; a dot where it did not move. Below it, the scale. Where blocks are smaller than
/// 8 pixels of the picture, one of each 2x2 (3x3, ...) has an arrow, and the legend says so.
Image<Rgb> draw_overlay(const GreyPicture& frame, ImageView<const MotionVector> vectors, Size block,
                        const OverlayStyle& style);

/// |frame - prediction| as heat; `scale` (grey levels of 8 bits) has the last colour. Below it, the scale.
Image<Rgb> draw_residue(const GreyPicture& frame, const GreyPicture& prediction, double scale);

}  // namespace vergence::cli

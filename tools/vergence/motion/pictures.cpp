// SPDX-License-Identifier: Apache-2.0
// Drawing of vectors and residues.
#include "motion/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/canvas.hpp"

namespace vergence::cli {
namespace {

constexpr Rgb outline{0, 0, 0};

/// Darker by a fifth.
void draw_edges(Image<Rgb>& picture, Size size, Size step) {
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (x % step.width != 0 && y % step.height != 0) continue;
      const auto darker = static_cast<std::uint8_t>(picture(x, y).r * 4 / 5);
      picture(x, y) = {darker, darker, darker};
    }
}

}  // namespace

Image<Rgb> draw_overlay(const GreyPicture& frame, ImageView<const MotionVector> vectors, Size block,
                        const OverlayStyle& style) {
  const int zoom = style.zoom;
  const Size size{frame.width() * zoom, frame.height() * zoom};
  Image<Rgb> picture = draw_frame(frame, zoom, style.scale, "px");
  draw_edges(picture, size, {block.width * zoom, block.height * zoom});
  Canvas canvas(picture, size);
  const int radius = std::max(0, zoom / 2);
  // First all outlines, so that none covers a neighbour's arrow.
  for (const bool inner : {false, true})
    for (int y = 0; y < vectors.height(); ++y)
      for (int x = 0; x < vectors.width(); ++x) {
        if (!inner && vectors(x, y) == MotionVector{}) continue;
        const int right = std::min((x + 1) * block.width, frame.width());
        const int bottom = std::min((y + 1) * block.height, frame.height());
        const double dx = vectors(x, y).dx / 4.0;
        const double dy = vectors(x, y).dy / 4.0;
        canvas.arrow(zoom * (x * block.width + right) / 2.0, zoom * (y * block.height + bottom) / 2.0, zoom * dx,
                     zoom * dy, inner ? radius : radius + 1,
                     inner ? scale_colour(std::hypot(dx, dy) / style.scale) : outline);
      }
  return picture;
}

Image<Rgb> draw_residue(const GreyPicture& frame, const GreyPicture& prediction, double scale) {
  Image<float> heat(frame.size());
  const double unit = 255.0 / frame.max_value;
  for (int y = 0; y < heat.height(); ++y)
    for (int x = 0; x < heat.width(); ++x)
      heat(x, y) = static_cast<float>(std::abs(sample(frame, x, y) - sample(prediction, x, y)) * unit);
  ColourOptions options;
  options.high = scale;
  options.invalid = false;
  options.unit = "grey levels";
  return colour_map(heat.view(), options);
}

}  // namespace vergence::cli

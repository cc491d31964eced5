// SPDX-License-Identifier: Apache-2.0
// Drawing of vectors and residues.
#include "motion/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/canvas.hpp"

namespace vergence::cli {
namespace {

/// Darker by a fifth.
void draw_edges(Image<Rgb>& picture, Size size, Size step) {
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      if (x % step.width != 0 && y % step.height != 0) continue;
      const auto darker = static_cast<std::uint8_t>(picture(x, y).r * 4 / 5);
      picture(x, y) = {darker, darker, darker};
    }
}

/// Of frames of this size, whose blocks' shorter side is `cell`: the head takes half of a block.
ArrowStyle arrow_style(Size frame, int cell) {
  const double most = std::max(8.0, std::max(frame.width, frame.height * 4 / 3) / 120.0);
  const double head = std::clamp(0.5 * cell, 4.0, most);
  return {static_cast<int>(std::lround(head / 10)), head};
}

}  // namespace

Image<Rgb> draw_overlay(const GreyPicture& frame, ImageView<const MotionVector> vectors, Size block,
                        const OverlayStyle& style) {
  constexpr int least_cell = 8;
  const int zoom = style.zoom;
  const Size size{frame.width() * zoom, frame.height() * zoom};
  const int cell = std::max(1, std::min(block.width, block.height) * zoom);
  const int step = (least_cell + cell - 1) / cell;
  FrameScale scale{.high = style.scale};
  scale.legend.unit = "px";
  scale.legend.name = "vector length";
  scale.legend.note = step > 1 ? fmt::format("an arrow per {}x{} blocks", step, step) : "dot unmoved";
  Image<Rgb> picture = draw_frame(frame, zoom, scale);
  draw_edges(picture, size, {block.width * zoom, block.height * zoom});
  Canvas canvas(picture, size);
  const ArrowStyle arrow = arrow_style(size, cell * step);
  // First all outlines, so that none covers a neighbour's arrow.
  for (const bool inner : {false, true})
    for (int y = step / 2; y < vectors.height(); y += step)
      for (int x = step / 2; x < vectors.width(); x += step) {
        const int right = std::min((x + 1) * block.width, frame.width());
        const int bottom = std::min((y + 1) * block.height, frame.height());
        const double from_x = zoom * (x * block.width + right) / 2.0 - 0.5;
        const double from_y = zoom * (y * block.height + bottom) / 2.0 - 0.5;
        const double dx = vectors(x, y).dx / 4.0;
        const double dy = vectors(x, y).dy / 4.0;
        const Rgb colour = scale_colour(std::hypot(dx, dy) / style.scale);
        const Rgb now = inner ? colour : outline_of(colour);
        const int wider = inner ? 0 : 1;
        if (vectors(x, y) == MotionVector{})
          canvas.disc(static_cast<int>(std::lround(from_x)), static_cast<int>(std::lround(from_y)),
                      arrow.radius + wider, now);
        else
          canvas.arrow(from_x, from_y, zoom * dx, zoom * dy, arrow, wider, now);
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
  options.name = "residue";
  return colour_map(heat.view(), options);
}

}  // namespace vergence::cli

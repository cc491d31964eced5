// SPDX-License-Identifier: Apache-2.0
// Maps of one pair beside each other, in the same colours, each with a title below it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "io/legend_font.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::bench {

struct Panel {
  Image<Rgb> picture;
  std::string title;  ///< Digits, small letters, '-', '.'.
};

/// Means of blocks of `factor` x `factor` pixels.
inline Image<Rgb> shrunk(const Image<Rgb>& picture, int factor) {
  Image<Rgb> out(picture.width() / factor, picture.height() / factor);
  const int area = factor * factor;
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      int r = area / 2, g = area / 2, b = area / 2;
      for (int i = 0; i < area; ++i) {
        const Rgb& pixel = picture(x * factor + i % factor, y * factor + i / factor);
        r += pixel.r;
        g += pixel.g;
        b += pixel.b;
      }
      out(x, y) = {static_cast<std::uint8_t>(r / area), static_cast<std::uint8_t>(g / area),
                   static_cast<std::uint8_t>(b / area)};
    }
  return out;
}

inline void paste(Image<Rgb>& onto, const Image<Rgb>& picture, int left, int top, int first_row = 0) {
  for (int y = first_row; y < picture.height(); ++y)
    std::copy_n(picture.row(y), picture.width(), onto.row(top + y - first_row) + left);
}

/// `unit`: screen pixels to a pixel of the font.
inline void write_text(Image<Rgb>& onto, std::string_view text, int left, int top, int unit) {
  for (const char c : text) {
    const io::Glyph& shape = io::glyph(c);
    for (int y = 0; y < static_cast<int>(shape.size()) * unit; ++y)
      for (int x = 0; x < 5 * unit; ++x)
        if ((shape[static_cast<std::size_t>(y / unit)] >> (4 - x / unit) & 1) != 0 && left + x < onto.width())
          onto(left + x, top + y) = {0, 0, 0};
    left += 6 * unit;
  }
}

/// Two panels to a row, and the scale of the colours below them. All panels have one size.
inline Image<Rgb> beside_each_other(const std::vector<Panel>& panels, ColourOptions options) {
  const Size size = panels.front().picture.size();
  const int unit = std::max(1, size.width / 300), margin = 6 * unit, title = 15 * unit;
  const int rows = (static_cast<int>(panels.size()) + 1) / 2;
  options.legend = true;
  // One pixel of each kind, so that the legend tells how both look.
  Image<float> ends(2 * size.width + margin, 1, 0.0F);
  Image<std::uint8_t> validity(ends.size(), 1);
  ends(0, 0) = std::numeric_limits<float>::infinity();
  validity(1, 0) = 2;
  options.mask = validity.view();
  const Image<Rgb> legend = colour_map(ends.view(), options);
  const int width = std::max(2 * size.width + margin, legend.width()) + 2 * margin;
  const int height = margin + rows * (size.height + title) + legend.height() - 1;
  Image<Rgb> out(Size{width, height}, Rgb{255, 255, 255});
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int left = margin + static_cast<int>(i % 2) * (size.width + margin);
    const int top = margin + static_cast<int>(i / 2) * (size.height + title);
    paste(out, panels[i].picture, left, top);
    write_text(out, panels[i].title, left, top + size.height + 3 * unit, unit);
  }
  paste(out, legend, margin, margin + rows * (size.height + title), 1);
  return out;
}

}  // namespace vergence::bench

// SPDX-License-Identifier: Apache-2.0
// The legend below a coloured map, and the patterns of pixels that were not measured.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::io {

/// Grey stripes: an invalid pixel.
Rgb invalid_colour(int x, int y);
/// Dark dots on a pale ground: a filled pixel whose disparity has this colour. Dots and stripes differ in print, too.
Rgb filled_colour(const Rgb& colour, int x, int y);

/// What a map holds besides numbers within the limits.
struct MapContent {
  bool invalid = false, filled = false;  ///< Pixels.
  bool below = false, above = false;     ///< Numbers beyond a limit.
};

/// All lengths grow with the picture, so that the numbers stay readable when it is shown small. The size and the bar
/// depend on the options alone: all pictures of a video are of one size, and the bar stays where it is.
class Legend {
 public:
  Legend(int map_width, const ColourOptions& options);

  int height() const { return bar_top() + 28 * unit_; }
  int least_width() const;
  void draw(Image<Rgb>& picture, int top, const MapContent& content);

 private:
  struct Tick {
    double value = 0;
    std::string text;
  };
  struct Span {
    int first = 0, last = 0;
  };

  int bar_top() const;
  int swatches_width() const;
  void draw_text(Image<Rgb>& picture, std::string_view text, int left, int top) const;
  void draw_swatches(Image<Rgb>& picture, const MapContent& content) const;
  std::vector<Tick> regular_ticks() const;
  std::vector<Tick> ticks(const MapContent& content) const;
  Span label(const Tick& tick) const;
  void draw_tick(Image<Rgb>& picture, const Tick& tick) const;

  const ColourOptions& options_;
  std::string title_;
  int unit_;
  int width_ = 0;  ///< Of the picture.
  int bar_x_ = 0;
  int bar_y_ = 0;
  int bar_width_ = 0;
};

}  // namespace vergence::io

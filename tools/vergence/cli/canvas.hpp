// SPDX-License-Identifier: Apache-2.0
// Drawing on frames: lines, discs, arrows, pale frames and the scale of colours below them; videos of such.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/files.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

inline int sample(const GreyPicture& picture, int x, int y) {
  return picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y);
}

struct ArrowStyle {
  int radius = 0;   ///< Its line is as thick as 2 radius + 1.
  double head = 6;  ///< Length of the head.
};

/// Draws into the part of a picture that shows the frame.
class Canvas {
 public:
  Canvas(Image<Rgb>& picture, Size size) : picture_(picture), size_(size) {}

  void set(int x, int y, Rgb colour) {
    if (x >= 0 && y >= 0 && x < size_.width && y < size_.height) picture_(x, y) = colour;
  }
  void disc(int x, int y, int radius, Rgb colour) {
    for (int v = -radius; v <= radius; ++v)
      for (int u = -radius; u <= radius; ++u)
        if (u * u + v * v <= radius * radius) set(x + u, y + v, colour);
  }
  /// A line as thick as 2 radius + 1.
  void line(double x0, double y0, double x1, double y1, int radius, Rgb colour) {
    const int steps = std::max(1, static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0)))));
    for (int i = 0; i <= steps; ++i) {
      const double t = static_cast<double>(i) / steps;
      disc(static_cast<int>(std::lround(x0 + (x1 - x0) * t)), static_cast<int>(std::lround(y0 + (y1 - y0) * t)), radius,
           colour);
    }
  }
  /// As long as (dx, dy), but at least as its head, so that it always has a direction. `wider`: by so much on all
  /// sides.
  void arrow(double x, double y, double dx, double dy, const ArrowStyle& style, int wider, Rgb colour) {
    const double length = std::hypot(dx, dy);
    const double u = dx / length, v = dy / length;
    const double tip = std::max(length, style.head);
    const double base = tip - style.head;
    if (base >= 1) line(x, y, x + u * base, y + v * base, style.radius + wider, colour);
    head(x + u * base, y + v * base, u, v, style.head, wider, colour);
  }

 private:
  /// A triangle from the middle of its base (x, y) in the direction (u, v), longer than wide, so that its tip is seen.
  void head(double x, double y, double u, double v, double length, int wider, Rgb colour) {
    const int reach = static_cast<int>(std::ceil(length)) + 2 * wider + 1;
    const int middle_x = static_cast<int>(std::lround(x)), middle_y = static_cast<int>(std::lround(y));
    for (int b = middle_y - reach; b <= middle_y + reach; ++b)
      for (int a = middle_x - reach; a <= middle_x + reach; ++a) {
        const double along = (a - x) * u + (b - y) * v;
        const double across = std::abs((b - y) * u - (a - x) * v);
        // The sides' outline is as thick as that of the base: 1 along the side's normal is 1.08 across.
        if (along >= -wider - 0.25 && along <= length + 2 * wider &&
            across <= 0.4 * (length - along) + 1.08 * wider + 0.25)
          set(a, b, colour);
      }
  }

  Image<Rgb>& picture_;
  Size size_;
};

/// A colour that stands out from both this one and a pale frame.
inline Rgb outline_of(Rgb colour) {
  const int luma = (299 * colour.r + 587 * colour.g + 114 * colour.b) / 1000;
  return luma < 110 ? Rgb{255, 255, 255} : Rgb{0, 0, 0};
}

/// Pixels of an overlay per pixel of the frame: such that the overlay is some 1000 wide.
inline int overlay_zoom(Size frame) {
  const int width = std::max({1, frame.width, frame.height * 4 / 3});
  return std::clamp((1000 + width / 2) / width, 1, 8);
}

/// The scale of an overlay, from 0 on.
struct FrameScale {
  double high = 0;
  bool open = true;  ///< Larger numbers can be, and have the last colour.
  ColourOptions legend{};
};

/// The scale alone, as wide as a picture.
inline Image<Rgb> draw_scale(int width, const FrameScale& scale) {
  ColourOptions options = scale.legend;
  options.high = scale.high;
  options.invalid = false;
  const Image<float> map(width, 1, static_cast<float>(scale.open ? 2 * scale.high : scale.high));
  return colour_map(map.view(), options);
}

/// The enlarged frame above the scale of colours. Pale, so that the scale's dark colours, those of small things, stand
/// out; light ones have an outline.
inline Image<Rgb> draw_frame(const GreyPicture& frame, int zoom, const FrameScale& frame_scale) {
  const int height = frame.height() * zoom;
  const Image<Rgb> scale = draw_scale(frame.width() * zoom, frame_scale);
  Image<Rgb> picture(scale.width(), height + scale.height() - 1, Rgb{255, 255, 255});
  for (int y = 1; y < scale.height(); ++y) std::copy_n(scale.row(y), scale.width(), picture.row(height + y - 1));
  for (int y = 0; y < frame.height() * zoom; ++y)
    for (int x = 0; x < frame.width() * zoom; ++x) {
      const int value = sample(frame, x / zoom, y / zoom) * 130 / std::max(1, frame.max_value);
      const auto grey = static_cast<std::uint8_t>(100 + std::min(value, 130));
      picture(x, y) = {grey, grey, grey};
    }
  return picture;
}

/// Adds a picture to a video, which is opened with the first.
inline void add_picture(std::optional<VideoWriter>& video, const std::string& path, double rate,
                        const Image<Rgb>& picture) {
  if (!video) {
    VideoFormat format;
    format.size = picture.size();
    format.rate = rate;
    format.chroma = ending(path) == ".y4m" ? ChromaFormat::c444 : ChromaFormat::c420;
    video.emplace(path, format);
  }
  video->write(picture.view());
}

}  // namespace vergence::cli

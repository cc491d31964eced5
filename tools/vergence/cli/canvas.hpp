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
  void arrow(double x, double y, double dx, double dy, int radius, Rgb colour) {
    const double length = std::hypot(dx, dy);
    if (length < 0.5) return disc(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)), radius, colour);
    line(x, y, x + dx, y + dy, radius, colour);
    const double head = std::clamp(0.35 * length, 2.0, 6.0);
    for (const double side : {-1.0, 1.0}) {
      const double u = (-dx * 0.87 - side * dy * 0.5) / length * head;
      const double v = (-dy * 0.87 + side * dx * 0.5) / length * head;
      line(x + dx, y + dy, x + dx + u, y + dy + v, radius, colour);
    }
  }

 private:
  Image<Rgb>& picture_;
  Size size_;
};

/// The scale alone, as wide as a picture.
inline Image<Rgb> draw_scale(int width, double high, const std::string& unit) {
  ColourOptions options;
  options.high = high;
  options.invalid = false;
  options.unit = unit;
  const Image<float> nothing(width, 1, 0.0f);
  return colour_map(nothing.view(), options);
}

/// The enlarged frame above the scale of colours. Pale, so that the scale's dark colours, those of small things, stand
/// out; long arrows have their outline. `unit` is that of the scale.
inline Image<Rgb> draw_frame(const GreyPicture& frame, int zoom, double high, const std::string& unit) {
  const int height = frame.height() * zoom;
  const Image<Rgb> scale = draw_scale(frame.width() * zoom, high, unit);
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

// SPDX-License-Identifier: Apache-2.0
// Pyramidal Lucas-Kanade in double without any rounding, for comparisons: levels of doubles, exact samples.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "vergence/track.hpp"

namespace vergence::test {

struct FloatPoint {
  double x = 0, y = 0;
};

/// A picture of doubles that goes on mirrored.
struct FloatPicture {
  int width = 0, height = 0;
  std::vector<double> values;
  double at(int x, int y) const {
    x = std::abs(x);
    y = std::abs(y);
    if (x >= width) x = 2 * width - 2 - x;
    if (y >= height) y = 2 * height - 2 - y;
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  template <class F>
  static double between(double x, double y, F&& value) {
    const int u = static_cast<int>(std::floor(x)), v = static_cast<int>(std::floor(y));
    const double a = x - u, b = y - v;
    return (1 - b) * ((1 - a) * value(u, v) + a * value(u + 1, v)) +
           b * ((1 - a) * value(u, v + 1) + a * value(u + 1, v + 1));
  }
  double between(double x, double y) const {
    return between(x, y, [&](int u, int v) { return at(u, v); });
  }
  /// Change per pixel; 0 outside.
  double slope(double x, double y, int across, int down) const {
    return between(x, y, [&](int u, int v) {
      if (u < 0 || v < 0 || u >= width || v >= height) return 0.0;
      double sum = 0;
      for (int k = -1; k <= 1; ++k)
        sum += (k == 0 ? 10 : 3) *
               (at(u + across + k * down, v + down + k * across) - at(u - across + k * down, v - down + k * across));
      return sum / 32;
    });
  }
  FloatPicture half() const {
    FloatPicture out{(width + 1) / 2, (height + 1) / 2, {}};
    const double weights[5] = {1, 4, 6, 4, 1};
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x) {
        double sum = 0;
        for (int v = 0; v < 5; ++v)
          for (int u = 0; u < 5; ++u) sum += weights[u] * weights[v] * at(2 * x + u - 2, 2 * y + v - 2);
        out.values.push_back(sum / 256);
      }
    return out;
  }
};

inline FloatPicture float_picture(ImageView<const std::uint8_t> picture) {
  FloatPicture out{picture.width(), picture.height(), {}};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) out.values.push_back(picture(x, y));
  return out;
}

/// Where a point went; nothing where a window leaves or shows nothing.
inline std::optional<FloatPoint> float_lk(ImageView<const std::uint8_t> previous, ImageView<const std::uint8_t> current,
                                          const TrackOptions& o, double x, double y) {
  std::vector<FloatPicture> from{float_picture(previous)}, to{float_picture(current)};
  for (int level = 1; level <= o.levels; ++level) {
    from.push_back(from.back().half());
    to.push_back(to.back().half());
  }
  FloatPoint d;
  const int first = -(o.window / 2);
  for (int level = o.levels; level >= 0; --level) {
    const FloatPicture &i = from[static_cast<std::size_t>(level)], &j = to[static_cast<std::size_t>(level)];
    const double px = x / (1 << level), py = y / (1 << level);
    double xx = 0, xy = 0, yy = 0;
    const auto each = [&](auto&& f) {
      for (int v = first; v < first + o.window; ++v)
        for (int u = first; u < first + o.window; ++u) f(px + u, py + v);
    };
    each([&](double a, double b) {
      const double gx = i.slope(a, b, 1, 0), gy = i.slope(a, b, 0, 1);
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
    });
    const double determinant = xx * yy - xy * xy;
    if (determinant < 1e-3) return std::nullopt;
    for (int k = 0; k < o.iterations; ++k) {
      if (px + d.x < 0 || py + d.y < 0 || px + d.x > j.width - 1 || py + d.y > j.height - 1) return std::nullopt;
      double ex = 0, ey = 0;
      each([&](double a, double b) {
        const double difference = i.between(a, b) - j.between(a + d.x, b + d.y);
        ex += difference * i.slope(a, b, 1, 0);
        ey += difference * i.slope(a, b, 0, 1);
      });
      const double sx = (yy * ex - xy * ey) / determinant, sy = (xx * ey - xy * ex) / determinant;
      d.x += sx;
      d.y += sy;
      if (std::hypot(sx, sy) <= o.epsilon) break;
    }
    if (level > 0) d = {2 * d.x, 2 * d.y};
  }
  return FloatPoint{x + d.x, y + d.y};
}

}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// Fixed-point maps of rectification, and the region in which they are whole.
#include "plan/rectify/maps.hpp"

#include <algorithm>
#include <vector>

namespace vergence::rectify {
namespace {

constexpr double farthest = 1 << 20;  // px: no picture is larger

std::int32_t fixed_point(double pixels) { return static_cast<std::int32_t>(std::floor(pixels * 1024 + 0.5)); }

/// The nearest place inside, along one axis; clears `inside` where it is another.
std::int32_t clamped(double pixels, int side, bool& inside) {
  if (!(std::abs(pixels) <= farthest)) {
    inside = false;
    return pixels > 0 ? 1024 * (side - 1) : 0;
  }
  const std::int32_t place = fixed_point(pixels), last = 1024 * (side - 1);
  if (place < 0 || place > last) inside = false;
  return std::clamp(place, 0, last);
}

}  // namespace

SourceMap make_source_map(const Camera& camera, const Matrix3x3& rotation, const Matrix3x3& projection, Size size) {
  const Lens lens(camera);
  const Matrix3x3 back = inverse(projection * rotation);
  SourceMap map{Image<std::int32_t>(size), Image<std::int32_t>(size), camera.size};
  for (int v = 0; v < size.height; ++v)
    for (int u = 0; u < size.width; ++u) {
      const double x = (u * back[0] + v * back[1]) + back[2], y = (u * back[3] + v * back[4]) + back[5];
      const double z = (u * back[6] + v * back[7]) + back[8];
      bool inside = z > 0;
      Point place;
      if (inside) {
        const Point ray{x / z, y / z};
        inside = ray.x * ray.x + ray.y * ray.y <= lens.reach();
        place = inside ? lens.pixel_of(ray) : lens.plain_pixel_of(ray);
      }
      const std::int32_t across = clamped(place.x, camera.size.width, inside);
      map.y(u, v) = clamped(place.y, camera.size.height, inside);
      map.x(u, v) = inside ? across : ~across;
    }
  return map;
}

Rect valid_rectangle(const SourceMap& left, const SourceMap& right) {
  const int width = left.x.width(), height = left.x.height();
  std::vector<int> run(static_cast<std::size_t>(width) + 1);  // whole pixels from the row at hand upwards; then 0
  std::vector<int> open;                                      // columns where rectangles begin, ever higher runs
  Rect best;
  std::int64_t largest = 0;
  for (int y = 0; y < height; ++y) {
    open.clear();
    for (int x = 0; x <= width; ++x) {
      int& height_here = run[static_cast<std::size_t>(x)];
      if (x < width) height_here = left.x(x, y) >= 0 && right.x(x, y) >= 0 ? height_here + 1 : 0;
      while (!open.empty() && run[static_cast<std::size_t>(open.back())] >= height_here) {
        const int tall = run[static_cast<std::size_t>(open.back())];
        open.pop_back();
        const int first = open.empty() ? 0 : open.back() + 1;
        const Rect found{first, y + 1 - tall, x - first, tall};
        const std::int64_t area = std::int64_t{found.width} * found.height;
        const bool earlier = found.y < best.y || (found.y == best.y && found.x < best.x);
        if (area > largest || (area == largest && area > 0 && earlier)) {
          largest = area;
          best = found;
        }
      }
      open.push_back(x);
    }
  }
  return best;
}

}  // namespace vergence::rectify

// SPDX-License-Identifier: Apache-2.0
// Pictures for tests of tracks: a smooth texture that can be looked at from anywhere, also between pixels.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/track.hpp"

namespace vergence::test {

/// A value 0 .. 1 per whole (x, y) and octave, smoothly blended in between.
inline double smooth_noise(double x, double y, std::uint32_t octave) {
  const auto value = [octave](double u, double v) {
    auto hash = static_cast<std::uint32_t>(static_cast<std::int32_t>(u)) * 0x9E3779B1u ^
                static_cast<std::uint32_t>(static_cast<std::int32_t>(v)) * 0x85EBCA77u ^ octave * 0xC2B2AE3Du;
    hash = (hash ^ hash >> 15) * 0x2C1B3C6Du;
    hash = (hash ^ hash >> 12) * 0x297A2D39u;
    return (hash ^ hash >> 15) / 4294967295.0;
  };
  const double u = std::floor(x), v = std::floor(y);
  const auto blend = [](double t) { return t * t * t * (t * (6 * t - 15) + 10); };
  const double a = blend(x - u), b = blend(y - v);
  return (1 - b) * ((1 - a) * value(u, v) + a * value(u + 1, v)) +
         b * ((1 - a) * value(u, v + 1) + a * value(u + 1, v + 1));
}

/// 0 .. 1; structure of 6 to 48 px, so that every level has some.
inline double texture(double x, double y) {
  return 0.25 * smooth_noise(x / 6, y / 6, 1) + 0.25 * smooth_noise(x / 12, y / 12, 2) +
         0.25 * smooth_noise(x / 24, y / 24, 3) + 0.25 * smooth_noise(x / 48, y / 48, 4);
}

/// The texture with its pixel (x + left, y + up) at (x, y): moved by (-left, -up).
template <class P>
Image<P> textured(Size size, double left, double up, double largest = 255) {
  Image<P> image(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image(x, y) = static_cast<P>(std::floor(texture(x + left, y + up) * largest + 0.5));
  return image;
}

/// Options that reject no point for what was found: for tests of the search itself.
inline TrackOptions unchecked() {
  TrackOptions options;
  options.max_residual = 0;
  options.forward_backward = 0;
  return options;
}

inline std::vector<TrackedPoint> follow(ImageView<const std::uint8_t> previous, ImageView<const std::uint8_t> current,
                                        const std::vector<TrackPosition>& points, const TrackOptions& options,
                                        const std::vector<TrackPosition>& guesses = {},
                                        const Device& device = Device("reference")) {
  PointFlow flow(device, previous.size(), options);
  flow.push(previous);
  flow.push(current);
  std::vector<TrackedPoint> found(points.size());
  flow.track(points, found, guesses);
  return found;
}

/// Every `step` px, `margin` px away from the edge.
inline std::vector<TrackPosition> raster(Size size, int step, int margin) {
  std::vector<TrackPosition> points;
  for (int y = margin; y < size.height - margin; y += step)
    for (int x = margin; x < size.width - margin; x += step) points.push_back(to_position(x, y));
  return points;
}

}  // namespace vergence::test

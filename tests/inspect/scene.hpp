// SPDX-License-Identifier: Apache-2.0
// A made-up pair: a textured wall, and a square before it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vergence/image.hpp"
#include "vergence/inspect.hpp"

namespace vergence::inspect_test {

using Picture = Image<std::uint8_t>;

constexpr Size scene_size{240, 180};
constexpr int wall = 6;     // px of disparity
constexpr int square = 12;  // px

inline int hash(int x, int y) {
  auto h = static_cast<std::uint32_t>(x) * 0x9E3779B1u ^ static_cast<std::uint32_t>(y) * 0x85EBCA77u;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  return static_cast<int>((h ^ (h >> 15)) & 127);
}

/// Blobs of 5 px, not noise: they stay alike when they are turned a little.
inline int texture(double x, double y) {
  const double u = x / 5;
  const double v = y / 5;
  const int i = static_cast<int>(std::floor(u));
  const int j = static_cast<int>(std::floor(v));
  const double a = u - i;
  const double b = v - j;
  const double value = (1 - a) * (1 - b) * hash(i, j) + a * (1 - b) * hash(i + 1, j) + (1 - a) * b * hash(i, j + 1) +
                       a * b * hash(i + 1, j + 1);
  return 64 + static_cast<int>(value);
}

/// The left picture (`right` false) or the right one, turned by `degrees` about its middle and lowered by `rows`.
inline Picture view(bool right, double degrees = 0, double rows = 0) {
  Picture picture(scene_size);
  const double angle = degrees * 3.14159265358979 / 180;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const double dx = x - 120;
      const double dy = y - rows - 90;
      const double sx = 120 + std::cos(angle) * dx - std::sin(angle) * dy;
      const double sy = 90 + std::sin(angle) * dx + std::cos(angle) * dy;
      const double near = sx + (right ? square : 0);
      const bool before = near >= 70 && near < 190 && sy >= 30 && sy < 150;
      const double at = before ? near + 1000 : sx + (right ? wall : 0);
      picture(x, y) = static_cast<std::uint8_t>(texture(at, sy));
    }
  return picture;
}

inline PairFindings look(const Picture& left, const Picture& right, StereoView reference = StereoView::left,
                         int disparities = 32) {
  StereoOptions options;
  options.disparities = disparities;
  options.reference = reference;
  return inspect_pair(left.view(), right.view(), options);
}

}  // namespace vergence::inspect_test

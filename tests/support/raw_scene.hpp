// SPDX-License-Identifier: Apache-2.0
// The built-in scene as two raw cameras see it: turned, with distortion. Each raw pixel's ray is traced, so that
// nothing is sampled twice; lens and rotations are undone here by means of this file alone.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "synth/layout.hpp"
#include "synth/view.hpp"
#include "vergence/image.hpp"
#include "vergence/rig.hpp"

namespace vergence::test {

struct RawScene {
  StereoRig rig;                    ///< With its rectification.
  Image<std::uint8_t> left, right;  ///< Raw.
  Image<float> disparity;           ///< Of the rectified left picture, px.
};

namespace raw_scene {

constexpr Size size{240, 180};
/// What the scene has around the rectified pictures, so that raw cameras may look beyond them.
constexpr int margin = 48;

/// By a radians about x, then by b about y.
inline Matrix3x3 turn(double a, double b) {
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  return {cb, sb * sa, sb * ca, 0, ca, -sa, -sb, cb * sa, cb * ca};
}

/// The ray (x, y, 1) of a raw pixel: the distortion is taken off again and again.
inline std::array<double, 2> ray_of(const Camera& camera, double u, double v) {
  const auto& [k1, k2, p1, p2, k3, k4, k5, k6, s1, s2, s3, s4, tx, ty] = camera.distortion;
  const double x0 = (u - camera.cx) / camera.fx, y0 = (v - camera.cy) / camera.fy;
  double x = x0, y = y0;
  for (int i = 0; i < 20; ++i) {
    const double r2 = x * x + y * y, radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
    const double dx = 2 * p1 * x * y + p2 * (r2 + 2 * x * x), dy = p1 * (r2 + 2 * y * y) + 2 * p2 * x * y;
    x = (x0 - dx) / radial;
    y = (y0 - dy) / radial;
  }
  return {x, y};
}

/// What the raw camera sees.
inline Image<std::uint8_t> picture(const synth::View& view, const Camera& camera, const Matrix3x3& r,
                                   const Matrix3x4& p) {
  constexpr int samples = 2;
  Image<std::uint8_t> out(camera.size);
  for (int v = 0; v < out.height(); ++v)
    for (int u = 0; u < out.width(); ++u) {
      double sum = 0;
      for (int k = 0; k < samples * samples; ++k) {
        const auto [x, y] =
            ray_of(camera, u + (k % samples + 0.5) / samples - 0.5, v + (k / samples + 0.5) / samples - 0.5);
        const double rx = r[0] * x + r[1] * y + r[2], ry = r[3] * x + r[4] * y + r[5], rz = r[6] * x + r[7] * y + r[8];
        const double sx = p[0] * rx / rz + p[2] + margin, sy = p[5] * ry / rz + p[6] + margin;
        const synth::Hit hit = view.trace(sx, sy);
        const synth::Color color = view.color(hit, view.local_point(hit, sx, sy)).color;
        sum += 0.299 * color.x + 0.587 * color.y + 0.114 * color.z;
      }
      out(u, v) = static_cast<std::uint8_t>(std::clamp(sum / (samples * samples) + 0.5, 0.0, 255.0));
    }
  return out;
}

}  // namespace raw_scene

/// `ideal`: as cameras without distortion and turns see it, which need no rectification.
inline RawScene make_raw_scene(bool ideal = false) {
  using namespace raw_scene;  // NOLINT(google-build-using-namespace): of this file
  synth::SceneOptions options;
  options.size = {size.width + 2 * margin, size.height + 2 * margin};
  options.seed = 3;
  options.min_disparity = 3;
  options.max_disparity = 30;
  const synth::World world = synth::furnish(options);
  const synth::View left(world, options.size, synth::Eye::left, 0), right(world, options.size, synth::Eye::right, 0);
  const double f = world.focal, cx = (options.size.width - 1) / 2.0 - margin,
               cy = (options.size.height - 1) / 2.0 - margin;
  RawScene made;
  StereoRig& rig = made.rig;
  rig.left = {size, 0.97 * f, 0.96 * f, cx - 2.25, cy + 2, LensModel::pinhole, {-0.14, 0.03, 0.001, -0.0006}};
  rig.right = {size, 0.96 * f, 0.97 * f, cx + 2.25, cy - 2, LensModel::pinhole, {-0.12, 0.02, -0.0008, 0.0011}};
  RigRectification to;
  if (ideal)
    rig.left = rig.right = {size, f, f, cx, cy, LensModel::pinhole, {}};
  else
    to.r1 = turn(0.02, -0.03), to.r2 = turn(-0.015, 0.025);
  to.p1 = {f, 0, cx, 0, 0, f, cy, 0, 0, 0, 1, 0};
  to.p2 = {f, 0, cx, -f * world.baseline, 0, f, cy, 0, 0, 0, 1, 0};
  to.size = size;
  const Matrix3x3 &a = to.r1, &b = to.r2;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      rig.rotation[3 * i + j] = b[i] * a[j] + b[3 + i] * a[3 + j] + b[6 + i] * a[6 + j];
    rig.translation[i] = -world.baseline * b[i];
  }
  rig.rectified = to;
  made.left = picture(left, rig.left, to.r1, to.p1);
  made.right = picture(right, rig.right, to.r2, to.p2);
  made.disparity = Image<float>(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      made.disparity(x, y) = static_cast<float>(f * world.baseline / left.trace(x + margin, y + margin).depth);
  return made;
}

}  // namespace vergence::test

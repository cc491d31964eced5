// SPDX-License-Identifier: Apache-2.0
// The lens models: pinhole with 14 coefficients, equidistant fisheye.
#include "plan/rectify/lens.hpp"

#include <algorithm>

namespace vergence::rectify {
namespace {

/// The projection onto a sensor that is turned about x, then y: Louhichi et al. 2007, as OpenCV writes it.
Matrix3x3 tilt_matrix(double about_x, double about_y) {
  const double cx = cosine(about_x), sx = sine(about_x), cy = cosine(about_y), sy = sine(about_y);
  const Matrix3x3 turn_x{1, 0, 0, 0, cx, sx, 0, -sx, cx}, turn_y{cy, 0, -sy, 0, 1, 0, sy, 0, cy};
  const Matrix3x3 turned = turn_y * turn_x;
  const Matrix3x3 project{turned[8], 0, -turned[2], 0, turned[8], -turned[5], 0, 0, 1};
  return project * turned;
}

Point through(const Matrix3x3& m, Point p) {
  const Vector3 v = m * Vector3{p.x, p.y, 1};
  return v[2] == 0 ? Point{v[0], v[1]} : Point{v[0] / v[2], v[1] / v[2]};
}

/// What tangential and thin-prism coefficients add.
Point shift_of(const std::array<double, 14>& k, Point p, double square) {
  const double twice = 2 * p.x * p.y;
  return {(k[2] * twice + k[3] * (square + 2 * p.x * p.x)) + (k[8] * square + k[9] * (square * square)),
          (k[2] * (square + 2 * p.y * p.y) + k[3] * twice) + (k[10] * square + k[11] * (square * square))};
}

}  // namespace

Lens::Lens(const Camera& camera)
    : model_(camera.model), fx_(camera.fx), fy_(camera.fy), cx_(camera.cx), cy_(camera.cy), k_(camera.distortion) {
  if (model_ == LensModel::pinhole && (k_[12] != 0 || k_[13] != 0)) {
    tilted_ = true;
    tilt_ = tilt_matrix(k_[12], k_[13]);
    untilt_ = inverse(tilt_);
  }
  reach_ = find_reach();
}

double Lens::radial(double square) const {
  const double above = 1 + square * (k_[0] + square * (k_[1] + square * k_[4]));
  const double below = 1 + square * (k_[5] + square * (k_[6] + square * k_[7]));
  return above / below;
}

double Lens::fisheye_angle(double angle) const {
  const double q = angle * angle;
  return angle * (1 + q * (k_[0] + q * (k_[1] + q * (k_[2] + q * k_[3]))));
}

double Lens::find_reach() const {
  constexpr double step = 1.0 / 1024;
  double before = 0;
  if (model_ == LensModel::fisheye) {
    for (double angle = step; angle < pi / 2; angle += step) {
      const double seen = fisheye_angle(angle);
      if (!(seen > before)) {
        const double last = sine(angle - step) / cosine(angle - step);
        return last * last;
      }
      before = seen;
    }
    return 1e12;
  }
  constexpr double widest = 64;  // 89 degrees
  for (double r = step; r < widest; r += step) {
    const double seen = r * radial(r * r);
    if (!(seen > before)) return (r - step) * (r - step);
    before = seen;
  }
  return 1e12;
}

Point Lens::pixel_of(Point ray) const {
  const double square = ray.x * ray.x + ray.y * ray.y;
  Point p = ray;
  if (model_ == LensModel::fisheye) {
    const double r = std::sqrt(square);
    const double scale = r > 1e-8 ? fisheye_angle(arctangent(r)) / r : 1;
    p = {ray.x * scale, ray.y * scale};
  } else {
    const double q = radial(square);
    const Point shift = shift_of(k_, ray, square);
    p = {ray.x * q + shift.x, ray.y * q + shift.y};
    if (tilted_) p = through(tilt_, p);
  }
  return plain_pixel_of(p);
}

Point Lens::ray_of(Point pixel, int rounds) const {
  const Point seen{(pixel.x - cx_) / fx_, (pixel.y - cy_) / fy_};
  if (model_ == LensModel::fisheye) {
    const double r = std::sqrt(seen.x * seen.x + seen.y * seen.y);
    if (!(r > 1e-8)) return seen;
    const double wanted = std::min(r, pi / 2);
    double angle = wanted;
    for (int i = 0; i < rounds; ++i) {
      const double q = angle * angle;
      const double slope = 1 + q * (3 * k_[0] + q * (5 * k_[1] + q * (7 * k_[2] + q * (9 * k_[3]))));
      const double change = (fisheye_angle(angle) - wanted) / slope;
      angle -= change;
      if (std::abs(change) < 1e-12) break;
    }
    angle = std::clamp(angle, 0.0, 1.5625);  // 89.5 degrees: what lies beyond has no place on a plane
    const double scale = sine(angle) / cosine(angle) / r;
    return {seen.x * scale, seen.y * scale};
  }
  const Point start = tilted_ ? through(untilt_, seen) : seen;
  Point ray = start;
  for (int i = 0; i < rounds; ++i) {
    const double square = ray.x * ray.x + ray.y * ray.y;
    const double q = 1 / radial(square);
    if (!(q >= 0)) return seen;
    const Point shift = shift_of(k_, ray, square);
    const Point next{(start.x - shift.x) * q, (start.y - shift.y) * q};
    const bool settled = std::abs(next.x - ray.x) < 1e-13 && std::abs(next.y - ray.y) < 1e-13;
    ray = next;
    if (settled) break;
  }
  return ray;
}

}  // namespace vergence::rectify

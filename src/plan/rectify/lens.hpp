// SPDX-License-Identifier: Apache-2.0
// Where a camera sees a ray, and back: the models of vergence/rig.hpp in one written order of operations.
#pragma once

#include "plan/rectify/arithmetic.hpp"
#include "vergence/rig.hpp"

namespace vergence::rectify {

struct Point {
  double x = 0;
  double y = 0;
};

/// A camera with what follows from its numbers.
class Lens {
 public:
  explicit Lens(const Camera& camera);

  /// Where the ray (x, y, 1) is seen, in px. Rays beyond reach() give a place that means nothing.
  Point pixel_of(Point ray) const;
  /// The same without the lens' distortion.
  Point plain_pixel_of(Point ray) const { return {fx_ * ray.x + cx_, fy_ * ray.y + cy_}; }
  /// The ray (x, y, 1) seen at `pixel`, by at most so many rounds: fixed-point iteration for pinholes (as
  /// cv::undistortPoints), Newton's for fisheyes.
  Point ray_of(Point pixel, int rounds) const;
  /// Rays with x^2 + y^2 above this are not seen: there the radial polynomial has turned back, and would show a second
  /// picture of what lies further in.
  double reach() const { return reach_; }

 private:
  double radial(double square) const;
  double fisheye_angle(double angle) const;
  double find_reach() const;

  LensModel model_;
  double fx_, fy_, cx_, cy_;
  std::array<double, 14> k_;
  bool tilted_ = false;
  Matrix3x3 tilt_{}, untilt_{};
  double reach_ = 0;
};

}  // namespace vergence::rectify

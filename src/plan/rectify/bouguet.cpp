// SPDX-License-Identifier: Apache-2.0
// Bouguet's rectification: rotations that split the turn between the cameras, then the common projection.
#include "plan/rectify/bouguet.hpp"

#include <algorithm>
#include <limits>

#include "plan/rectify/lens.hpp"
#include "vergence/error.hpp"

namespace vergence::rectify {
namespace {

constexpr int center_rounds = 5;   // of cv::stereoRectify, whose principal points these are
constexpr int corner_rounds = 64;  // for the rectangles of alpha, which are to be true
constexpr int fisheye_rounds = 10;

/// A projection: focal length and principal points of both cameras.
struct Projection {
  double focal = 0;
  std::array<Point, 2> center{};
};

/// One camera, with the rotation that rectifies it.
struct View {
  Lens lens;
  Matrix3x3 rotation;

  /// Where the pixel's ray goes on the plane z = 1 of the rectified camera.
  Point turned(Point pixel, int rounds) const {
    const Point ray = lens.ray_of(pixel, rounds);
    const Vector3 v = rotation * Vector3{ray.x, ray.y, 1};
    return {v[0] / v[2], v[1] / v[2]};
  }
};
using Views = std::array<View, 2>;

/// Sets r1 and r2; returns the translation in the rectified right camera's axes, along one of them.
Vector3 split_rotation(const StereoRig& rig, RectifiedRig& out) {
  const Quaternion half = half_of(quaternion_of(rig.rotation));
  const Matrix3x3 right_half = rotation_of({half[0], -half[1], -half[2], -half[3]});
  const Vector3 moved = right_half * Vector3(rig.translation);
  out.vertical = std::abs(moved[0]) <= std::abs(moved[1]);
  const std::size_t axis = out.vertical ? 1 : 0;
  const double distance = length(moved);
  if (std::abs(moved[axis]) < 1e-3 * distance)
    throw Error(ErrorCode::invalid_argument,
                "calibration: the cameras stand behind each other, so that rows of their pictures cannot be brought "
                "together: translation must point across the view",
                "translation");
  Vector3 along{};
  along[axis] = moved[axis] > 0 ? 1 : -1;
  const Matrix3x3 both = rotation_of(turn({moved[0] / distance, moved[1] / distance, moved[2] / distance}, along));
  out.projections.r1 = both * transposed(right_half);
  out.projections.r2 = both * right_half;
  return out.projections.r2 * Vector3(rig.translation);
}

/// Puts the mean of the four turned corners into the middle of the picture.
Point centered(const View& view, Size size, double focal) {
  double x = 0, y = 0;
  for (int i = 0; i < 4; ++i) {
    const Point p = view.turned({i % 2 == 0 ? 0.0 : size.width - 1.0, i < 2 ? 0.0 : size.height - 1.0}, center_rounds);
    x += focal * p.x;
    y += focal * p.y;
  }
  return {(size.width - 1) * 0.5 - x / 4, (size.height - 1) * 0.5 - y / 4};
}

Point middle(Point a, Point b) { return {(a.x + b.x) * 0.5, (a.y + b.y) * 0.5}; }

/// What the turned border of a picture encloses, and what encloses it.
struct Rectangles {
  double left, right, top, bottom;
};
struct Extents {
  Rectangles inner, outer;
};
Extents extents_of(const View& view, Size size, const Projection& at, Point center) {
  constexpr double huge = std::numeric_limits<double>::max();
  constexpr int steps = 32;
  Extents e{{-huge, huge, -huge, huge}, {huge, -huge, huge, -huge}};
  for (int j = 0; j <= steps; ++j)
    for (int i = 0; i <= steps; ++i) {
      const Point ray = view.turned({(size.width - 1.0) * i / steps, (size.height - 1.0) * j / steps}, corner_rounds);
      const Point p{at.focal * ray.x + center.x, at.focal * ray.y + center.y};
      e.outer = {std::min(e.outer.left, p.x), std::max(e.outer.right, p.x), std::min(e.outer.top, p.y),
                 std::max(e.outer.bottom, p.y)};
      if (i == 0) e.inner.left = std::max(e.inner.left, p.x);
      if (i == steps) e.inner.right = std::min(e.inner.right, p.x);
      if (j == 0) e.inner.top = std::max(e.inner.top, p.y);
      if (j == steps) e.inner.bottom = std::min(e.inner.bottom, p.y);
    }
  return e;
}

/// The factors by which the sides of `r` come to those of the picture.
std::array<double, 4> factors(const Rectangles& r, Size size, Point from, Point to) {
  return {to.x / (from.x - r.left), to.y / (from.y - r.top), (size.width - 1 - to.x) / (r.right - from.x),
          (size.height - 1 - to.y) / (r.bottom - from.y)};
}

Projection project_pinholes(const StereoRig& rig, const Views& views, const RectifyOptions& options, bool vertical,
                            Size size) {
  const Size source = rig.left.size;
  const double ratio_x = static_cast<double>(size.width) / source.width;
  const double ratio_y = static_cast<double>(size.height) / source.height;
  Projection p;
  p.focal = vertical ? (rig.left.fx + rig.right.fx) * (ratio_x / 2) : (rig.left.fy + rig.right.fy) * (ratio_y / 2);
  if (options.focal_px > 0) p.focal = options.focal_px;
  const Point from = middle(centered(views[0], source, p.focal), centered(views[1], source, p.focal));
  Point to{from.x * ratio_x, from.y * ratio_y};
  if (options.focal_px > 0)
    to = {from.x + (size.width - source.width) * 0.5, from.y + (size.height - source.height) * 0.5};
  if (options.alpha >= 0) {
    double whole = 0, all = std::numeric_limits<double>::max();
    for (const View& view : views) {
      const Extents e = extents_of(view, source, p, from);
      for (const double s : factors(e.inner, size, from, to)) whole = std::max(whole, s);
      for (const double s : factors(e.outer, size, from, to)) all = std::min(all, s);
    }
    p.focal *= whole * (1 - options.alpha) + all * options.alpha;
  }
  p.center = {to, to};
  return p;
}

/// As cv::fisheye::stereoRectify: the middles of the sides, since corners may have no place on a plane.
Projection project_fisheyes(const StereoRig& rig, const Views& views, const RectifyOptions& options, Size size) {
  const Size source = rig.left.size;
  const double w = source.width, h = source.height;
  const double balance = std::max(0.0, options.alpha);
  std::array<double, 2> focals{};
  std::array<Point, 2> centers{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Camera& camera = k == 0 ? rig.left : rig.right;
    const double aspect = camera.fx / camera.fy;
    const double half_w = static_cast<double>(source.width / 2), half_h = static_cast<double>(source.height / 2);
    const std::array<Point, 4> sides{{{half_w, 0}, {w, half_h}, {half_w, h}, {0, half_h}}};
    std::array<Point, 4> at{};
    Point mean;
    for (std::size_t i = 0; i < 4; ++i) {
      at[i] = views[k].turned(sides[i], fisheye_rounds);
      at[i].y *= aspect;
      mean = {mean.x + at[i].x / 4, mean.y + at[i].y / 4};
    }
    double x0 = at[0].x, x1 = x0, y0 = at[0].y, y1 = y0;
    for (const Point& p : at) {
      x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
      y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
    const std::array<double, 4> f{w * 0.5 / (mean.x - x0), w * 0.5 / (x1 - mean.x), h * 0.5 * aspect / (mean.y - y0),
                                  h * 0.5 * aspect / (y1 - mean.y)};
    const double focal =
        balance * *std::min_element(f.begin(), f.end()) + (1 - balance) * *std::max_element(f.begin(), f.end());
    const double rx = size.width / w, ry = size.height / h;
    focals[k] = options.focal_px > 0 ? options.focal_px : focal / aspect * ry;
    const double scale_x = options.focal_px > 0 ? options.focal_px : focal * rx;
    centers[k] = {size.width * 0.5 - mean.x * scale_x, size.height * 0.5 - mean.y / aspect * focals[k]};
  }
  const Point center = middle(centers[0], centers[1]);
  return {std::min(focals[0], focals[1]), {center, center}};
}

}  // namespace

RectifiedRig bouguet(const StereoRig& rig, const RectifyOptions& options) {
  RectifiedRig out;
  const Vector3 baseline = split_rotation(rig, out);
  out.projections.size = options.size == Size{} ? rig.left.size : options.size;
  const Views views{View{Lens(rig.left), out.projections.r1}, View{Lens(rig.right), out.projections.r2}};
  const bool fisheyes = rig.left.model == LensModel::fisheye || rig.right.model == LensModel::fisheye;
  const Projection p = fisheyes ? project_fisheyes(rig, views, options, out.projections.size)
                                : project_pinholes(rig, views, options, out.vertical, out.projections.size);
  if (!(std::isfinite(p.focal) && p.focal > 1e-3 && std::isfinite(p.center[0].x) && std::isfinite(p.center[0].y)))
    throw Error(ErrorCode::invalid_argument,
                "calibration: no focal length shows the whole of these pictures on a plane: give alpha -1, or focal_px",
                "alpha");
  const auto matrix = [&](Point c) { return Matrix3x4{p.focal, 0, c.x, 0, 0, p.focal, c.y, 0, 0, 0, 1, 0}; };
  out.projections.p1 = matrix(p.center[0]);
  out.projections.p2 = matrix(p.center[1]);
  out.projections.p2[out.vertical ? 7 : 3] = p.focal * baseline[out.vertical ? 1 : 0];
  return out;
}

}  // namespace vergence::rectify

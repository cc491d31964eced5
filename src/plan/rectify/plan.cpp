// SPDX-License-Identifier: Apache-2.0
// Checks a rig and options of rectification, and makes the plan.
#include "plan/rectify/plan.hpp"

#include <fmt/format.h>

#include "plan/rectify/bouguet.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

constexpr int largest_side = 65536;

[[noreturn]] void refuse(const char* field, const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message, field);
}

void check_options(const RectifyOptions& options) {
  const double alpha = options.alpha, focal = options.focal_px;
  if (!(alpha == -1 || (alpha >= 0 && alpha <= 1)))
    refuse("alpha", fmt::format("alpha is {}: allowed are 0 (no pixel without source) .. 1 (no source pixel lost), and "
                                "-1 (the cameras' focal length)",
                                alpha));
  if (!(std::isfinite(focal) && focal >= 0))
    refuse("focal_px", fmt::format("focal_px is {}: give a focal length in px, or 0 (alpha says)", focal));
  if (focal > 0 && alpha != -1)
    refuse("focal_px", fmt::format("focal_px is {} and alpha is {}: give one of them", focal, alpha));
  if (options.max_value < 1 || options.max_value > 65535)
    refuse("max_value", fmt::format("max_value is {}: allowed are 1 .. 65535", options.max_value));
  const Size size = options.size;
  if (size != Size{} && (size.width < 1 || size.height < 1 || size.width > largest_side || size.height > largest_side))
    refuse("size", fmt::format("size is {}x{}: allowed are 1x1 .. {}x{}, and 0x0 (that of the cameras)", size.width,
                               size.height, largest_side, largest_side));
}

void check_cameras(const StereoRig& rig) {
  check_rig(rig);
  const Size left = rig.left.size, right = rig.right.size;
  if (left.width < 1 || right.width < 1)
    refuse(left.width < 1 ? "left size" : "right size",
           fmt::format("calibration: the size of the {} camera's pictures is unknown: set it to the size of the "
                       "pictures that were calibrated with",
                       left.width < 1 ? "left" : "right"));
  if (left != right)
    refuse("right size",
           fmt::format("calibration: the cameras have pictures of two sizes, {}x{} and {}x{}: scale one camera "
                       "(scaled_rig does so for both)",
                       left.width, left.height, right.width, right.height));
  if (left.width > largest_side || left.height > largest_side)
    refuse("left size", fmt::format("calibration: pictures are {}x{}: up to {}x{} can be rectified", left.width,
                                    left.height, largest_side, largest_side));
}

/// The rectification that the file told.
RectifiedRig told(const StereoRig& rig) {
  RectifiedRig kept;
  kept.projections = *rig.rectified;
  if (kept.projections.size == Size{}) kept.projections.size = rig.left.size;
  const Matrix3x4 &p1 = kept.projections.p1, &p2 = kept.projections.p2;
  kept.vertical = std::abs(p2[7] - p1[7]) > std::abs(p2[3] - p1[3]);
  return kept;
}

/// P' = A P, where A moves pixels by a quarter turn. The sums leave no -0.
Matrix3x4 turned_pixels(const Matrix3x3& a, const Matrix3x4& p) {
  Matrix3x4 result{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      result[4 * row + column] =
          ((a[3 * row] * p[column] + a[3 * row + 1] * p[4 + column]) + a[3 * row + 2] * p[8 + column]) + 0.0;
  return result;
}

/// P' = P S^T of the left 3x3 part, S a rotation about z by a quarter turn.
Matrix3x4 turned_axes(const Matrix3x4& p, const Matrix3x3& s) {
  Matrix3x4 result = p;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      result[4 * row + column] =
          ((p[4 * row] * s[3 * column] + p[4 * row + 1] * s[3 * column + 1]) + p[4 * row + 2] * s[3 * column + 2]) +
          0.0;
  return result;
}

/// A vertical rig becomes one whose points keep their row, and whose disparities are positive: pixel (x, y) goes to
/// (y, W - 1 - x) where the second camera is the lower one, else to (H - 1 - y, x).
void turn_to_rows(RectifiedRig& rig) {
  RigRectification& to = rig.projections;
  const bool second_is_lower = to.p2[7] < to.p1[7];
  const Matrix3x3 axes =
      second_is_lower ? Matrix3x3{0, 1, 0, -1, 0, 0, 0, 0, 1} : Matrix3x3{0, -1, 0, 1, 0, 0, 0, 0, 1};
  const Matrix3x3 pixels = second_is_lower ? Matrix3x3{0, 1, 0, -1, 0, to.size.width - 1.0, 0, 0, 1}
                                           : Matrix3x3{0, -1, to.size.height - 1.0, 1, 0, 0, 0, 0, 1};
  for (Matrix3x4* const p : {&to.p1, &to.p2}) *p = turned_axes(turned_pixels(pixels, *p), axes);
  for (Matrix3x3* const r : {&to.r1, &to.r2}) *r = rectify::operator*(axes, *r);
  to.size = {to.size.height, to.size.width};
  rig.vertical = false;
  rig.turned = second_is_lower ? -90 : 90;
}

}  // namespace

RectifyPlan make_rectify_plan(const StereoRig& rig, const RectifyOptions& options) {
  check_options(options);
  check_cameras(rig);
  const bool asks = options.alpha != -1 || options.focal_px > 0 || options.size != Size{};
  RectifyPlan plan;
  plan.max_value = options.max_value;
  plan.rig = rig.rectified && !asks ? told(rig) : rectify::bouguet(rig, options);
  if (options.along_rows && plan.rig.vertical) turn_to_rows(plan.rig);
  const RigRectification& to = plan.rig.projections;
  plan.left = rectify::make_source_map(rig.left, to.r1, rectify::square_part(to.p1), to.size);
  plan.right = rectify::make_source_map(rig.right, to.r2, rectify::square_part(to.p2), to.size);
  plan.rig.valid = rectify::valid_rectangle(plan.left, plan.right);
  return plan;
}

RectifiedRig rectify_rig(const StereoRig& rig, const RectifyOptions& options) {
  return make_rectify_plan(rig, options).rig;
}

}  // namespace vergence

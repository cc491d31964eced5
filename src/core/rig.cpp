// SPDX-License-Identifier: Apache-2.0
// Calibrated rigs: what cannot be is refused, what is doubtful is told, and another picture size is taken.
#include "vergence/rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "core/matrix.hpp"
#include "core/rig_doubts.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

constexpr double worst_rotation = 1e-3;     // of an element of R^T R, to be taken at all
constexpr double doubtful_rotation = 1e-5;  // 0.01 px at a focal length of 1000 px

[[noreturn]] void refuse_rig(std::string_view field, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument, fmt::format("calibration: {} {}", field, reason), field);
}

void require_finite(std::span<const double> numbers, std::string_view field) {
  for (const double number : numbers)
    if (!std::isfinite(number)) refuse_rig(field, fmt::format("holds {}: finite numbers are wanted", number));
}

double determinant(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

/// The largest error of an element of R^T R.
double rotation_error(const Matrix3x3& r) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double product = r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j];
      worst = std::max(worst, std::abs(product - (i == j ? 1 : 0)));
    }
  return worst;
}

void check_rotation(const Matrix3x3& r, std::string_view field, std::vector<std::string>& doubts) {
  require_finite(r, field);
  const double error = rotation_error(r);
  const double det = determinant(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
  if (error > worst_rotation)
    refuse_rig(field, fmt::format("is no rotation matrix: R^T R differs from the identity by {:.3g}; up to {:g} is "
                                  "allowed: give all digits, 9 numbers row by row",
                                  error, worst_rotation));
  if (!(det > 0)) refuse_rig(field, fmt::format("is a mirrored rotation: its determinant is {:.3g}, not 1", det));
  if (error > doubtful_rotation)
    doubts.push_back(
        fmt::format("{} is a rotation only to {:.2g}, which moves points by {:.2g} px at a focal length of "
                    "1000 px: give more digits",
                    field, error, 1000 * error));
}

constexpr CameraNames left_names{"left fx", "left fy", "left cx", "left cy", "left size", "left distortion"};
constexpr CameraNames right_names{"right fx", "right fy", "right cx", "right cy", "right size", "right distortion"};

void check_size(Size size, std::string_view field) {
  if (size.width < 0 || size.height < 0 || (size.width == 0) != (size.height == 0))
    refuse_rig(field, fmt::format("is {}x{}: give width and height of the pictures in px", size.width, size.height));
}

void check_camera(const Camera& camera, const CameraNames& names, std::vector<std::string>& doubts) {
  const auto focal = [](double length, std::string_view field) {
    if (!(std::isfinite(length) && length > 0))
      refuse_rig(field, fmt::format("is {}: a focal length in px, above 0, is wanted", length));
  };
  focal(camera.fx, names.fx);
  focal(camera.fy, names.fy);
  require_finite({&camera.cx, 1}, names.cx);
  require_finite({&camera.cy, 1}, names.cy);
  require_finite(camera.distortion, names.distortion);
  check_size(camera.size, names.size);
  if (camera.model == LensModel::fisheye &&
      std::any_of(camera.distortion.begin() + 4, camera.distortion.end(), [](double k) { return k != 0; }))
    refuse_rig(names.distortion, "has more than the four coefficients of a fisheye: k1 k2 k3 k4 are wanted");
  doubt_camera(camera, names, doubts);
}

void check_projection(const Matrix3x4& p, std::string_view field) {
  require_finite(p, field);
  if (p[0] == 0 || p[5] == 0 || determinant(p[0], p[1], p[2], p[4], p[5], p[6], p[8], p[9], p[10]) == 0)
    refuse_rig(field, "is singular: [f 0 cx tx; 0 f cy ty; 0 0 1 0] row by row is wanted");
}

/// Turned axes are common to both cameras: R1 = R2 R, and both projections are apart by R2 T.
void check_rectified(const StereoRig& rig, std::vector<std::string>& doubts) {
  using matrix::operator*, matrix::operator-;
  const RigRectification& rectified = *rig.rectified;
  check_rotation(rectified.r1, "R1", doubts);
  check_rotation(rectified.r2, "R2", doubts);
  check_projection(rectified.p1, "P1");
  check_projection(rectified.p2, "P2");
  check_size(rectified.size, "rectified size");
  const Matrix3x3 both = rectified.r2 * rig.rotation;
  double turn = 0;
  for (std::size_t i = 0; i < both.size(); ++i) turn = std::max(turn, std::abs(both[i] - rectified.r1[i]));
  if (!(turn <= worst_rotation))
    doubts.push_back(
        fmt::format("R1 and R2 do not fit the rotation between the cameras, by {:.2g}: are they of another "
                    "calibration?",
                    turn));
  const matrix::Vector3 wanted = rectified.r2 * rig.translation;
  const matrix::Vector3 moved = matrix::origin_of(rectified.p2) - matrix::origin_of(rectified.p1);
  double apart = 0;
  for (std::size_t i = 0; i < 3; ++i) apart = std::max(apart, std::abs(moved[i] - wanted[i]));
  if (!(apart <= 0.01 * rig.baseline_m()))
    doubts.push_back(
        fmt::format("P1 and P2 do not fit the translation between the cameras, by {:.3g} m: are they of "
                    "another calibration, or in another unit?",
                    apart));
}

void check_baseline(const StereoRig& rig, std::vector<std::string>& doubts) {
  require_finite(rig.translation, "translation");
  const double baseline = rig.baseline_m();
  require_finite({&baseline, 1}, "translation");
  if (baseline == 0) refuse_rig("translation", "is 0: the baseline of two cameras, in metres, is wanted");
  if (baseline > 10)
    doubts.push_back(
        fmt::format("the baseline is {:.4g} m: is it in another unit than metres? Give that (--unit mm)", baseline));
  if (baseline < 1e-3)
    doubts.push_back(
        fmt::format("the baseline is {:.4g} m: is it in another unit than metres, or taken for mm or cm "
                    "(--unit) while it is in metres?",
                    baseline));
}

/// S K [R | t] with S = [s 0 (s - 1) / 2; 0 s (s - 1) / 2; 0 0 1]: x' + 1/2 = s (x + 1/2).
double scaled_center(double center, double scale) { return (center + 0.5) * scale - 0.5; }

Matrix3x4 scaled_projection(const Matrix3x4& p, double scale) {
  const double shift = (scale - 1) / 2;
  Matrix3x4 result = p;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t j = 0; j < 4; ++j) result[4 * row + j] = scale * p[4 * row + j] + shift * p[8 + j];
  return result;
}

double exact_scale(Size from, Size to, std::string_view field) {
  if (from == Size{})
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the calibration does not tell its {}: give one that does", field), field);
  if (static_cast<std::int64_t>(from.width) * to.height != static_cast<std::int64_t>(to.width) * from.height)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("the calibration is for pictures of {}x{}, which cannot be scaled to {}x{}: width and height "
                    "must change by one factor",
                    from.width, from.height, to.width, to.height),
        field);
  return static_cast<double>(to.width) / from.width;
}

/// By to / from, which must give whole numbers.
Size scaled_size(Size size, int from, int to) {
  const auto scaled = [&](int length) {
    const std::int64_t product = static_cast<std::int64_t>(length) * to;
    if (product % from != 0 || product / from > std::numeric_limits<int>::max())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the rectified pictures of {}x{} px would not have a whole size: rectify anew",
                              size.width, size.height),
                  "rectified size");
    return static_cast<int>(product / from);
  };
  return {scaled(size.width), scaled(size.height)};
}

Camera scaled_camera(const Camera& camera, Size size, std::string_view field) {
  const double scale = exact_scale(camera.size, size, field);
  Camera result = camera;
  result.size = size;
  if (scale == 1) return result;
  result.fx *= scale;
  result.fy *= scale;
  result.cx = scaled_center(camera.cx, scale);
  result.cy = scaled_center(camera.cy, scale);
  return result;
}

Camera projecting_camera(const Matrix3x4& p, Size size, std::string_view field) {
  if (!(p[0] > 0 && p[5] > 0 && p[1] == 0 && p[4] == 0 && p[8] == 0 && p[9] == 0 && p[10] == 1))
    refuse_rig(field, "is no rectified camera's: [fx 0 cx tx; 0 fy cy ty; 0 0 1 tz] row by row is wanted");
  Camera camera;
  camera.size = size;
  camera.fx = p[0];
  camera.fy = p[5];
  camera.cx = p[2];
  camera.cy = p[6];
  return camera;
}

}  // namespace

double StereoRig::baseline_m() const {
  return std::sqrt(translation[0] * translation[0] + translation[1] * translation[1] + translation[2] * translation[2]);
}

std::vector<std::string> check_rig(const StereoRig& rig) {
  std::vector<std::string> doubts;
  check_camera(rig.left, left_names, doubts);
  check_camera(rig.right, right_names, doubts);
  check_rotation(rig.rotation, "rotation", doubts);
  check_baseline(rig, doubts);
  doubt_pair(rig, doubts);
  if (rig.rectified) check_rectified(rig, doubts);
  return doubts;
}

StereoRig rectified_pair(const RigRectification& rectified) {
  using matrix::operator-;
  StereoRig rig;
  rig.left = projecting_camera(rectified.p1, rectified.size, "P1");
  rig.right = projecting_camera(rectified.p2, rectified.size, "P2");
  rig.translation = matrix::origin_of(rectified.p2) - matrix::origin_of(rectified.p1);
  rig.rectified = RigRectification{.p1 = rectified.p1, .p2 = rectified.p2, .size = rectified.size};
  return rig;
}

StereoRig scaled_rig(const StereoRig& rig, Size size) {
  if (size.width < 1 || size.height < 1)
    throw Error(ErrorCode::invalid_argument, fmt::format("a size of {}x{} px is none", size.width, size.height),
                "size");
  StereoRig result = rig;
  result.left = scaled_camera(rig.left, size, left_names.size);
  result.right = scaled_camera(rig.right, size, right_names.size);
  if (!rig.rectified) return result;
  const Size rectified = rig.rectified->size == Size{} ? rig.left.size : rig.rectified->size;
  result.rectified->size = scaled_size(rectified, rig.left.size.width, size.width);
  const double scale = static_cast<double>(size.width) / rig.left.size.width;
  if (scale == 1) return result;
  result.rectified->p1 = scaled_projection(rig.rectified->p1, scale);
  result.rectified->p2 = scaled_projection(rig.rectified->p2, scale);
  return result;
}

}  // namespace vergence

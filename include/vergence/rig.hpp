// SPDX-License-Identifier: Apache-2.0
// A calibrated pair of cameras as plain values: lenses, the pose of one camera beside the other, and, where it is
// known, their rectification. Pixel centres have whole coordinates; camera axes are x right, y down, z forward.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "vergence/image.hpp"

namespace vergence {

/// How a ray (x, y, 1) in front of a camera becomes a pixel (fx u + cx, fy v + cy).
enum class LensModel {
  /// With r^2 = x^2 + y^2 and q = (1 + k1 r^2 + k2 r^4 + k3 r^6) / (1 + k4 r^2 + k5 r^4 + k6 r^6):
  /// u = x q + 2 p1 x y + p2 (r^2 + 2 x^2) + s1 r^2 + s2 r^4, v = y q + p1 (r^2 + 2 y^2) + 2 p2 x y + s3 r^2 + s4 r^4;
  /// then, where taux or tauy (radians) is not 0, the tilt of the sensor. These are OpenCV's cv::projectPoints and its
  /// order of coefficients. Sources: D. C. Brown, "Decentering distortion of lenses", Photogrammetric Engineering, 1966
  /// (k, p); J. Weng, P. Cohen, M. Herniou, "Camera calibration with distortion models and accuracy evaluation", TPAMI
  /// 1992 (s); H. Louhichi et al., "Self-calibration of Scheimpflug cameras: an easy protocol", Measurement
  /// Science and Technology, 2007 (tau).
  pinhole,
  /// With r = sqrt(x^2 + y^2), a = atan(r) and b = a (1 + k1 a^2 + k2 a^4 + k3 a^6 + k4 a^8): u = x b / r, v = y b / r
  /// (equidistant; OpenCV's cv::fisheye). Source: J. Kannala, S. Brandt, "A generic camera model and calibration method
  /// for conventional, wide-angle, and fish-eye lenses", TPAMI 2006.
  fisheye,
};

/// A 3x3 matrix, row by row.
using Matrix3x3 = std::array<double, 9>;
/// A 3x4 matrix, row by row.
using Matrix3x4 = std::array<double, 12>;

/// One camera. Lengths in px; the camera matrix is [fx 0 cx; 0 fy cy; 0 0 1].
struct Camera {
  Size size;  ///< Of its pictures; 0x0 where a file does not tell.
  double fx = 0;
  double fy = 0;
  double cx = 0;
  double cy = 0;
  LensModel model = LensModel::pinhole;
  /// pinhole: k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 taux tauy. fisheye: k1 k2 k3 k4, then zeros. All 0: no distortion.
  std::array<double, 14> distortion{};

  bool distorted() const { return model == LensModel::fisheye || distortion != std::array<double, 14>{}; }
  friend bool operator==(const Camera&, const Camera&) = default;
};

/// Rotations that turn the axes of both cameras to common ones, and what projects along these: a point X in metres in
/// the left camera's turned axes is seen at p1 (X, 1) and p2 (X, 1), in homogeneous pixels. As OpenCV's R1 R2 P1 P2.
struct RigRectification {
  Matrix3x3 r1 = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Matrix3x3 r2 = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Matrix3x4 p1{};  ///< [f 0 cx 0; 0 f cy 0; 0 0 1 0]; a file may have another origin, and so other last columns.
  Matrix3x4
      p2{};   ///< [f 0 cx f tx; 0 f cy 0; 0 0 1 0], tx = minus the baseline in m; vertical: f ty in the second row.
  Size size;  ///< Of rectified pictures; 0x0 where a file does not tell: that of the left camera.
  friend bool operator==(const RigRectification&, const RigRectification&) = default;
};

/// A calibrated pair. In a vertical rig `left` is the first camera, usually the upper one. A point x in metres in the
/// left camera's axes lies at rotation x + translation in those of the right one, so that a right camera b metres to
/// the right has the translation (-b, 0, 0).
struct StereoRig {
  Camera left;
  Camera right;
  Matrix3x3 rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> translation{};
  std::optional<RigRectification> rectified;  ///< Where the file tells; where it does not, it follows from the rest.

  /// The distance of the cameras in metres.
  double baseline_m() const;
  friend bool operator==(const StereoRig&, const StereoRig&) = default;
};

/// What fx and fy may differ by, as a factor: pixels of old video cameras were 1.1 times as wide as high.
inline constexpr double most_pixel_aspect = 1.12;

/// Refuses a rig that cannot be: throws Error(invalid_argument), which names the number ("left fx", "rotation", ...)
/// and what is wrong. Wrong are numbers that are not finite; focal lengths of 0 or less; a size of which one side alone
/// is 0, or negative; coefficients behind a fisheye's four; rotations (`rotation`, r1, r2) that differ from a rotation
/// matrix by more than 1e-3: in an element of R^T R, or det R < 0; projections whose left 3x3 part is singular; cameras
/// at one place. Returns doubts, one line each with its cure: a baseline over 10 m or under 1 mm; a rotation off by
/// more than 1e-5; focal lengths, principal points, distortion, poses and rectifications that no usual rig has or that
/// contradict each other (docs/calibration.md lists them with their limits). Where a camera's size is unknown, twice
/// its principal point stands for it, if at all. May be called by any thread.
std::vector<std::string> check_rig(const StereoRig& rig);

/// The rig that rectified pictures are taken with: two cameras without distortion whose axes are parallel, with the
/// projections p1 and p2 and the size of `rectified` (r1 and r2 are done with). Throws Error(invalid_argument) where p1
/// or p2 is not [fx 0 cx tx; 0 fy cy ty; 0 0 1 tz] with fx, fy above 0. May be called by any thread.
StereoRig rectified_pair(const RigRectification& rectified);

/// The same cameras, with pictures of another size: scaled whole, not cropped, so that x' = (x + 1/2) s - 1/2. Throws
/// Error(invalid_argument) where a camera's size is unknown, or width and height do not change by exactly one factor s.
/// A rectification is scaled by s, too. May be called by any thread.
StereoRig scaled_rig(const StereoRig& rig, Size size);

}  // namespace vergence

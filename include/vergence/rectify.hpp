// SPDX-License-Identifier: Apache-2.0
// Rectification: turns the pictures of two calibrated cameras so that a point lies in the same row of both (in the same
// column, where one camera stands above the other). Read rig.hpp first.
#pragma once

#include "vergence/image.hpp"
#include "vergence/rig.hpp"

namespace vergence {

/// How rectified pictures are to look.
struct RectifyOptions {
  /// 0: so large that no pixel lacks a source; 1: so small that no source pixel is lost; between: in proportion; -1:
  /// the mean focal length of both cameras. Fisheyes: 0 (also -1) and 1 fit the middles of the picture's sides instead.
  double alpha = -1;
  /// Focal length of the rectified pictures in px, in the place of alpha; 0: alpha says.
  double focal_px = 0;
  /// Of the rectified pictures in px; 0x0: that of the cameras.
  Size size;
};

/// What rectification does to a rig.
struct RectifiedRig {
  /// r1, r2, p1, p2 as OpenCV's stereoRectify names them; the size is set. Principal points are equal, so that infinity
  /// has disparity 0.
  RigRectification projections;
  /// One camera stands above the other: points keep their column, and p2's shift stands in its second row.
  bool vertical = false;
  /// The largest rectangle in which each pixel of both rectified pictures has a source; may be empty.
  Rect valid;
};

/// Bouguet's method: each camera turns by half of the rotation between them, then both turn alike until the baseline
/// lies along an axis, and project with one focal length. The same bits on every machine. A rig that tells its
/// rectification keeps it as long as `options` ask for nothing. Throws Error(invalid_argument) for what check_rig
/// refuses, a camera of unknown size or cameras of two sizes, alpha that is neither -1 nor 0..1 (also together with
/// focal_px), a focal length that is negative or not finite, a size beyond 1..65536 px each way, and a rig that looks
/// along its baseline. May be called by any thread. Source: J.-Y. Bouguet, "Camera Calibration Toolbox for Matlab",
/// 1999-2004; G. Bradski and A. Kaehler, "Learning OpenCV", O'Reilly 2008, chapter 12, "Calibrated stereo
/// rectification".
RectifiedRig rectify_rig(const StereoRig& rig, const RectifyOptions& options = {});

}  // namespace vergence

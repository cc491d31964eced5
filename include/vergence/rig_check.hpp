// SPDX-License-Identifier: Apache-2.0
// Whether the pictures of a pair are rectified, by points that both show: how far these lie off their row, the small
// rotation of the right camera that explains it, and the calibration with that rotation undone. Read rectify.hpp first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vergence/image.hpp"
#include "vergence/rectify.hpp"
#include "vergence/rig.hpp"

namespace vergence {

/// Where the two pictures of a pair show one point, in px.
struct PairPoint {
  double left_x = 0;
  double left_y = 0;
  double right_x = 0;
  double right_y = 0;
  friend bool operator==(const PairPoint&, const PairPoint&) = default;
};

/// Finds points that both pictures show, in other rows, too. Corners of the left picture, at most 192 and spread over
/// it, are searched for in reduced pictures (-1/16 to 3/8 of the width to the left, 1/24 of the height up and down),
/// then followed by Lucas and Kanade's method (track.hpp) into the right picture and back; those that come back to
/// within 1/2 px count. Brightness may differ by a gain and an offset. Pictures of more than 1024 px are reduced
/// before. Pairs under 64x48 have none. Computed on the CPU, with the same bits on every machine. Throws
/// Error(invalid_argument) where sizes differ. May be called by any thread.
std::vector<PairPoint> match_pair_points(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right);
std::vector<PairPoint> match_pair_points(ImageView<const std::uint16_t> left, ImageView<const std::uint16_t> right,
                                         int max_value = 65535);

/// The camera that took the right picture, as far as it is known.
struct RigCheckCamera {
  Size size;  ///< Of both pictures; must not be empty.
  /// 0: not known; then the width stands for it, and all angles but the roll are as good as that.
  double focal_px = 0;
  double center_x = 0;  ///< The principal point in px; without a focal length it is the middle of the picture.
  double center_y = 0;
};

/// What check_rig_points finds. Lengths in px, angles in radians.
struct RigFindings {
  int points = 0;
  /// How much lower points lie in the right picture than in the left one: the median, and half of what lies between the
  /// ranks of 16 and 84 % (one deviation, if they were normal). 0 without points.
  double median = 0;
  double spread = 0;
  /// The points tell the rotation: there are 40 and more, two fifths of them agree, and `cells` are half of all. If
  /// not, what follows is 0 (`scale`: 1).
  bool known = false;
  /// The rotation of the right camera against that of a rectified one, as a vector whose direction is the axis and
  /// whose length the angle: what should be seen along the ray X is seen along X turned by it. Pitch is its part about
  /// x, yaw about y, roll about z. Yaw shows in the rows but weakly, and not at all in the middle of the picture: it is
  /// 0 where the points do not tell it from nothing.
  double pitch = 0;
  double yaw = 0;
  double roll = 0;
  /// Of the right picture, as of another focal length; 1 where the points do not tell it from nothing.
  double scale = 1;
  double offset = 0;            ///< What these make of rows: root of the mean square over the `cells`.
  double error = 0;             ///< Standard error of `offset`.
  double rest = 0;              ///< The spread that is left without them.
  double negative_percent = 0;  ///< Of the points that agree: disparities below -1 px, once the rotation is undone.
  /// Of 8 x 6 parts of the picture, row by row: those in whose middle the rows are known to 0.1 px (standard error).
  std::uint64_t cells = 0;
  bool off = false;  ///< It is known, and `offset` is 5/8 px or more: the pair is not rectified.

  friend bool operator==(const RigFindings&, const RigFindings&) = default;
};

/// Fits the rotation and the scale by iteratively reweighted least squares (Tukey's biweight, 15 rounds, sums in the
/// order of the points), in double: the same bits everywhere. Source: P. J. Huber, "Robust Statistics", Wiley 1981,
/// chapter 7. Throws Error(invalid_argument) for an empty size, a focal length that is negative or not finite, and
/// coordinates that are not finite. May be called by any thread.
///
/// ```cpp
/// const Image<std::uint8_t> left({640, 480}, 0), right({640, 480}, 0);
/// const RigFindings found = check_rig_points(match_pair_points(left.view(), right.view()), {.size = left.size()});
/// bool rectify_it = found.off;  // false: flat pictures have no points
/// ```
RigFindings check_rig_points(std::span<const PairPoint> points, const RigCheckCamera& camera);

/// By how many px rows have moved from one pair to a later one of the same rig: root of the mean square over the cells
/// of both. 0 where one of both is not known, or they share no cell.
double row_change(const RigFindings& before, const RigFindings& now, const RigCheckCamera& camera);

/// The rig with the rotation of its right camera corrected by what was found in its pictures, once they were rectified
/// as `rectified` says: rotation and translation, and r2 where the rig tells a rectification; the right camera keeps
/// its place. The scale is left alone. Nothing is changed where `found` is not known. Throws Error(invalid_argument)
/// for what check_rig refuses.
StereoRig mended_rig(const StereoRig& rig, const RectifiedRig& rectified, const RigFindings& found);

}  // namespace vergence

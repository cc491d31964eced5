// SPDX-License-Identifier: Apache-2.0
// Doubts about cameras and their pose. The limits are those of docs/calibration.md, and keep clear of what real rigs
// have, which is said beside them.
#include "core/rig_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

namespace vergence {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

// Of the pictures' width: a lens of 136 degrees, and one of 3 degrees. Real ones: 0.33 .. 1.7.
constexpr double least_focal = 0.2, most_focal = 20;
constexpr double least_fisheye_focal = 0.1;
// Of fx / fy, from one camera to the other: cameras of one kind have pixels of one form.
constexpr double most_unlike_aspects = 1.03;
// Of the width and height: less than this from an edge is the (0, 0) of a blank form, or another size.
constexpr double edge_share = 0.1;
// Of the width and height: how well a principal point lies in the middle, or at one share of both.
constexpr double near_middle = 0.06, alike = 0.03, far_from_middle = 0.15;
// Real lenses have up to 0.01, k3 is larger.
constexpr double most_tangential = 0.02;
// By how much a lens may stretch what lies at the middle of a side. Real ones: up to 1.06.
constexpr double most_stretch = 1.5;
// A fisheye sees further than this; what lies beyond its circle is no picture.
constexpr double least_fisheye_angle = 1.4;
constexpr double most_focal_ratio = 1.3;
// What is to be brought into one plane looks less far apart, whatever fisheyes show; in radians.
constexpr double widest_apart = 2.5;
// Of the turn about the axis of view. Pictures of rigs on a bar differ by less than 3 degrees.
constexpr double most_roll = 30;

// Of P1's focal length and the camera's. What shows all of a wide lens has 0.3 times.
constexpr double most_rectified_ratio = 10;
constexpr double rectified_tolerance = 1e-3;
constexpr double row_tolerance_px = 1;

using Vector = std::array<double, 3>;

/// Where a file does not tell the size: as if the principal point was the middle.
std::array<double, 2> likely_size(const Camera& camera) {
  if (camera.size != Size{}) return {static_cast<double>(camera.size.width), static_cast<double>(camera.size.height)};
  return {2 * camera.cx + 1, 2 * camera.cy + 1};
}

/// Numbers in the order fx cx fy cy: what is read as fy is near the middle, and what is read as cx is a focal length.
bool is_crossed(const Camera& camera) {
  const double middle = likely_size(camera)[0] / 2;
  return camera.size != Size{} && std::abs(camera.cx / camera.fx - 1) < 0.1 && std::abs(camera.fy / middle - 1) < 0.2;
}

void doubt_focal(const Camera& camera, const CameraNames& names, std::vector<std::string>& doubts) {
  const double width = likely_size(camera)[0];
  const double least = camera.model == LensModel::fisheye ? least_fisheye_focal : least_focal;
  if (width > 1 && (camera.fx < least * width || camera.fx > most_focal * width))
    doubts.push_back(fmt::format(
        "{} = {:g} px is {:.2g} times the pictures' width of {}{:g} px, and cameras have {} .. {} times: "
        "give it in px, which is mm * width / the sensor's width in mm",
        names.fx, camera.fx, camera.fx / width, camera.size == Size{} ? "about " : "", width, least, most_focal));
  if (const double ratio = camera.fx / camera.fy; ratio > most_pixel_aspect || ratio < 1 / most_pixel_aspect)
    doubts.push_back(fmt::format("{} = {:g} and {} = {:g} differ by a factor above {}: check the calibration{}",
                                 names.fx, camera.fx, names.fy, camera.fy, most_pixel_aspect,
                                 is_crossed(camera) ? ", and the order of its numbers: fx fy cx cy" : ""));
}

/// One line: the most special cause that fits.
void doubt_center(const Camera& camera, const CameraNames& names, std::vector<std::string>& doubts) {
  if (camera.size == Size{}) return;
  const double w = camera.size.width, h = camera.size.height;
  const double x = (camera.cx + 0.5) / w, y = (camera.cy + 0.5) / h;
  const auto off = [](double share) { return std::abs(share - 0.5); };
  const std::string point = fmt::format("{} = {:g} and {} = {:g}", names.cx, camera.cx, names.cy, camera.cy);
  const double turned_x = (camera.cx + 0.5) / h, turned_y = (camera.cy + 0.5) / w;
  if (off(turned_x) < near_middle && off(turned_y) < near_middle && std::max(off(x), off(y)) > far_from_middle) {
    doubts.push_back(
        fmt::format("{} are the middle of pictures of {}x{}, and these have {}x{}: are width and height, "
                    "or cx and cy, exchanged?",
                    point, camera.size.height, camera.size.width, camera.size.width, camera.size.height));
    return;
  }
  if (x > edge_share / 2 && std::abs(x - y) < alike && off(x) > far_from_middle && off(y) > far_from_middle) {
    doubts.push_back(
        fmt::format("{} are the middle of pictures of {:.0f}x{:.0f}, and these have {}x{}: is the "
                    "calibration one of another size?",
                    point, 2 * camera.cx + 1, 2 * camera.cy + 1, camera.size.width, camera.size.height));
    return;
  }
  for (const auto& [center, length, name] :
       {std::tuple{camera.cx, camera.size.width, names.cx}, std::tuple{camera.cy, camera.size.height, names.cy}}) {
    if (!(center >= 0 && center <= length - 1))
      doubts.push_back(
          fmt::format("{} = {:g} lies outside the picture of {} px: is the calibration one of another size?", name,
                      center, length));
    else if (center < edge_share * length || center > (1 - edge_share) * length)
      doubts.push_back(
          fmt::format("{} = {:g} lies near the edge of the picture of {} px, and cameras have it near the "
                      "middle: is the calibration that of these pictures?",
                      name, center, length));
  }
}

/// How far from the axis, in focal lengths, a ray at the distance `r` from it (the angle, of a fisheye) is seen.
double seen_at(const Camera& camera, double r) {
  const auto& k = camera.distortion;
  const double q = r * r;
  if (camera.model == LensModel::fisheye) return r * (1 + q * (k[0] + q * (k[1] + q * (k[2] + q * k[3]))));
  return r * (1 + q * (k[0] + q * (k[1] + q * k[4]))) / (1 + q * (k[5] + q * (k[6] + q * k[7])));
}

/// The ray that is seen at the distance `wanted`, or the last one before those further out are seen further in.
struct Outermost {
  double ray = 0;
  double seen = 0;
};
Outermost outermost(const Camera& camera, double wanted) {
  constexpr double step = 1.0 / 1024;
  const double widest = camera.model == LensModel::fisheye ? std::numbers::pi : 64;  // 64: 89 degrees
  Outermost out;
  while (out.seen < wanted && out.ray < widest) {
    const double next = seen_at(camera, out.ray + step);
    if (!(next > out.seen)) break;
    out = {out.ray + step, next};
  }
  return out;
}

void doubt_distortion(const Camera& camera, const CameraNames& names, std::vector<std::string>& doubts) {
  if (!camera.distorted()) return;
  const bool fisheye = camera.model == LensModel::fisheye;
  const auto& k = camera.distortion;
  if (!fisheye && std::max(std::abs(k[2]), std::abs(k[3])) > most_tangential) {
    doubts.push_back(fmt::format(
        "{}: p1 = {:g} and p2 = {:g}, and lenses have up to {}: the order is k1 k2 p1 p2 k3; four numbers of a fisheye "
        "in OpenCV's files need --fisheye, or fisheye_model: 1 in the file",
        names.distortion, k[2], k[3], most_tangential));
    return;
  }
  const auto [width, height] = likely_size(camera);
  if (!(width > 1 && height > 1)) return;
  // At corners polynomials of real lenses turn back, where no board was seen: from 0.9 times their distance on. Of a
  // fisheye the circle may end within the picture.
  const double across = std::max(camera.cx, width - 1 - camera.cx) / camera.fx;
  const double down = std::max(camera.cy, height - 1 - camera.cy) / camera.fy;
  const double side = fisheye ? std::min(across, down) : std::max(across, down);
  const Outermost last = outermost(camera, side);
  if (last.seen < side && !(fisheye && last.ray > least_fisheye_angle))
    doubts.push_back(
        fmt::format("{}: nothing is seen further than {:.0f} px from the principal point, and the picture goes on to "
                    "{:.0f} px: the coefficients are not this lens', or in another order (k1 k2 p1 p2 k3; fisheyes: "
                    "k1 k2 k3 k4)",
                    names.distortion, last.seen * camera.fx, side * camera.fx));
  else if (const double seen = seen_at(camera, side); !fisheye && seen > most_stretch * side)
    doubts.push_back(
        fmt::format("{}: what lies {:.0f} px from the principal point would be seen at {:.0f} px: the coefficients are "
                    "not this lens', or in another order (k1 k2 p1 p2 k3)",
                    names.distortion, side * camera.fx, seen * camera.fx));
}

/// Half of what the picture's diagonal shows, in radians; without a pinhole's distortion.
double half_view(const Camera& camera) {
  const auto [width, height] = likely_size(camera);
  const double diagonal = std::hypot(width / camera.fx, height / camera.fy) / 2;
  return camera.model == LensModel::fisheye ? diagonal : std::atan(diagonal);
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Where the right camera stands, along the sums of both cameras' axes: right, down, forward.
Vector stand(const StereoRig& rig) {
  const Matrix3x3& r = rig.rotation;
  const Vector x{1 + r[0], r[1], r[2]}, y{r[3], 1 + r[4], r[5]}, z{r[6], r[7], 1 + r[8]};
  Vector place{};
  for (std::size_t j = 0; j < 3; ++j)  // -R^T T, in the left camera's axes
    place[j] = -(r[j] * rig.translation[0] + r[3 + j] * rig.translation[1] + r[6 + j] * rig.translation[2]);
  const auto along = [&place](const Vector& axis) { return dot(place, axis) / std::sqrt(dot(axis, axis)); };
  return {along(x), along(y), along(z)};
}

void doubt_pose(const StereoRig& rig, std::vector<std::string>& doubts) {
  const Matrix3x3& r = rig.rotation;
  const double roll = std::atan2(r[3] - r[1], r[0] + r[4]) * degrees;
  const double apart = std::acos(std::clamp(r[8], -1.0, 1.0));
  const double common = std::min(half_view(rig.left) + half_view(rig.right), widest_apart);
  if (apart > common) {
    doubts.push_back(fmt::format(
        "the cameras look {:.1f} degrees apart, and see far points in common up to {:.1f} degrees: check the "
        "rotation (9 numbers row by row)",
        apart * degrees, common * degrees));
    return;
  }
  if (std::abs(roll) > most_roll) {
    doubts.push_back(
        fmt::format("the right camera is turned by {:.1f} degrees about its axis of view: turn the pictures of one "
                    "camera before they are calibrated, or check the rotation (9 numbers row by row)",
                    roll));
    return;
  }
  const Vector at = stand(rig);
  const double across = std::max(std::abs(at[0]), std::abs(at[1]));
  if (std::abs(at[2]) > across) {
    doubts.push_back(
        fmt::format("the right camera stands {:.4g} m {} the left one, and {:.4g} m beside it: check the translation: "
                    "axes are x right, y down, z forward",
                    std::abs(at[2]), at[2] > 0 ? "before" : "behind", across));
    return;
  }
  const bool vertical = std::abs(at[1]) > std::abs(at[0]);
  if ((vertical ? at[1] : at[0]) < 0)
    doubts.push_back(
        fmt::format("the {} camera stands {:.4g} m {} one: exchange the cameras, or turn the pose round: a point x of "
                    "the {} camera lies at R x + T in the other one, and T of a camera {} has {} below 0. Where both "
                    "pictures are mirrored, turn them back instead",
                    vertical ? "second" : "right", across, vertical ? "above the first" : "left of the left",
                    vertical ? "first" : "left", vertical ? "below" : "to the right", vertical ? "y" : "x"));
}

/// Rectified pictures have one focal length, and principal points in one row (or, of a vertical pair, one column).
void doubt_projections(const StereoRig& rig, std::vector<std::string>& doubts) {
  const Matrix3x4 &p1 = rig.rectified->p1, &p2 = rig.rectified->p2;
  const double times = p1[0] / rig.left.fx;
  if (!(times > 1 / most_rectified_ratio && times < most_rectified_ratio)) {
    doubts.push_back(fmt::format("P1 has a focal length of {:g} px, and the left camera one of {:g} px: rectify anew",
                                 p1[0], rig.left.fx));
    return;
  }
  for (const std::size_t i : {0U, 5U})
    if (std::abs(p2[i] / p1[i] - 1) > rectified_tolerance) {
      doubts.push_back(
          fmt::format("P1 and P2 have focal lengths of {:g} and {:g} px, and rectified pictures have one: "
                      "are they of one calibration?",
                      p1[i], p2[i]));
      return;
    }
  const Size size = rig.rectified->size == Size{} ? rig.left.size : rig.rectified->size;
  if (size != Size{} && !(p1[2] >= 0 && p1[2] <= size.width - 1 && p1[6] >= 0 && p1[6] <= size.height - 1)) {
    doubts.push_back(
        fmt::format("the principal point of P1, ({:g}, {:g}), lies outside the rectified pictures of {}x{}, which then "
                    "show little of what was taken: calibrate with fewer coefficients of distortion, or check them",
                    p1[2], p1[6], size.width, size.height));
    return;
  }
  const bool vertical = std::abs(p2[7] - p1[7]) > std::abs(p2[3] - p1[3]);
  const std::size_t i = vertical ? 2 : 6;
  if (std::abs(p2[i] - p1[i]) > row_tolerance_px)
    doubts.push_back(
        fmt::format("the principal points of P1 and P2 lie in {0} {1:g} and {2:g}, and rectified pictures "
                    "have them in one: are they of one calibration?",
                    vertical ? "columns" : "rows", p1[i], p2[i]));
}

}  // namespace

void doubt_camera(const Camera& camera, const CameraNames& names, std::vector<std::string>& doubts) {
  const std::size_t before = doubts.size();
  doubt_focal(camera, names, doubts);
  doubt_center(camera, names, doubts);
  if (doubts.size() == before) doubt_distortion(camera, names, doubts);  // whose places follow from these
}

void doubt_pair(const StereoRig& rig, std::vector<std::string>& doubts) {
  const bool whole = doubts.empty();
  const Size left = rig.left.size, right = rig.right.size;
  const double ratio = rig.left.fx / rig.right.fx;
  if (left != Size{} && right != Size{} && left != right)
    doubts.push_back(
        fmt::format("the cameras have pictures of two sizes, {}x{} and {}x{}, and a pair is rectified in "
                    "one: are both of one calibration?",
                    left.width, left.height, right.width, right.height));
  else if (whole && (ratio > most_focal_ratio || ratio < 1 / most_focal_ratio))
    doubts.push_back(
        fmt::format("left fx = {:g} and right fx = {:g} differ by a factor above {}: is one of them of "
                    "another size of pictures?",
                    rig.left.fx, rig.right.fx, most_focal_ratio));
  else if (const double left_aspect = rig.left.fx / rig.left.fy, right_aspect = rig.right.fx / rig.right.fy;
           whole && std::max(left_aspect / right_aspect, right_aspect / left_aspect) > most_unlike_aspects)
    doubts.push_back(
        fmt::format("fx / fy is {:.4g} of the left camera ({:g}, {:g}) and {:.4g} of the right one ({:g}, {:g}), and "
                    "cameras of one kind have the same within {} %: check the digits of the calibration",
                    left_aspect, rig.left.fx, rig.left.fy, right_aspect, rig.right.fx, rig.right.fy,
                    std::lround(100 * (most_unlike_aspects - 1))));
  doubt_pose(rig, doubts);
  if (rig.rectified) doubt_projections(rig, doubts);
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// A calibrated rig in words.
#include "vergence/rig_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vergence {
namespace {

constexpr double degrees_of_radian = 180 / std::numbers::pi;

/// The angle between the optical axis and what a fisheye shows at the distance `b` from it, in focal lengths.
/// Coefficients that were found without points far out may fold the picture: then the angle up to which they do not.
double fisheye_angle(const Camera& camera, double b) {
  const auto& k = camera.distortion;
  const auto shown_at = [&k](double a) {
    const double s = a * a;
    return a * (1 + s * (k[0] + s * (k[1] + s * (k[2] + s * k[3]))));
  };
  constexpr int steps = 1024, halvings = 50;
  constexpr double step = std::numbers::pi / steps;
  double low = 0;
  for (int i = 1; i <= steps && shown_at(i * step) < b; ++i) {
    if (shown_at(i * step) <= shown_at(low)) return low;
    low = i * step;
  }
  double high = std::min(low + step, std::numbers::pi);
  for (int i = 0; i < halvings; ++i) {
    const double a = (low + high) / 2;
    (shown_at(a) < b ? low : high) = a;
  }
  return low;
}

double angle_across(const Camera& camera, double focal, double center, int length) {
  const double before = (center + 0.5) / focal, behind = (length - 0.5 - center) / focal;
  const auto angle = [&camera](double b) {
    if (camera.model == LensModel::pinhole) return std::atan(b);
    return b < 0 ? -fisheye_angle(camera, -b) : fisheye_angle(camera, b);
  };
  return (angle(before) + angle(behind)) * degrees_of_radian;
}

std::string lens_words(const Camera& camera) {
  std::size_t used = camera.distortion.size();
  while (used > 0 && camera.distortion[used - 1] == 0) --used;
  if (camera.model == LensModel::fisheye) return "fisheye (equidistant, k1 .. k4)";
  if (used == 0) return "pinhole without distortion";
  return fmt::format("pinhole with {} distortion", used <= 5    ? "radial and tangential"
                                                   : used <= 8  ? "rational"
                                                   : used <= 12 ? "thin prism"
                                                                : "tilted sensor");
}

std::string size_words(Size size) {
  return size == Size{} ? std::string("pictures of a size not told") : fmt::format("{}x{}", size.width, size.height);
}

void add_camera(const char* name, const Camera& camera, std::vector<std::string>& lines) {
  lines.push_back(fmt::format("{:<10}{}, {}", name, size_words(camera.size), lens_words(camera)));
  lines.push_back(fmt::format("{:<10}focal length {:.2f} x {:.2f} px, principal point ({:.2f}, {:.2f})", "", camera.fx,
                              camera.fy, camera.cx, camera.cy));
  if (const auto view = view_degrees(camera))
    lines.push_back(
        fmt::format("{:<10}sees {:.1f} x {:.1f} degrees{}", "", (*view)[0], (*view)[1],
                    camera.model == LensModel::pinhole && camera.distorted() ? ", distortion left aside" : ""));
}

double length_of(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

void add_rectification(const RigRectification& rectified, Size size, std::vector<std::string>& lines) {
  lines.push_back(
      fmt::format("{:<10}{}, focal length {:.2f} px, principal points ({:.2f}, {:.2f}) and ({:.2f}, {:.2f})",
                  "rectified", size_words(rectified.size == Size{} ? size : rectified.size), rectified.p1[0],
                  rectified.p1[2], rectified.p1[6], rectified.p2[2], rectified.p2[6]));
  lines.push_back(fmt::format("{:<10}left turned by {:.3f} degrees, right by {:.3f}", "",
                              length_of(turn_degrees(rectified.r1)), length_of(turn_degrees(rectified.r2))));
}

}  // namespace

std::optional<std::array<double, 2>> view_degrees(const Camera& camera) {
  if (camera.size == Size{}) return std::nullopt;
  return std::array<double, 2>{angle_across(camera, camera.fx, camera.cx, camera.size.width),
                               angle_across(camera, camera.fy, camera.cy, camera.size.height)};
}

std::array<double, 3> turn_degrees(const Matrix3x3& r) {
  // The unit quaternion: its largest part is found first, so that nothing small is divided by.
  const double parts[4] = {1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8],
                           1 - r[0] - r[4] + r[8]};
  const double a = r[7] - r[5], b = r[2] - r[6], c = r[3] - r[1];
  const double d = r[3] + r[1], e = r[2] + r[6], f = r[7] + r[5];
  const std::array<double, 4> rows[4] = {
      {parts[0], a, b, c}, {a, parts[1], d, e}, {b, d, parts[2], f}, {c, e, f, parts[3]}};
  const auto largest = static_cast<std::size_t>(std::max_element(parts, parts + 4) - parts);
  std::array<double, 4> q = rows[largest];
  if (q[0] < 0)
    for (double& part : q) part = -part;
  const std::array<double, 3> axis = {q[1], q[2], q[3]};
  const double length = length_of(axis);
  if (length == 0) return {};
  const double angle = 2 * std::atan2(length, q[0]) * degrees_of_radian;
  return {axis[0] / length * angle, axis[1] / length * angle, axis[2] / length * angle};
}

std::vector<std::string> describe_rig(const StereoRig& rig) {
  std::vector<std::string> lines;
  add_camera("left", rig.left, lines);
  add_camera("right", rig.right, lines);
  const std::array<double, 3> turn = turn_degrees(rig.rotation);
  lines.push_back(
      fmt::format("{:<10}baseline {:.6g} m; the left camera lies at ({:.6g}, {:.6g}, {:.6g}) m in the right one's axes",
                  "pose", rig.baseline_m(), rig.translation[0], rig.translation[1], rig.translation[2]));
  lines.push_back(fmt::format(
      "{:<10}turned by {:.3f} degrees: {:.3f} about x (right), {:.3f} about y (down), {:.3f} about z (forward)", "",
      length_of(turn), turn[0], turn[1], turn[2]));
  if (rig.rectified)
    add_rectification(*rig.rectified, rig.left.size, lines);
  else
    lines.push_back(fmt::format("{:<10}not told (no R1 R2 P1 P2)", "rectified"));
  return lines;
}

}  // namespace vergence

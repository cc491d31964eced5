// SPDX-License-Identifier: Apache-2.0
// A calibrated rig in words and as JSON.
#include "calibration/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "cli/command.hpp"

namespace vergence::cli {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

/// The angle between the optical axis and what a fisheye shows at the distance `b` from it, in focal lengths.
double fisheye_angle(const Camera& camera, double b) {
  const auto& k = camera.distortion;
  double low = 0, high = std::numbers::pi;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double a = (low + high) / 2, s = a * a;
    (a * (1 + s * (k[0] + s * (k[1] + s * (k[2] + s * k[3])))) < b ? low : high) = a;
  }
  return low;
}

double angle_across(const Camera& camera, double focal, double center, int length) {
  const double before = (center + 0.5) / focal, behind = (length - 0.5 - center) / focal;
  const auto angle = [&camera](double b) {
    if (camera.model == LensModel::pinhole) return std::atan(b);
    return b < 0 ? -fisheye_angle(camera, -b) : fisheye_angle(camera, b);
  };
  return (angle(before) + angle(behind)) * degrees;
}

int used_coefficients(const Camera& camera) {
  int used = 14;
  while (used > 0 && camera.distortion[static_cast<std::size_t>(used) - 1] == 0) --used;
  return used;
}

std::string lens_words(const Camera& camera) {
  const int used = used_coefficients(camera);
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

void print_camera(const char* name, const Camera& camera) {
  print("{:<10}{}, {}\n", name, size_words(camera.size), lens_words(camera));
  print("{:<10}focal length {:.2f} x {:.2f} px, principal point ({:.2f}, {:.2f})\n", "", camera.fx, camera.fy,
        camera.cx, camera.cy);
  if (const auto view = view_degrees(camera))
    print("{:<10}sees {:.1f} x {:.1f} degrees{}\n", "", (*view)[0], (*view)[1],
          camera.model == LensModel::pinhole && camera.distorted() ? ", distortion left aside" : "");
}

double total(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

template <std::size_t count>
Json numbers_json(const std::array<double, count>& numbers, std::size_t used = count) {
  Json list = Json::array();
  for (std::size_t i = 0; i < used; ++i) list.push_back(numbers[i]);
  return list;
}

Json size_json(Size size) {
  if (size == Size{}) return nullptr;
  return Json{{"width", size.width}, {"height", size.height}};
}

Json camera_json(const Camera& camera) {
  const bool fisheye = camera.model == LensModel::fisheye;
  Json json{{"size", size_json(camera.size)}, {"model", fisheye ? "fisheye" : "pinhole"}};
  json["fx"] = camera.fx;
  json["fy"] = camera.fy;
  json["cx"] = camera.cx;
  json["cy"] = camera.cy;
  json["distortion"] =
      numbers_json(camera.distortion, fisheye ? 4 : static_cast<std::size_t>(used_coefficients(camera)));
  if (const auto view = view_degrees(camera))
    json["view_degrees"] = Json::array({json_number((*view)[0], 3), json_number((*view)[1], 3)});
  else
    json["view_degrees"] = nullptr;
  return json;
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
  const double length = total(axis);
  if (length == 0) return {};
  const double angle = 2 * std::atan2(length, q[0]) * degrees;
  return {axis[0] / length * angle, axis[1] / length * angle, axis[2] / length * angle};
}

std::string left_out(const StereoRig& rig, RigFormat format) {
  if ((format == RigFormat::kalibr || format == RigFormat::euroc) && rig.rectified)
    return "the rectification (R1 R2 P1 P2)";
  const bool rectified_alone = format == RigFormat::kitti_odometry || format == RigFormat::middlebury;
  if (rectified_alone && (rig.left.distorted() || rig.right.distorted() || rig.rotation != StereoRig{}.rotation))
    return "all but the rectified pair: it is for rectified pictures alone";
  if (format == RigFormat::kitti_odometry && rig.left.size != Size{}) return "the size of the pictures";
  return {};
}

void print_rig(const StereoRig& rig) {
  print_camera("left", rig.left);
  print_camera("right", rig.right);
  const std::array<double, 3> turn = turn_degrees(rig.rotation);
  print("{:<10}baseline {:.6g} m; the left camera lies at ({:.6g}, {:.6g}, {:.6g}) m in the right one's axes\n", "pose",
        rig.baseline_m(), rig.translation[0], rig.translation[1], rig.translation[2]);
  print("{:<10}turned by {:.3f} degrees: {:.3f} about x (right), {:.3f} about y (down), {:.3f} about z (forward)\n", "",
        total(turn), turn[0], turn[1], turn[2]);
  if (!rig.rectified) {
    print("{:<10}not told (no R1 R2 P1 P2)\n", "rectified");
    return;
  }
  const RigRectification& rectified = *rig.rectified;
  print("{:<10}{}, focal length {:.2f} px, principal points ({:.2f}, {:.2f}) and ({:.2f}, {:.2f})\n", "rectified",
        size_words(rectified.size == Size{} ? rig.left.size : rectified.size), rectified.p1[0], rectified.p1[2],
        rectified.p1[6], rectified.p2[2], rectified.p2[6]);
  print("{:<10}left turned by {:.3f} degrees, right by {:.3f}\n", "", total(turn_degrees(rectified.r1)),
        total(turn_degrees(rectified.r2)));
}

Json rig_json(const StereoRig& rig) {
  Json json{{"left", camera_json(rig.left)}, {"right", camera_json(rig.right)}};
  json["rotation"] = numbers_json(rig.rotation);
  json["translation"] = numbers_json(rig.translation);
  json["baseline_m"] = rig.baseline_m();
  const std::array<double, 3> turn = turn_degrees(rig.rotation);
  json["turn_degrees"] = Json::array({json_number(turn[0], 6), json_number(turn[1], 6), json_number(turn[2], 6)});
  if (!rig.rectified) {
    json["rectified"] = nullptr;
    return json;
  }
  const RigRectification& rectified = *rig.rectified;
  Json part{{"size", size_json(rectified.size)}};
  part["r1"] = numbers_json(rectified.r1);
  part["r2"] = numbers_json(rectified.r2);
  part["p1"] = numbers_json(rectified.p1);
  part["p2"] = numbers_json(rectified.p2);
  json["rectified"] = std::move(part);
  return json;
}

}  // namespace vergence::cli

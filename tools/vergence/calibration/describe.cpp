// SPDX-License-Identifier: Apache-2.0
// A calibrated rig as JSON.
#include "calibration/describe.hpp"

#include <array>
#include <string>
#include <utility>

#include "vergence/rig_words.hpp"

namespace vergence::cli {
namespace {

int used_coefficients(const Camera& camera) {
  int used = 14;
  while (used > 0 && camera.distortion[static_cast<std::size_t>(used) - 1] == 0) --used;
  return used;
}

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

std::string left_out(const StereoRig& rig, RigFormat format) {
  if ((format == RigFormat::kalibr || format == RigFormat::euroc) && rig.rectified)
    return "the rectification (R1 R2 P1 P2)";
  const bool rectified_alone = format == RigFormat::kitti_odometry || format == RigFormat::middlebury;
  if (rectified_alone && (rig.left.distorted() || rig.right.distorted() || rig.rotation != StereoRig{}.rotation))
    return "all but the rectified pair: it is for rectified pictures alone";
  if (format == RigFormat::kitti_odometry && rig.left.size != Size{}) return "the size of the pictures";
  return {};
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

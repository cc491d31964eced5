// SPDX-License-Identifier: Apache-2.0
// The texts of calibration files, and what their formats cannot hold.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "io/bytes.hpp"
#include "io/rig/formats.hpp"
#include "io/rig/projection.hpp"
#include "vergence/output_file.hpp"

namespace vergence::io::rig {
namespace {

struct FormatName {
  RigFormat format;
  std::string_view name;
};
constexpr FormatName format_names[] = {
    {RigFormat::opencv_yaml, "opencv-yaml"}, {RigFormat::opencv_xml, "opencv-xml"},
    {RigFormat::opencv_json, "opencv-json"}, {RigFormat::ros, "ros"},
    {RigFormat::kalibr, "kalibr"},           {RigFormat::euroc, "euroc"},
    {RigFormat::kitti_raw, "kitti-raw"},     {RigFormat::kitti_odometry, "kitti-odometry"},
    {RigFormat::middlebury, "middlebury"},
};

[[noreturn]] void cannot_hold(RigFormat format, const std::string& what) {
  throw Error(ErrorCode::unsupported, fmt::format("the calibration format {} {}", rig_format_name(format), what));
}

std::string list_of(std::span<const double> numbers, const char* between = ", ") {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : between) + decimal(number);
  return text;
}

std::array<double, 9> camera_matrix(const Camera& c) { return {c.fx, 0, c.cx, 0, c.fy, c.cy, 0, 0, 1}; }

/// The coefficients, but for zeros at the end: as many as one of these counts.
std::vector<double> coefficients(const Camera& camera, std::initializer_list<int> counts) {
  int used = 14;
  while (used > 0 && camera.distortion[static_cast<std::size_t>(used) - 1] == 0) --used;
  for (const int count : counts)
    if (used <= count) return {camera.distortion.begin(), camera.distortion.begin() + count};
  return {};
}

bool is_fisheye(const Camera& camera) { return camera.model == LensModel::fisheye; }

// --------------------------------------------------------------------------------------------------------- OpenCV

/// Names with numbers in the three forms of OpenCV's FileStorage.
class OpencvText {
 public:
  explicit OpencvText(RigFormat format) : format_(format) {}

  void number(const char* name, int value) {
    if (format_ == RigFormat::opencv_yaml) add(fmt::format("{}: {}\n", name, value));
    if (format_ == RigFormat::opencv_xml) add(fmt::format("<{0}>{1}</{0}>\n", name, value));
    if (format_ == RigFormat::opencv_json) add(fmt::format("    \"{}\": {}", name, value));
  }
  void matrix(const char* name, std::size_t rows, std::span<const double> values) {
    const std::size_t columns = values.size() / rows;
    if (format_ == RigFormat::opencv_yaml)
      add(fmt::format("{}: !!opencv-matrix\n   rows: {}\n   cols: {}\n   dt: d\n   data: [ {} ]\n", name, rows, columns,
                      list_of(values)));
    if (format_ == RigFormat::opencv_xml)
      add(
          fmt::format("<{0} type_id=\"opencv-matrix\">\n  <rows>{1}</rows>\n  <cols>{2}</cols>\n  <dt>d</dt>\n"
                      "  <data>{3}</data></{0}>\n",
                      name, rows, columns, list_of(values, " ")));
    if (format_ == RigFormat::opencv_json)
      add(fmt::format(
          "    \"{}\": {{\n        \"type_id\": \"opencv-matrix\",\n        \"rows\": {},\n        \"cols\": "
          "{},\n        \"dt\": \"d\",\n        \"data\": [ {} ]\n    }}",
          name, rows, columns, list_of(values)));
  }
  std::string text() const {
    if (format_ == RigFormat::opencv_yaml) return "%YAML:1.0\n---\n" + body_;
    if (format_ == RigFormat::opencv_xml)
      return "<?xml version=\"1.0\"?>\n<opencv_storage>\n" + body_ + "</opencv_storage>\n";
    return "{\n" + body_ + "\n}\n";
  }

 private:
  void add(const std::string& part) {
    if (format_ == RigFormat::opencv_json && !body_.empty()) body_ += ",\n";
    body_ += part;
  }
  RigFormat format_;
  std::string body_;
};

std::string opencv_text(const StereoRig& rig, RigFormat format) {
  if (rig.left.size != rig.right.size) cannot_hold(format, "holds one picture size, and the cameras have two");
  if (is_fisheye(rig.left) != is_fisheye(rig.right)) cannot_hold(format, "holds two fisheyes or none");
  OpencvText text(format);
  if (rig.left.size != Size{}) {
    text.number("image_width", rig.left.size.width);
    text.number("image_height", rig.left.size.height);
  }
  if (is_fisheye(rig.left)) text.number("fisheye_model", 1);
  const auto lens = [](const Camera& camera) {
    return is_fisheye(camera) ? coefficients(camera, {4}) : coefficients(camera, {5, 8, 12, 14});
  };
  text.matrix("M1", 3, camera_matrix(rig.left));
  text.matrix("D1", 1, lens(rig.left));
  text.matrix("M2", 3, camera_matrix(rig.right));
  text.matrix("D2", 1, lens(rig.right));
  text.matrix("R", 3, rig.rotation);
  text.matrix("T", 3, rig.translation);
  if (!rig.rectified) return text.text();
  const RigRectification& rectified = *rig.rectified;
  text.matrix("R1", 3, rectified.r1);
  text.matrix("R2", 3, rectified.r2);
  text.matrix("P1", 3, rectified.p1);
  text.matrix("P2", 3, rectified.p2);
  if (rectified.size != Size{}) {
    text.number("rectified_width", rectified.size.width);
    text.number("rectified_height", rectified.size.height);
  }
  return text.text();
}

// -------------------------------------------------------------------------------------------- ROS, Kalibr, EuRoC

std::string ros_text(const Camera& camera, const char* name, const Matrix3x3& rotation, const Matrix3x4& projection) {
  if (camera.size == Size{}) cannot_hold(RigFormat::ros, "needs the size of the pictures, which is not known");
  if (!is_projection(projection))
    cannot_hold(RigFormat::ros, "needs projections [f 0 cx tx; 0 f cy ty; 0 0 1 0]: rectify anew");
  const std::vector<double> lens =
      is_fisheye(camera) ? coefficients(camera, {4}) : coefficients(camera, {5, 8, 12, 14});
  const char* const model = is_fisheye(camera) ? "equidistant" : lens.size() == 5 ? "plumb_bob" : "rational_polynomial";
  const auto matrix = [](const char* key, int rows, std::span<const double> values) {
    return fmt::format("{}:\n  rows: {}\n  cols: {}\n  data: [{}]\n", key, rows,
                       values.size() / static_cast<std::size_t>(rows), list_of(values));
  };
  return fmt::format("image_width: {}\nimage_height: {}\ncamera_name: {}\n", camera.size.width, camera.size.height,
                     name) +
         matrix("camera_matrix", 3, camera_matrix(camera)) + fmt::format("distortion_model: {}\n", model) +
         matrix("distortion_coefficients", 1, lens) + matrix("rectification_matrix", 3, rotation) +
         matrix("projection_matrix", 3, projection);
}

/// The lens of Kalibr and EuRoC: four coefficients of either model.
std::vector<double> four_coefficients(const Camera& camera, RigFormat format) {
  if (camera.size == Size{}) cannot_hold(format, "needs the size of the pictures, which is not known");
  std::vector<double> lens = coefficients(camera, {4});
  if (lens.empty()) cannot_hold(format, "holds the four coefficients k1 k2 p1 p2 alone, and this lens has more");
  return lens;
}

std::string kalibr_camera(const Camera& camera, int number, const std::string& pose) {
  const std::vector<double> lens = four_coefficients(camera, RigFormat::kalibr);
  return fmt::format(
      "cam{}:\n{}  camera_model: pinhole\n  distortion_coeffs: [{}]\n  distortion_model: {}\n  intrinsics: "
      "[{}, {}, {}, {}]\n  resolution: [{}, {}]\n",
      number, pose, list_of(lens), is_fisheye(camera) ? "equidistant" : "radtan", decimal(camera.fx),
      decimal(camera.fy), decimal(camera.cx), decimal(camera.cy), camera.size.width, camera.size.height);
}

std::string kalibr_text(const StereoRig& rig) {
  std::string pose = "  T_cn_cnm1:\n";
  for (std::size_t i = 0; i < 3; ++i)
    pose +=
        fmt::format("  - [{}, {}]\n", list_of(std::span(rig.rotation).subspan(3 * i, 3)), decimal(rig.translation[i]));
  return kalibr_camera(rig.left, 0, "") + kalibr_camera(rig.right, 1, pose + "  - [0.0, 0.0, 0.0, 1.0]\n");
}

std::string euroc_text(const Camera& camera, const Matrix3x3& rotation, const std::array<double, 3>& place) {
  const std::vector<double> lens = four_coefficients(camera, RigFormat::euroc);
  std::string pose;
  for (std::size_t i = 0; i < 3; ++i)
    pose += fmt::format("{}, {},\n         ", list_of(std::span(rotation).subspan(3 * i, 3)), decimal(place[i]));
  return fmt::format(
      "# T_BS takes points of this camera's axes to those of the body, which are the right camera's.\nsensor_type: "
      "camera\nT_BS:\n  cols: 4\n  rows: 4\n  data: [{}0.0, 0.0, 0.0, 1.0]\nresolution: [{}, {}]\ncamera_model: "
      "pinhole\nintrinsics: [{}, {}, {}, {}]\ndistortion_model: {}\ndistortion_coefficients: [{}]\n",
      pose, camera.size.width, camera.size.height, decimal(camera.fx), decimal(camera.fy), decimal(camera.cx),
      decimal(camera.cy), is_fisheye(camera) ? "equidistant" : "radial-tangential", list_of(lens));
}

// ----------------------------------------------------------------------------------------- rectified pairs alone

/// The rig as its rectified pictures have it.
StereoRig rectified_of(const StereoRig& rig, RigFormat format) {
  if (rig.rectified) {
    const RigRectification& r = *rig.rectified;
    if (!is_projection(r.p1) || !is_projection(r.p2))
      cannot_hold(format, "needs projections [f 0 cx tx; 0 f cy ty; 0 0 1 tz]: rectify anew");
    return rectified_pair({.p1 = r.p1, .p2 = r.p2, .size = r.size == Size{} ? rig.left.size : r.size});
  }
  if (rig.left.distorted() || rig.right.distorted() || rig.rotation != StereoRig{}.rotation ||
      rig.left.fx != rig.right.fx || rig.left.fy != rig.right.fy || rig.left.cy != rig.right.cy)
    cannot_hold(format, "holds rectified cameras alone, and no rectification (R1 R2 P1 P2) of these is known");
  const Camera &a = rig.left, &b = rig.right;
  const auto& t = rig.translation;
  return rectified_pair(
      {.p1 = {a.fx, 0, a.cx, 0, 0, a.fy, a.cy, 0, 0, 0, 1, 0},
       .p2 = {b.fx, 0, b.cx, b.fx * t[0] + b.cx * t[2], 0, b.fy, b.cy, b.fy * t[1] + b.cy * t[2], 0, 0, 1, t[2]},
       .size = a.size});
}

std::string kitti_text(const StereoRig& rig) {
  const StereoRig pair = rectified_of(rig, RigFormat::kitti_odometry);
  return fmt::format("P0: {}\nP1: {}\n", list_of(pair.rectified->p1, " "), list_of(pair.rectified->p2, " "));
}

std::string middlebury_text(const StereoRig& rig) {
  const StereoRig pair = rectified_of(rig, RigFormat::middlebury);
  // one that is rectified already tells its own baseline
  const bool plain = rig.rotation == StereoRig{}.rotation && rig.left == pair.left && rig.right == pair.right;
  const auto& t = plain ? rig.translation : pair.translation;
  constexpr double little = 0.01;
  if (!(t[0] < 0) || std::abs(t[1]) > little * -t[0] || std::abs(t[2]) > little * -t[0])
    cannot_hold(RigFormat::middlebury,
                fmt::format("holds cameras side by side alone, the right one to the right of the "
                            "left one, and this translation is {}",
                            list_of(t)));
  const auto matrix = [](const Camera& c) {
    return fmt::format("[{} 0 {}; 0 {} {}; 0 0 1]", decimal(c.fx), decimal(c.cx), decimal(c.fy), decimal(c.cy));
  };
  std::string text = fmt::format("cam0={}\ncam1={}\ndoffs={}\nbaseline={}\n", matrix(pair.left), matrix(pair.right),
                                 decimal(pair.right.cx - pair.left.cx), millimetres_of(-t[0]));
  if (pair.left.size != Size{})
    text += fmt::format("width={}\nheight={}\n", pair.left.size.width, pair.left.size.height);
  return text;
}

}  // namespace

std::string decimal(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".n") != std::string::npos) return text;  // nan and inf, too
  const std::size_t exponent = std::min(text.find('e'), text.size());
  return text.insert(exponent, ".0");
}

double metres_of(std::string_view millimetres) {
  const std::size_t at = millimetres.find_first_of("eE");
  int exponent = 0;
  if (at != std::string_view::npos) {
    const char* const digits = millimetres.data() + at + 1 + (millimetres.substr(at + 1).starts_with('+') ? 1 : 0);
    std::from_chars(digits, millimetres.data() + millimetres.size(), exponent);
    exponent = std::clamp(exponent, -1000, 1000);
  }
  return whole_number(fmt::format("{}e{}", millimetres.substr(0, at), exponent - 3)).value_or(0);
}

std::string millimetres_of(double metres) {
  const std::string shortest = fmt::format("{}", metres * 1000);
  if (metres_of(shortest) == metres) return decimal(metres * 1000);
  const std::string text = fmt::format("{}", metres);  // no double of so many mm exists: the decimal point moves
  const std::size_t at = text.find('e');
  if (at == std::string::npos) return text + "e3";
  int exponent = 0;
  const std::size_t digits = at + (text[at + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + digits, text.data() + text.size(), exponent);
  return fmt::format("{}e{}", text.substr(0, at), exponent + 3);
}

std::vector<std::string> rig_texts(const StereoRig& rig, RigFormat format) {
  check_rig(rig);
  switch (format) {
    case RigFormat::opencv_yaml:
    case RigFormat::opencv_xml:
    case RigFormat::opencv_json:
      return {opencv_text(rig, format)};
    case RigFormat::ros: {
      if (!rig.rectified) cannot_hold(format, "holds the pose in R1 R2 P1 P2 alone, and they are not known");
      const RigRectification& r = *rig.rectified;
      return {ros_text(rig.left, "left", r.r1, r.p1), ros_text(rig.right, "right", r.r2, r.p2)};
    }
    case RigFormat::kalibr:
      return {kalibr_text(rig)};
    case RigFormat::euroc:
      return {euroc_text(rig.left, rig.rotation, rig.translation), euroc_text(rig.right, StereoRig{}.rotation, {})};
    case RigFormat::kitti_raw:
      cannot_hold(format, "is read, not written: choose kitti-odometry");
    case RigFormat::kitti_odometry:
      return {kitti_text(rig)};
    case RigFormat::middlebury:
      return {middlebury_text(rig)};
  }
  return {};
}

}  // namespace vergence::io::rig

namespace vergence {

std::string_view rig_format_name(RigFormat format) {
  for (const auto& one : io::rig::format_names)
    if (one.format == format) return one.name;
  return {};
}

std::optional<RigFormat> rig_format_named(std::string_view name) {
  for (const auto& one : io::rig::format_names)
    if (one.name == name) return one.format;
  return std::nullopt;
}

void write_rig(const std::vector<std::string>& paths, const StereoRig& rig, RigFormat format) {
  const std::vector<std::string> texts = io::rig::rig_texts(rig, format);
  if (paths.size() != texts.size())
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the calibration format {} has {}, and {} paths were given", rig_format_name(format),
                            texts.size() == 1 ? "one file" : "two files, left and right", paths.size()));
  FileGroup group;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    AtomicFile file(paths[i]);
    file.write(texts[i]);
    file.commit();
  }
  group.commit();
}

}  // namespace vergence

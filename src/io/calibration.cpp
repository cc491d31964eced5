// SPDX-License-Identifier: Apache-2.0
// Reading calibration. All forms lead to a pair of 3x4 projection matrices or to Middlebury's named numbers.
#include "io/calibration.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "io/bytes.hpp"
#include "io/calibration_text.hpp"
#include "io/rig/formats.hpp"

namespace vergence::io {
namespace {

constexpr std::uint64_t largest_file = 1 << 20;
using Projection = std::array<double, 12>;

[[noreturn]] void missing(const std::string& name, const std::string& what) {
  fail_read(ErrorCode::bad_data, name,
            fmt::format("{} is missing or not made of numbers: give a complete calibration file", what));
}

Projection to_projection(const std::vector<double>& numbers, const std::string& name, const std::string& key) {
  if (numbers.size() != 12)
    fail_read(ErrorCode::bad_data, name,
              fmt::format("the 3x4 matrix {} has {} numbers instead of 12: give a complete calibration file", key,
                          numbers.size()));
  Projection matrix{};
  for (std::size_t i = 0; i < 12; ++i) matrix[i] = numbers[i];
  return matrix;
}

int to_int(double value, const std::string& name, const char* what) {
  constexpr int most = 1'000'000'000;
  if (value > most)
    fail_read(ErrorCode::bad_data, name, fmt::format("{} = {} is too large: at most {}", what, value, most));
  if (!(value >= 0 && value == std::floor(value)))
    fail_read(ErrorCode::bad_data, name, fmt::format("{} = {} is not a whole number of at least 0", what, value));
  return static_cast<int>(value);
}

void require_sane(const Calibration& calibration, const std::string& name) {
  if (!(calibration.focal_px > 0))
    fail_read(ErrorCode::bad_data, name, fmt::format("the focal length {} px is not positive", calibration.focal_px));
  if (calibration.baseline_m == 0)
    fail_read(ErrorCode::bad_data, name, "the baseline is 0 m: give the calibration of both cameras");
  if (!(calibration.baseline_m > 0))
    fail_read(ErrorCode::bad_data, name,
              fmt::format("the baseline {} m is not positive: are left and right exchanged?", calibration.baseline_m));
}

// What is no camera's matrix was transposed, or has its numbers in another order.
bool is_camera(double skew, double below, double fy, double w0, double w1, double w2) {
  constexpr double little = 1e-3;
  const auto none = [](double value) { return std::abs(value) <= little; };
  return fy > 0 && none(skew / fy) && none(below / fy) && none(w0) && none(w1) && none(w2 - 1);  // fx is judged later
}

void require_camera(const Projection& p, const std::string& name, const char* which) {
  if (!is_camera(p[1], p[4], p[5], p[8], p[9], p[10]))
    fail_read(ErrorCode::bad_data, name,
              fmt::format("the {} matrix is no rectified camera's, [f 0 cx tx; 0 f cy ty; 0 0 1 0] row by row", which));
}

// The right camera lies to the right of the left one: what KITTI's are higher or lower is below one part in a hundred.
void require_side_by_side(const Projection& left, const Projection& right, const std::string& name) {
  constexpr double most = 0.05;
  const double across = std::abs(left[3] - right[3]) / left[0], down = std::abs(left[7] - right[7]) / left[5];
  if (down <= most * across || down == 0) return;
  fail_read(ErrorCode::bad_data, name,
            fmt::format("the cameras lie {:.4g} m above each other and {:.4g} m side by side: give the calibration of "
                        "a pair that is rectified, side by side",
                        down, across));
}

// A rectified camera: P = [f 0 cx tx; 0 f cy 0; 0 0 1 0], tx = -f times its distance to the right of the origin.
Calibration from_projections(const Projection& left, const Projection& right, const std::string& name) {
  if (!(std::abs(left[0] - right[0]) <= 1e-3 * std::abs(left[0])))
    fail_read(
        ErrorCode::bad_data, name,
        fmt::format("the focal lengths {} and {} differ: give the matrices of a rectified pair", left[0], right[0]));
  require_camera(left, name, "left");
  require_camera(right, name, "right");
  require_side_by_side(left, right, name);
  Calibration calibration;
  calibration.focal_px = left[0];
  calibration.baseline_m = (left[3] - right[3]) / left[0];
  calibration.offset_px = right[2] - left[2];
  calibration.center_x = left[2];
  calibration.center_y = left[6];
  calibration.focal_y_px = left[5];
  calibration.focal_right_px = right[0];
  calibration.center_right_x = right[2];
  calibration.center_right_y = right[6];
  require_sane(calibration, name);
  return calibration;
}

std::optional<std::vector<double>> middlebury_matrix(const CalibrationText& text, const char* key) {
  const auto rest = after_key(text, key, '=');
  if (!rest) return std::nullopt;
  const std::vector<double> numbers = number_list(text, key, *rest, Comma::is_text);
  if (numbers.size() != 9)
    text.fail(*rest, fmt::format("the 3x3 matrix {} has {} numbers instead of 9", key, numbers.size()));
  if (!is_camera(numbers[1], numbers[3], numbers[4], numbers[6], numbers[7], numbers[8]))
    text.fail(*rest, fmt::format("{} is no rectified camera's matrix, [f 0 cx; 0 f cy; 0 0 1] row by row", key));
  return numbers;
}

Calibration parse_middlebury(const CalibrationText& text, const std::string& name) {
  const std::vector<double> numbers = middlebury_matrix(text, "cam0").value();
  const auto baseline = line_number(text, "baseline", '=');
  if (!baseline) missing(name, "baseline");
  Calibration calibration;
  calibration.focal_px = numbers[0];
  calibration.center_x = numbers[2];
  calibration.center_y = numbers[5];
  calibration.focal_y_px = numbers[4];
  if (const auto right = middlebury_matrix(text, "cam1")) {
    calibration.focal_right_px = right->at(0);
    calibration.center_right_x = right->at(2);
    calibration.center_right_y = right->at(5);
  }
  calibration.baseline_m = *baseline / 1000;  // the file has millimetres
  calibration.offset_px = line_number(text, "doffs", '=').value_or(0);
  calibration.size.width = to_int(line_number(text, "width", '=').value_or(0), name, "width");
  calibration.size.height = to_int(line_number(text, "height", '=').value_or(0), name, "height");
  calibration.disparities = to_int(line_number(text, "ndisp", '=').value_or(0), name, "ndisp");
  require_sane(calibration, name);
  return calibration;
}

// One matrix of a KITTI file: all twelve numbers on the key's line.
std::optional<Projection> kitti_matrix(const CalibrationText& text, const std::string& key, const std::string& name) {
  const auto rest = after_key(text, key, ':');
  if (!rest) return std::nullopt;
  return to_projection(number_list(text, key, *rest, Comma::is_text), name, key);
}

std::optional<Calibration> parse_kitti(const CalibrationText& text, const std::string& name,
                                       const CameraPair& cameras) {
  const bool raw = after_key(text, "P_rect_00", ':') || after_key(text, "P_rect_02", ':');
  if (!raw && !after_key(text, "P0", ':')) return std::nullopt;
  const auto key = [raw](int camera) { return raw ? fmt::format("P_rect_{:02}", camera) : fmt::format("P{}", camera); };
  const int left = cameras.left >= 0 ? cameras.left : raw ? 2 : 0;
  const int right = cameras.right >= 0 ? cameras.right : left + 1;
  const auto left_matrix = kitti_matrix(text, key(left), name);
  const auto right_matrix = kitti_matrix(text, key(right), name);
  if (!left_matrix) missing(name, key(left));
  if (!right_matrix) missing(name, key(right));
  Calibration calibration = from_projections(*left_matrix, *right_matrix, name);
  const std::string size_key = fmt::format("S_rect_{:02}", left);
  if (const auto size = after_key(text, size_key, ':')) {
    const auto numbers = number_list(text, size_key, *size, Comma::is_text);
    if (numbers.size() != 2) text.fail(*size, fmt::format("{} has {} numbers instead of 2", size_key, numbers.size()));
    calibration.size = {to_int(numbers[0], name, "S_rect"), to_int(numbers[1], name, "S_rect")};
  }
  return calibration;
}

// A matrix of a YAML file: the list after `data:` that follows the key.
std::optional<Projection> yaml_matrix(const CalibrationText& text, const std::string& key, const std::string& name) {
  const auto rest = after_key(text, key, ':');
  if (!rest) return std::nullopt;
  return to_projection(yaml_numbers(text, key, *rest), name, key);
}

Projection yaml_camera(const CalibrationText& text, const std::string& name, const char* alternative) {
  for (const char* key : {"projection_matrix", alternative, "P"})
    if (const auto matrix = yaml_matrix(text, key, name)) return *matrix;
  missing(name, fmt::format("projection_matrix (or {}, or P)", alternative));
}

Size yaml_size(const CalibrationText& text, const std::string& name) {
  return {to_int(line_number(text, "image_width", ':').value_or(0), name, "image_width"),
          to_int(line_number(text, "image_height", ':').value_or(0), name, "image_height")};
}

bool is_xml_or_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '<' || text[first] == '{');
}

// The one place that says what to do with a rig whose pictures are still to be rectified.
[[noreturn]] void refuse_unrectified(RigFormat format, const std::string& name) {
  fail_read(ErrorCode::bad_data, name,
            fmt::format("it is a calibration ({}) of two cameras that are not rectified: rectify the pictures with it "
                        "(`vergence rectify`), and give the calibration that --rectified-calibration writes then",
                        rig_format_name(format)));
}

// OpenCV's other two forms, and its two files.
Calibration from_rig(const std::vector<rig::NamedText>& files, const std::string& name) {
  const RigFile file = rig::parse_rig(files, {});
  const StereoRig& rig = file.rig;
  if (!rig.rectified) refuse_unrectified(file.format, name);
  const RigRectification& rectified = *rig.rectified;
  Calibration calibration = from_projections(rectified.p1, rectified.p2, name);
  calibration.size = rectified.size == Size{} ? rig.left.size : rectified.size;
  return calibration;
}

// Of two files each tells one camera, as YAML does; the other forms tell both.
void require_one_camera(const CalibrationText& text, const std::string& name) {
  const bool middlebury = after_key(text, "cam0", '=').has_value();
  if (middlebury || after_key(text, "P0", ':') || after_key(text, "P_rect_00", ':') ||
      after_key(text, "P_rect_02", ':'))
    fail_read(ErrorCode::bad_data, name,
              fmt::format("it is {}, which holds both cameras: give it once, alone (two files are left and right YAML)",
                          middlebury ? "Middlebury's calib.txt" : "KITTI's calibration"));
}

std::string read_text(const std::string& path) {
  ByteReader reader(path, largest_file);
  if (reader.remaining() > largest_file)
    fail_read(ErrorCode::bad_data, path, "it is larger than 1 MB: give a calibration file, which is a short text");
  const std::vector<std::uint8_t> bytes = reader.read_all();
  return {bytes.begin(), bytes.end()};
}

// What a file is that tells no rectified pair: rigs by their format, parts of one by what to do with them.
[[noreturn]] void refuse_other(const CalibrationText& text, const std::string& name) {
  std::optional<RigFormat> format;
  std::string reason;
  try {
    format = rig::parse_rig({{std::string(text.text), name}}, {}).format;
  } catch (const Error& error) {
    reason = error.what();
  }
  if (format) refuse_unrectified(*format, name);
  for (const char* const format_name : {"ROS", "EuRoC"})
    if (reason.find(fmt::format("one camera of {}", format_name)) != std::string::npos)
      fail_read(ErrorCode::bad_data, name,
                fmt::format("it tells one camera of {}: give --calibration twice, the left and the right camera's file",
                            format_name));
  for (const char* const key : {"M1", "K1", "cameraMatrix1", "R", "T"})
    if (after_key(text, key, ':'))
      fail_read(ErrorCode::bad_data, name,
                fmt::format("it holds a part of OpenCV's calibration ({}), and not P1 and P2 of a rectified pair: give "
                            "the file that holds these, or rectify the pictures with both files (`vergence rectify`)",
                            key));
  fail_read(ErrorCode::bad_data, name,
            "it is no calibration of a pair: give Middlebury's calib.txt, KITTI's (P0 and P1, or P_rect_02 and "
            "P_rect_03), one of OpenCV with P1 and P2 (YAML, XML or JSON), or two YAML files, left and right");
}

// Two files without projections, but of one rig.
std::optional<Calibration> from_two_parts(const CalibrationText& left, const std::string& left_name,
                                          const CalibrationText& right, const std::string& right_name) {
  const auto tells = [](const CalibrationText& text) {
    return after_key(text, "projection_matrix", ':') || after_key(text, "P", ':');
  };
  const bool both = after_key(left, "P1", ':') && after_key(right, "P2", ':');
  if (tells(left) || tells(right) || both) return std::nullopt;
  const std::vector<rig::NamedText> files{{std::string(left.text), left_name}, {std::string(right.text), right_name}};
  try {
    rig::parse_rig(files, {});
  } catch (const Error&) {
    return std::nullopt;  // what is missing is told as of a left and a right file
  }
  return from_rig(files, left_name + "\" and \"" + right_name);
}

}  // namespace

Calibration parse_calibration(std::string_view whole, const std::string& name, const CameraPair& cameras) {
  const CalibrationText text(whole, name);
  if (is_xml_or_json(text.text)) return from_rig({{std::string(text.text), name}}, name);
  if (after_key(text, "cam0", '=')) return parse_middlebury(text, name);
  if (const auto calibration = parse_kitti(text, name, cameras)) return *calibration;
  const auto left = yaml_matrix(text, "P1", name);
  const auto right = yaml_matrix(text, "P2", name);
  if (left && right) return from_projections(*left, *right, name);
  refuse_other(text, name);
}

Calibration parse_calibration_pair(std::string_view left_text, const std::string& left_name,
                                   std::string_view right_text, const std::string& right_name) {
  const CalibrationText left(left_text, left_name);
  const CalibrationText right(right_text, right_name);
  require_one_camera(left, left_name);
  require_one_camera(right, right_name);
  if (const auto calibration = from_two_parts(left, left_name, right, right_name)) return *calibration;
  const Projection left_matrix = yaml_camera(left, left_name, "P1");
  const Projection right_matrix = yaml_camera(right, right_name, "P2");
  Calibration calibration = from_projections(left_matrix, right_matrix, left_name + "\" and \"" + right_name);
  const Size left_size = yaml_size(left, left_name), right_size = yaml_size(right, right_name);
  if (left_size != Size{} && right_size != Size{} && left_size != right_size)
    fail_read(ErrorCode::bad_data, right_name,
              fmt::format("it is for pictures of {}x{}, and {} for {}x{}: give the calibrations of one rectified pair",
                          right_size.width, right_size.height, left_name, left_size.width, left_size.height));
  calibration.size = left_size != Size{} ? left_size : right_size;
  return calibration;
}

}  // namespace vergence::io

namespace vergence {

Calibration read_calibration(const std::string& path) { return io::parse_calibration(io::read_text(path), path, {}); }

Calibration read_calibration(const std::string& path, int left_camera, int right_camera) {
  return io::parse_calibration(io::read_text(path), path, {left_camera, right_camera});
}

Calibration read_calibration(const std::string& left_path, const std::string& right_path) {
  return io::parse_calibration_pair(io::read_text(left_path), left_path, io::read_text(right_path), right_path);
}

}  // namespace vergence

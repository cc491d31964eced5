// SPDX-License-Identifier: Apache-2.0
// Rigs of plain lines: KITTI raw, KITTI odometry, Middlebury.
#include <fmt/format.h>

#include <algorithm>

#include "core/matrix.hpp"
#include "io/bytes.hpp"
#include "io/rig/formats.hpp"
#include "io/rig/projection.hpp"

namespace vergence::io::rig {

using namespace matrix;
namespace {

/// The numbers behind a key of a file of KITTI.
class KittiLines {
 public:
  explicit KittiLines(const CalibrationText& text) : text_(text) {}

  template <std::size_t count>
  std::array<double, count> require(const std::string& key) const {
    const auto rest = after_key(text_, key, ':');
    if (!rest)
      fail_read(ErrorCode::bad_data, text_.name, fmt::format("{} is missing: give a complete calibration file", key));
    const std::vector<double> numbers = number_list(text_, key, *rest, Comma::is_text);
    if (numbers.size() != count)
      text_.fail(*rest, fmt::format("{} has {} numbers instead of {}", key, numbers.size(), count));
    std::array<double, count> result{};
    std::copy(numbers.begin(), numbers.end(), result.begin());
    return result;
  }
  Size size(const std::string& key) const {
    if (!after_key(text_, key, ':')) return {};
    const auto numbers = require<2>(key);
    constexpr double most = 1e9;
    for (const double number : numbers)
      if (!(number >= 1 && number <= most && number == static_cast<int>(number)))
        fail_read(ErrorCode::bad_data, text_.name, fmt::format("{} holds {}: whole px are wanted", key, number));
    return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
  }
  Camera camera(int number) const {
    const auto k = require<9>(fmt::format("K_{:02}", number));
    if (k[1] != 0 || k[3] != 0 || k[6] != 0 || k[7] != 0 || k[8] != 1)
      fail_read(ErrorCode::bad_data, text_.name,
                fmt::format("K_{:02} is no camera's matrix, [fx 0 cx; 0 fy cy; 0 0 1] row by row", number));
    const auto d = require<5>(fmt::format("D_{:02}", number));
    Camera camera;
    camera.size = size(fmt::format("S_{:02}", number));
    camera.fx = k[0];
    camera.fy = k[4];
    camera.cx = k[2];
    camera.cy = k[5];
    std::copy(d.begin(), d.end(), camera.distortion.begin());
    return camera;
  }
  Matrix3x4 projection(const std::string& key) const {
    const Matrix3x4 p = require<12>(key);
    if (!is_projection(p))
      fail_read(ErrorCode::bad_data, text_.name,
                fmt::format("{} is no rectified camera's matrix, [f 0 cx tx; 0 f cy ty; 0 0 1 tz] row by row", key));
    return p;
  }

 private:
  const CalibrationText& text_;
};

/// [f 0 cx; 0 f cy; 0 0 1] of Middlebury as a projection from the origin.
std::optional<Matrix3x4> middlebury_projection(const CalibrationText& text, const char* key) {
  const auto rest = after_key(text, key, '=');
  if (!rest) return std::nullopt;
  const std::vector<double> k = number_list(text, key, *rest, Comma::is_text);
  if (k.size() != 9) text.fail(*rest, fmt::format("the 3x3 matrix {} has {} numbers instead of 9", key, k.size()));
  const Matrix3x4 p = {k[0], k[1], k[2], 0, k[3], k[4], k[5], 0, k[6], k[7], k[8], 0};
  if (!is_projection(p))
    text.fail(*rest, fmt::format("{} is no rectified camera's matrix, [f 0 cx; 0 f cy; 0 0 1] row by row", key));
  return p;
}

int length_of(const CalibrationText& text, const char* key) {
  const double value = line_number(text, key, '=').value_or(0);
  constexpr double most = 1e9;
  if (!(value >= 0 && value <= most && value == static_cast<int>(value)))
    fail_read(ErrorCode::bad_data, text.name, fmt::format("{} = {} is no whole number of px", key, value));
  return static_cast<int>(value);
}

}  // namespace

bool is_kitti_raw(const CalibrationText& text) {
  return after_key(text, "P_rect_00", ':') || after_key(text, "P_rect_02", ':');
}

ParsedRig parse_kitti_raw(const CalibrationText& text, const RigReadOptions& options) {
  const int left = options.left_camera.value_or(2), right = options.right_camera.value_or(left + 1);
  const KittiLines lines(text);
  const auto name = [](const char* key, int camera) { return fmt::format("{}_{:02}", key, camera); };
  ParsedRig parsed;
  StereoRig& rig = parsed.rig;
  rig.left = lines.camera(left);
  rig.right = lines.camera(right);
  // x_left = R_left x + T_left of a point x in the axes of camera 0, and so on
  rig.rotation = lines.require<9>(name("R", right)) * transposed(lines.require<9>(name("R", left)));
  rig.translation = lines.require<3>(name("T", right)) - rig.rotation * lines.require<3>(name("T", left));
  RigRectification rectified;
  rectified.r1 = lines.require<9>(name("R_rect", left));
  rectified.r2 = lines.require<9>(name("R_rect", right));
  rectified.p1 = lines.projection(name("P_rect", left));
  rectified.p2 = lines.projection(name("P_rect", right));
  rectified.size = lines.size(name("S_rect", left));
  rig.rectified = rectified;
  return parsed;
}

bool is_kitti_odometry(const CalibrationText& text) { return after_key(text, "P0", ':').has_value(); }

ParsedRig parse_kitti_odometry(const CalibrationText& text, const RigReadOptions& options) {
  const int left = options.left_camera.value_or(0), right = options.right_camera.value_or(left + 1);
  const KittiLines lines(text);
  const Matrix3x4 p1 = lines.projection(fmt::format("P{}", left));
  const Matrix3x4 p2 = lines.projection(fmt::format("P{}", right));
  return {rectified_pair({.p1 = p1, .p2 = p2, .size = {}}), "P0", "P1"};
}

bool is_middlebury(const CalibrationText& text) { return after_key(text, "cam0", '=').has_value(); }

ParsedRig parse_middlebury_rig(const CalibrationText& text) {
  const Matrix3x4 p1 = middlebury_projection(text, "cam0").value();
  auto p2 = middlebury_projection(text, "cam1");
  if (!p2) {
    p2 = p1;
    (*p2)[2] += line_number(text, "doffs", '=').value_or(0);
  }
  if (!line_number(text, "baseline", '='))
    fail_read(ErrorCode::bad_data, text.name, "baseline is missing: give a complete calibration file");
  std::string_view word = after_key(text, "baseline", '=').value();
  word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
  word = word.substr(0, word.find_first_of(" \t\r\n;#"));
  const double baseline = metres_of(word);
  if (baseline < 0)
    fail_read(ErrorCode::bad_data, text.name,
              fmt::format("baseline = {} is not positive: are left and right exchanged?", word));
  const Size size{length_of(text, "width"), length_of(text, "height")};
  StereoRig rig = rectified_pair({.p1 = p1, .p2 = *p2, .size = size});
  rig.translation = {-baseline, 0, 0};
  rig.rectified->p2[3] = -((*p2)[0] * baseline);
  return {rig, "cam0", "baseline"};
}

}  // namespace vergence::io::rig

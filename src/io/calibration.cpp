// SPDX-License-Identifier: Apache-2.0
// Reading calibration. All forms lead to a pair of 3x4 projection matrices or to Middlebury's named numbers.
#include "io/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "io/bytes.hpp"

namespace vergence::io {
namespace {

constexpr std::uint64_t largest_file = 1 << 20;
using Projection = std::array<double, 12>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ';'; }

// The numbers that stand next to each other from the start of `text` on; brackets are skipped.
std::vector<double> numbers_at(std::string_view text, std::size_t most) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while (numbers.size() < most) {
    while (at < text.size() && (is_blank(text[at]) || text[at] == '[' || text[at] == '+')) ++at;
    double value = 0;
    const auto result = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (result.ec != std::errc() || !std::isfinite(value)) break;
    numbers.push_back(value);
    at = static_cast<std::size_t>(result.ptr - text.data());
  }
  return numbers;
}

// Where the value of `key` begins, behind its separator: the key starts a line (blanks before it allowed). From `at`
// on.
std::size_t find_value(std::string_view text, std::string_view key, char separator, std::size_t at) {
  for (at = text.find(key, at); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    std::size_t after = at + key.size();
    while (after < text.size() && (text[after] == ' ' || text[after] == '\t')) ++after;
    const bool starts_line = before == 0 || text[before - 1] == '\n' || text[before - 1] == '\r';
    if (starts_line && after < text.size() && text[after] == separator) return after + 1;
  }
  return std::string_view::npos;
}

// What follows `key` and its separator. A key that is there twice is refused: one of both would win without a word.
std::optional<std::string_view> after_key(std::string_view text, std::string_view key, char separator,
                                          const std::string& name) {
  const std::size_t value = find_value(text, key, separator, 0);
  if (value == std::string_view::npos) return std::nullopt;
  const std::size_t again = find_value(text, key, separator, value);
  if (again == std::string_view::npos) return text.substr(value);
  const auto line = [text](std::size_t at) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  fail_read(ErrorCode::bad_data, name,
            fmt::format("{} is there twice, in lines {} and {}: leave one of them", key, line(value), line(again)));
}

// Numbers on the key's own line only; nothing where the key is not there.
std::optional<double> line_number(std::string_view text, std::string_view key, char separator,
                                  const std::string& name) {
  const auto rest = after_key(text, key, separator, name);
  if (!rest) return std::nullopt;
  const std::string_view line = rest->substr(0, rest->find('\n'));
  const auto numbers = numbers_at(line, 1);
  if (numbers.empty())
    fail_read(ErrorCode::bad_data, name,
              fmt::format("{} is \"{}\", which is no number", key,
                          line.substr(0, std::min<std::size_t>(40, line.find('\r')))));
  return numbers[0];
}

[[noreturn]] void missing(const std::string& name, const std::string& what) {
  fail_read(ErrorCode::bad_data, name,
            fmt::format("{} is missing or not made of numbers: give a complete calibration file", what));
}

Projection to_projection(const std::vector<double>& numbers, const std::string& name, const std::string& key) {
  if (numbers.size() != 12) missing(name, fmt::format("the 3x4 matrix {}", key));
  Projection matrix{};
  for (std::size_t i = 0; i < 12; ++i) matrix[i] = numbers[i];
  return matrix;
}

int to_int(double value, const std::string& name, const char* what) {
  if (!(value >= 0 && value <= 1e9 && value == std::floor(value)))
    fail_read(ErrorCode::bad_data, name, fmt::format("{} = {} is not a whole number of at least 0", what, value));
  return static_cast<int>(value);
}

void require_sane(const Calibration& calibration, const std::string& name) {
  if (!(calibration.focal_px > 0))
    fail_read(ErrorCode::bad_data, name, fmt::format("the focal length {} px is not positive", calibration.focal_px));
  if (!(calibration.baseline_m > 0))
    fail_read(ErrorCode::bad_data, name,
              fmt::format("the baseline {} m is not positive: are left and right exchanged?", calibration.baseline_m));
}

// A rectified camera: P = [f 0 cx tx; 0 f cy 0; 0 0 1 0], tx = -f times its distance to the right of the origin.
Calibration from_projections(const Projection& left, const Projection& right, const std::string& name) {
  if (!(std::abs(left[0] - right[0]) <= 1e-3 * std::abs(left[0])))
    fail_read(
        ErrorCode::bad_data, name,
        fmt::format("the focal lengths {} and {} differ: give the matrices of a rectified pair", left[0], right[0]));
  Calibration calibration;
  calibration.focal_px = left[0];
  calibration.baseline_m = (left[3] - right[3]) / left[0];
  calibration.offset_px = right[2] - left[2];
  calibration.center_x = left[2];
  calibration.center_y = left[6];
  calibration.focal_y_px = left[5];
  calibration.focal_right_px = right[0];
  require_sane(calibration, name);
  return calibration;
}

Calibration parse_middlebury(std::string_view text, const std::string& name) {
  const auto matrix = after_key(text, "cam0", '=', name);
  const auto numbers = matrix ? numbers_at(*matrix, 9) : std::vector<double>{};
  if (numbers.size() != 9) missing(name, "the 3x3 matrix cam0");
  const auto baseline = line_number(text, "baseline", '=', name);
  if (!baseline) missing(name, "baseline");
  Calibration calibration;
  calibration.focal_px = numbers[0];
  calibration.center_x = numbers[2];
  calibration.center_y = numbers[5];
  calibration.focal_y_px = numbers[4];
  if (const auto right = after_key(text, "cam1", '=', name)) {
    const auto second = numbers_at(*right, 9);
    if (second.size() != 9) missing(name, "the 3x3 matrix cam1");
    calibration.focal_right_px = second[0];
  }
  calibration.baseline_m = *baseline / 1000;  // the file has millimetres
  calibration.offset_px = line_number(text, "doffs", '=', name).value_or(0);
  calibration.size.width = to_int(line_number(text, "width", '=', name).value_or(0), name, "width");
  calibration.size.height = to_int(line_number(text, "height", '=', name).value_or(0), name, "height");
  calibration.disparities = to_int(line_number(text, "ndisp", '=', name).value_or(0), name, "ndisp");
  require_sane(calibration, name);
  return calibration;
}

// One matrix of a KITTI file: all twelve numbers on the key's line.
std::optional<Projection> kitti_matrix(std::string_view text, const std::string& key, const std::string& name) {
  const auto rest = after_key(text, key, ':', name);
  if (!rest) return std::nullopt;
  return to_projection(numbers_at(rest->substr(0, rest->find('\n')), 13), name, key);
}

std::optional<Calibration> parse_kitti(std::string_view text, const std::string& name, const CameraPair& cameras) {
  const bool raw = after_key(text, "P_rect_00", ':', name) || after_key(text, "P_rect_02", ':', name);
  if (!raw && !after_key(text, "P0", ':', name)) return std::nullopt;
  const auto key = [raw](int camera) { return raw ? fmt::format("P_rect_{:02}", camera) : fmt::format("P{}", camera); };
  const int left = cameras.left >= 0 ? cameras.left : raw ? 2 : 0;
  const int right = cameras.right >= 0 ? cameras.right : left + 1;
  const auto left_matrix = kitti_matrix(text, key(left), name);
  const auto right_matrix = kitti_matrix(text, key(right), name);
  if (!left_matrix) missing(name, key(left));
  if (!right_matrix) missing(name, key(right));
  Calibration calibration = from_projections(*left_matrix, *right_matrix, name);
  if (const auto size = after_key(text, fmt::format("S_rect_{:02}", left), ':', name)) {
    const auto numbers = numbers_at(size->substr(0, size->find('\n')), 2);
    if (numbers.size() != 2) missing(name, "the size S_rect");
    calibration.size = {to_int(numbers[0], name, "S_rect"), to_int(numbers[1], name, "S_rect")};
  }
  return calibration;
}

// A matrix of a YAML file: the list after `data:` that follows the key.
std::optional<Projection> yaml_matrix(std::string_view text, const std::string& key, const std::string& name) {
  const auto rest = after_key(text, key, ':', name);
  if (!rest) return std::nullopt;
  const std::size_t data = rest->find("data:");
  const std::size_t direct = rest->find_first_not_of(" \t\r\n");
  std::size_t start = data == std::string_view::npos ? 0 : data + 5;
  if (direct != std::string_view::npos && (*rest)[direct] == '[') start = direct;  // key: [ ... ]
  std::vector<double> numbers;
  std::string_view list = rest->substr(start);
  const std::size_t first = list.find_first_not_of(" \t\r\n");
  // A list is either in brackets or one line per number with a dash.
  if (first != std::string_view::npos && list[first] == '-' && first + 1 < list.size() && list[first + 1] == ' ') {
    while (numbers.size() < 12) {
      const std::size_t dash = list.find_first_not_of(" \t\r\n");
      if (dash == std::string_view::npos || list[dash] != '-') break;
      list = list.substr(dash + 1);
      const auto number = numbers_at(list.substr(0, list.find('\n')), 1);
      if (number.empty()) break;
      numbers.push_back(number[0]);
      const std::size_t line = list.find('\n');
      list = line == std::string_view::npos ? std::string_view{} : list.substr(line);
    }
  } else {
    numbers = numbers_at(list, 12);
  }
  return to_projection(numbers, name, key);
}

Projection yaml_camera(std::string_view text, const std::string& name, const char* alternative) {
  for (const char* key : {"projection_matrix", alternative, "P"})
    if (const auto matrix = yaml_matrix(text, key, name)) return *matrix;
  missing(name, fmt::format("projection_matrix (or {}, or P)", alternative));
}

std::string read_text(const std::string& path) {
  ByteReader reader(path, largest_file);
  if (reader.remaining() > largest_file)
    fail_read(ErrorCode::bad_data, path, "it is larger than 1 MB: give a calibration file, which is a short text");
  const std::vector<std::uint8_t> bytes = reader.read_all();
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Calibration parse_calibration(std::string_view text, const std::string& name, const CameraPair& cameras) {
  if (after_key(text, "cam0", '=', name)) return parse_middlebury(text, name);
  if (const auto calibration = parse_kitti(text, name, cameras)) return *calibration;
  const auto left = yaml_matrix(text, "P1", name);
  const auto right = yaml_matrix(text, "P2", name);
  if (left && right) return from_projections(*left, *right, name);
  fail_read(ErrorCode::bad_data, name,
            "it is no calibration of a pair: give Middlebury's calib.txt, KITTI's (P0 and P1, or P_rect_02 and "
            "P_rect_03), an OpenCV "
            "YAML with P1 and P2, or two YAML files, left and right");
}

Calibration parse_calibration_pair(std::string_view left, const std::string& left_name, std::string_view right,
                                   const std::string& right_name) {
  const Projection left_matrix = yaml_camera(left, left_name, "P1");
  const Projection right_matrix = yaml_camera(right, right_name, "P2");
  Calibration calibration = from_projections(left_matrix, right_matrix, left_name + "\" and \"" + right_name);
  calibration.size.width =
      to_int(line_number(left, "image_width", ':', left_name).value_or(0), left_name, "image_width");
  calibration.size.height =
      to_int(line_number(left, "image_height", ':', left_name).value_or(0), left_name, "image_height");
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

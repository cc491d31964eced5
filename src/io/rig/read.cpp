// SPDX-License-Identifier: Apache-2.0
// Which format files are of; units; the check of what they say.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/bytes.hpp"
#include "io/rig/formats.hpp"

namespace vergence::io::rig {
namespace {

constexpr std::size_t largest_rig_file = 1 << 20;

struct Recognised {
  ParsedRig parsed;
  RigFormat format;
};

std::string names_of(const std::vector<NamedText>& files) {
  return files.size() == 1 ? files[0].name : files[0].name + "\" and \"" + files[1].name;
}

[[noreturn]] void fail_unknown(const std::vector<NamedText>& files) {
  fail_read(ErrorCode::bad_data, names_of(files),
            "no calibration of two cameras is in it: give one of OpenCV (M1 D1 M2 D2 R T), Kalibr (cam0, cam1), KITTI "
            "(P_rect_02 or P0) or Middlebury (cam0=), or two files, left and right, of ROS (camera_matrix, "
            "projection_matrix) or EuRoC (T_BS)");
}

/// The formats of plain lines, which tell both cameras.
std::optional<Recognised> of_lines(const std::vector<NamedText>& files, const RigReadOptions& options) {
  for (const NamedText& file : files) {
    const CalibrationText text(file.text, file.name);
    const bool middlebury = is_middlebury(text), raw = !middlebury && is_kitti_raw(text);
    if (!middlebury && !raw && !is_kitti_odometry(text)) continue;
    if (files.size() > 1) fail_read(ErrorCode::bad_data, file.name, "it holds both cameras: give it once, alone");
    if (middlebury) return Recognised{parse_middlebury_rig(text), RigFormat::middlebury};
    if (raw) return Recognised{parse_kitti_raw(text, options), RigFormat::kitti_raw};
    return Recognised{parse_kitti_odometry(text, options), RigFormat::kitti_odometry};
  }
  return std::nullopt;
}

RigFormat opencv_form(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const char letter = first == std::string_view::npos ? '%' : text[first];
  return letter == '<' ? RigFormat::opencv_xml : letter == '{' ? RigFormat::opencv_json : RigFormat::opencv_yaml;
}

Recognised of_trees(const std::vector<NamedText>& files, const RigReadOptions& options) {
  std::vector<Tree> trees;
  trees.reserve(files.size());
  for (const NamedText& file : files) trees.emplace_back(file.text, file.name);
  const auto all = [&trees](bool (*is)(const Tree&)) { return std::all_of(trees.begin(), trees.end(), is); };
  if (all(is_kalibr)) {
    if (files.size() > 1) fail_read(ErrorCode::bad_data, files[0].name, "it holds both cameras: give it once, alone");
    return {parse_kalibr(trees[0], options), RigFormat::kalibr};
  }
  const bool euroc = all(is_euroc), ros = !euroc && all(is_ros);
  if ((euroc || ros) && files.size() == 1)
    fail_read(ErrorCode::bad_data, files[0].name,
              fmt::format("it tells one camera of {}: give two files, the left and the right camera's",
                          euroc ? "EuRoC" : "ROS"));
  if (euroc) return {parse_euroc(trees[0], trees[1]), RigFormat::euroc};
  if (ros) return {parse_ros(trees[0], trees[1]), RigFormat::ros};
  if (!std::any_of(trees.begin(), trees.end(), is_opencv)) fail_unknown(files);
  return {parse_opencv(trees, options), opencv_form(files[0].text)};
}

void convert_unit(StereoRig& rig, double metres) {
  if (metres == 1) return;
  for (double& t : rig.translation) t *= metres;
  if (!rig.rectified) return;
  for (Matrix3x4* p : {&rig.rectified->p1, &rig.rectified->p2})
    for (const std::size_t last : {3U, 7U, 11U}) (*p)[last] *= metres;
}

/// check_rig with the file's name, and its own name of the pose.
std::vector<std::string> checked(const ParsedRig& parsed, const std::vector<NamedText>& files) {
  try {
    return check_rig(parsed.rig);
  } catch (const Error& error) {
    constexpr std::string_view head = "calibration: ";
    std::string text = error.what();
    if (text.starts_with(head)) text.erase(0, head.size());
    const char* const own = error.field() == "rotation"      ? parsed.rotation
                            : error.field() == "translation" ? parsed.translation
                                                             : nullptr;
    fail_read(ErrorCode::bad_data, names_of(files), own == nullptr ? text : fmt::format("{}: {}", own, text));
  }
}

NamedText read_text_of(const std::string& path) {
  ByteReader reader(path, largest_rig_file);
  if (reader.remaining() > largest_rig_file)
    fail_read(ErrorCode::bad_data, path, "it is larger than 1 MB: give a calibration file, which is a short text");
  const std::vector<std::uint8_t> bytes = reader.read_all();
  NamedText file{{bytes.begin(), bytes.end()}, path};
  refuse_wide_text(file.text, path);
  return file;
}

/// Whether a file that is no rig's speaks of lenses: then it is one with a mistake.
bool speaks_of_lenses(const NamedText& file) {
  constexpr std::array words{"distortion", "distCoeffs", "dist_coeffs", "D1", "D_0"};
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return file.text.find(word) != std::string::npos; });
}

void check_options(const RigReadOptions& options) {
  constexpr int most = 99;
  for (const auto& camera : {options.left_camera, options.right_camera})
    if (camera && (*camera < 0 || *camera > most))
      throw Error(ErrorCode::invalid_argument, fmt::format("camera {} is none: allowed are 0 .. {}", *camera, most));
  if (!(std::isfinite(options.metres_per_unit) && options.metres_per_unit > 0))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("a unit of {} m is none: allowed are finite numbers above 0", options.metres_per_unit));
}

}  // namespace

RigFile parse_rig(const std::vector<NamedText>& files, const RigReadOptions& options) {
  check_options(options);
  const auto lines = of_lines(files, options);
  Recognised found = lines ? *lines : of_trees(files, options);
  if (found.format != RigFormat::middlebury) convert_unit(found.parsed.rig, options.metres_per_unit);
  RigFile result;
  result.doubts = checked(found.parsed, files);
  result.doubts.insert(result.doubts.end(), found.parsed.doubts.begin(), found.parsed.doubts.end());
  result.rig = found.parsed.rig;
  result.format = found.format;
  return result;
}

}  // namespace vergence::io::rig

namespace vergence {

RigFile read_rig(const std::vector<std::string>& paths, const RigReadOptions& options) {
  if (paths.empty() || paths.size() > 2)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} calibration files were given: allowed are one, or two", paths.size()));
  std::vector<io::rig::NamedText> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back(io::rig::read_text_of(path));
  try {
    return io::rig::parse_rig(files, options);
  } catch (const Error& error) {
    const bool is_of_files = error.code() != ErrorCode::invalid_argument;
    if (!is_of_files || std::none_of(files.begin(), files.end(), io::rig::speaks_of_lenses)) throw;
    throw Error(error.code(), error.what(), "distortion");
  }
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// The formats of calibrated rigs: a parser for each, on texts, and a writer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/calibration_text.hpp"
#include "io/rig/tree.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::io::rig {

/// A file's text and its name for messages.
struct NamedText {
  std::string text;
  std::string name;
};

/// A rig that was not checked yet, and how the file calls its pose.
struct ParsedRig {
  StereoRig rig;
  const char* rotation = "R";
  const char* translation = "T";
  std::vector<std::string> doubts = {};
};

/// All of it: recognises the format, parses, converts the unit, checks.
RigFile parse_rig(const std::vector<NamedText>& files, const RigReadOptions& options);

/// OpenCV's names, in one tree or two.
ParsedRig parse_opencv(const std::vector<Tree>& trees, const RigReadOptions& options);
bool is_opencv(const Tree& tree);
ParsedRig parse_ros(const Tree& left, const Tree& right);
bool is_ros(const Tree& tree);
ParsedRig parse_kalibr(const Tree& tree, const RigReadOptions& options);
bool is_kalibr(const Tree& tree);
ParsedRig parse_euroc(const Tree& left, const Tree& right);
bool is_euroc(const Tree& tree);
ParsedRig parse_kitti_raw(const CalibrationText& text, const RigReadOptions& options);
bool is_kitti_raw(const CalibrationText& text);
ParsedRig parse_kitti_odometry(const CalibrationText& text, const RigReadOptions& options);
bool is_kitti_odometry(const CalibrationText& text);
ParsedRig parse_middlebury_rig(const CalibrationText& text);
bool is_middlebury(const CalibrationText& text);

/// Numbers of a lens: 0, 4, 5, 8, 12 or 14 of OpenCV's pinhole, or a fisheye's four.
void set_lens(Camera& camera, LensModel model, const Entry& where);
/// fx 0 cx 0 fy cy 0 0 1.
void set_matrix(Camera& camera, const std::vector<double>& k, const Entry& where);
/// Nine or twelve numbers of a tree.
Matrix3x3 matrix3x3(const Entry& entry);
Matrix3x4 matrix3x4(const Entry& entry);
/// Rotation and translation of [R t; 0 0 0 1].
void set_pose(Matrix3x3& rotation, std::array<double, 3>& translation, const Entry& entry);

/// The texts of the files that write_rig makes: one, or left and right.
std::vector<std::string> rig_texts(const StereoRig& rig, RigFormat format);

/// The shortest decimal that reads back as the same bits, with a point in it ("1.0e-05"), which every YAML takes for a
/// number.
std::string decimal(double number);
/// Metres of a text in millimetres and back, exactly: the decimal point is moved, nothing is rounded twice.
double metres_of(std::string_view millimetres);
std::string millimetres_of(double metres);

}  // namespace vergence::io::rig

// SPDX-License-Identifier: Apache-2.0
// Files of calibrated rigs (target vergence::io): OpenCV, ROS, Kalibr, EuRoC, KITTI, Middlebury. Read before: rig.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/rig.hpp"

namespace vergence {

/// What a file is like. Two files tell a rig in `ros` and `euroc` (left, right), and may in those of OpenCV (one of the
/// cameras, one of their pose, in any order).
enum class RigFormat {
  opencv_yaml,     ///< FileStorage: M1 D1 M2 D2 R T, with or without R1 R2 P1 P2 (or cameraMatrix1, distCoeffs1, ...).
  opencv_xml,      ///< The same.
  opencv_json,     ///< The same.
  ros,             ///< Two camera_info files, of camera_calibration or as `rostopic echo` prints them.
  kalibr,          ///< camchain.yaml.
  euroc,           ///< Two sensor.yaml, each with T_BS.
  kitti_raw,       ///< calib_cam_to_cam.txt. Cannot be written.
  kitti_odometry,  ///< calib.txt with P0 P1 ...: of rectified pictures.
  middlebury,      ///< calib.txt with cam0=[...]: of rectified pictures, baseline in mm.
};

/// "opencv-yaml", "kitti-raw", ...
std::string_view rig_format_name(RigFormat format);
std::optional<RigFormat> rig_format_named(std::string_view name);

struct RigReadOptions {
  /// Cameras of a file that holds more than two (KITTI, Kalibr). Not given: Kalibr 0 and 1, KITTI raw 2 and 3, KITTI
  /// odometry 0 and 1.
  std::optional<int> left_camera = std::nullopt;
  std::optional<int> right_camera = std::nullopt;
  /// The length that the file's translations count in; 0.001 where a chessboard's square was given in mm. Must be
  /// finite and positive. Middlebury's files are in mm in any case.
  double metres_per_unit = 1;
  /// Lenses of OpenCV's files are fisheyes, although no fisheye_model: 1 says so. Others say themselves what they are.
  bool fisheye = false;
};

/// What read_rig finds.
struct RigFile {
  StereoRig rig;
  RigFormat format = RigFormat::opencv_yaml;
  /// Those of check_rig, and where four coefficients of OpenCV seem to be those of a fisheye.
  std::vector<std::string> doubts;
};

/// Reads a rig from one file or two and checks it (check_rig); formats are recognised by what is in the files. A file
/// of at most 1 MB. Throws Error: not_found, io; bad_data with the file, the name and, where there is one, the line of
/// what is missing, unknown or wrong; unsupported for lenses that are no LensModel; invalid_argument for the options.
/// The field of bad_data and unsupported is "distortion" where the files speak of lenses, and so are meant to be a
/// rig's. May be called by any thread.
RigFile read_rig(const std::vector<std::string>& paths, const RigReadOptions& options = {});

/// Writes a rig to the one path or the two (left, right) that the format has; a file that is there is replaced. Numbers
/// are the shortest decimals that read back as the same bits. What a format cannot hold: lenses beyond its own, or
/// cameras that are not rectified, throw Error(unsupported) and nothing is written; the rectification is left out where
/// there is no place for it (kalibr, euroc), and all but the rectified pair is (kitti_odometry, middlebury). ros holds
/// the pose in the rectification alone, so that it needs one, and rotation and translation are read back within
/// rounding. In euroc the body's axes are those of the right camera. Throws Error(io) where a file cannot be written.
void write_rig(const std::vector<std::string>& paths, const StereoRig& rig, RigFormat format);

}  // namespace vergence

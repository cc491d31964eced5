// SPDX-License-Identifier: Apache-2.0
// Files of point clouds (target vergence::io). Read io.hpp first.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/io.hpp"

namespace vergence {

/// What a point cloud holds beside its points.
struct CloudOptions {
  ImageView<const Rgb> colours{};  ///< Of the depth map's size; empty: none.
  /// A point for every pixel, row by row, not a number where the depth is unknown: PCD's width and height, PLY's
  /// obj_info num_cols and num_rows tell the size.
  bool organised = false;
  /// The surface's direction at each point, 1 long and towards the camera: across the points of the four next pixels
  /// whose depths differ by no more than 5 %; not a number where these do not tell.
  bool normals = false;
};
/// Writes every pixel of finite positive depth as a point (x right, y down, z forward, metres), binary little endian:
/// .ply, or .pcd of version 0.7, whose colours are packed in `rgb`. x = (column - center_x) z / focal_px; y likewise
/// with focal_y_px where it is known, else focal_px. Returns the number of points of known depth. Throws
/// Error(invalid_argument) for an empty map, colours of another size and a focal length that is not positive,
/// Error(unsupported) for another ending, Error(io).
std::int64_t write_cloud(const std::string& path, ImageView<const float> metres, const Calibration& calibration,
                         const CloudOptions& options = {});

}  // namespace vergence

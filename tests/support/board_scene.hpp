// SPDX-License-Identifier: Apache-2.0
// A board before two known cameras: where its corners are seen, and pictures of it, by the project's lens models.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "calibrate/calibrate.hpp"
#include "core/matrix.hpp"
#include "plan/rectify/lens.hpp"
#include "vergence/rig.hpp"

namespace vergence::test {

inline calibrate::Board chessboard(int columns, int rows, double square_m) {
  calibrate::Board board;
  board.columns = columns;
  board.rows = rows;
  board.square_m = square_m;
  return board;
}

inline Matrix3x3 turned_by(double about_x, double about_y, double about_z) {
  using matrix::operator*;
  const double a = std::cos(about_x), b = std::sin(about_x), c = std::cos(about_y), d = std::sin(about_y);
  const double e = std::cos(about_z), f = std::sin(about_z);
  const Matrix3x3 x{1, 0, 0, 0, a, -b, 0, b, a}, y{c, 0, d, 0, 1, 0, -d, 0, c}, z{e, -f, 0, f, e, 0, 0, 0, 1};
  return z * y * x;
}

/// Two cameras 0.1 m apart that squint a little.
inline StereoRig board_rig(Size size, LensModel model = LensModel::pinhole) {
  StereoRig rig;
  const double focal = 0.9 * size.width;
  rig.left = {size, focal, 1.01 * focal, 0.49 * size.width, 0.51 * size.height, model, {}};
  rig.right = {size, 1.02 * focal, 1.02 * focal, 0.515 * size.width, 0.48 * size.height, model, {}};
  if (model == LensModel::pinhole) {
    rig.left.distortion = {-0.25, 0.08, 0.001, -0.0005, 0.01};
    rig.right.distortion = {-0.22, 0.06, -0.0008, 0.0004, 0.02};
  } else {
    rig.left.distortion = {0.02, -0.01, 0.004, -0.001};
    rig.right.distortion = {0.015, -0.008, 0.003, -0.0005};
  }
  rig.rotation = turned_by(0.01, -0.03, 0.015);
  rig.translation = {-0.1, 0.002, 0.003};
  return rig;
}

/// The board's pose in the left camera's axes: its middle at (x, y, z) metres, turned by angles in radians.
inline calibrate::Pose board_pose(const calibrate::Board& board, const Matrix3x3& rotation, double x, double y,
                                  double z) {
  using matrix::operator*;
  const matrix::Vector3 middle =
      rotation * matrix::Vector3{board.square_m * (board.columns - 1) / 2, board.square_m * (board.rows - 1) / 2, 0};
  return {rotation, {x - middle[0], y - middle[1], z - middle[2]}};
}

/// The same board in the right camera's axes.
inline calibrate::Pose pose_beside(const StereoRig& rig, const calibrate::Pose& pose) {
  using matrix::operator*;
  calibrate::Pose beside{rig.rotation * pose.rotation, rig.rotation * pose.translation};
  for (std::size_t i = 0; i < 3; ++i) beside.translation[i] += rig.translation[i];
  return beside;
}

/// Exact places of all corners, plus noise of so many px.
template <class Random>
calibrate::Corners seen_corners(const Camera& camera, const calibrate::Pose& pose, const calibrate::Board& board,
                                double noise_px, Random& random) {
  using matrix::operator*;
  const rectify::Lens lens(camera);
  std::normal_distribution<double> noise(0, 1);
  calibrate::Corners corners;
  for (int i = 0; i < board.corners(); ++i) {
    matrix::Vector3 p =
        pose.rotation * matrix::Vector3{board.square_m * (i % board.columns), board.square_m * (i / board.columns), 0};
    for (std::size_t k = 0; k < 3; ++k) p[k] += pose.translation[k];
    const rectify::Point place = lens.pixel_of({p[0] / p[2], p[1] / p[2]});
    corners.push_back({i, place.x + noise_px * noise(random), place.y + noise_px * noise(random)});
  }
  return corners;
}

/// Tilts to all sides, places all over the picture, two distances. `count` at most 16.
inline std::vector<calibrate::Pose> board_poses(const calibrate::Board& board, int count) {
  std::vector<calibrate::Pose> poses;
  for (int i = 0; i < count; ++i) {
    const double about_x = 0.5 * std::sin(2.4 * i), about_y = 0.5 * std::cos(2.4 * i), about_z = 0.1 * (i % 5 - 2);
    const double z = board.square_m * (board.columns + 1) * (1.9 + 0.5 * (i % 2));
    const double x = 0.1 * z * ((i % 3) - 1) + 0.05, y = 0.07 * z * ((i / 3 % 3) - 1);
    poses.push_back(board_pose(board, turned_by(about_x, about_y, about_z), x, y, z));
  }
  return poses;
}

/// Draws chessboards as a camera sees them: black and white squares, one more each way than corners, a white margin of
/// one square, grey behind. ChArUco boards have up to 24 markers.
class BoardPainter {
 public:
  explicit BoardPainter(const Camera& camera) : size_(camera.size), lens_(camera) {
    constexpr int rounds = 15;
    for (int y = 0; y < samples * size_.height; ++y)
      for (int x = 0; x < samples * size_.width; ++x) {
        const rectify::Point ray = lens_.ray_of({(x + 0.5) / samples - 0.5, (y + 0.5) / samples - 0.5}, rounds);
        rays_.push_back({ray.x, ray.y, 1});
      }
  }

  Image<std::uint8_t> paint(const calibrate::Board& board, const calibrate::Pose& pose) const {
    using namespace matrix;
    Image<std::uint8_t> picture(size_, grey);
    const Rect part = around(board, pose);
    const Vector3 normal{pose.rotation[2], pose.rotation[5], pose.rotation[8]};
    const Vector3& origin = pose.translation;
    const double height = dot(normal, origin);
    const Matrix3x3 back = transposed(pose.rotation);
    for (int y = part.y; y < part.y + part.height; ++y)
      for (int x = part.x; x < part.x + part.width; ++x) {
        int sum = 0;
        for (int v = 0; v < samples; ++v)
          for (int u = 0; u < samples; ++u) {
            const Vector3& ray =
                rays_[static_cast<std::size_t>((y * samples + v) * samples * size_.width + x * samples + u)];
            const double along = height / dot(normal, ray);
            const Vector3 place =
                back * Vector3{ray[0] * along - origin[0], ray[1] * along - origin[1], along - origin[2]};
            sum += along > 0 ? level(board, place[0] / board.square_m, place[1] / board.square_m) : grey;
          }
        picture(x, y) = static_cast<std::uint8_t>(sum / (samples * samples));
      }
    return picture;
  }

 private:
  static constexpr int samples = 3, grey = 110, dark = 25, bright = 230;

  /// The part of the picture that may show the board, by the ends of its margin.
  Rect around(const calibrate::Board& board, const calibrate::Pose& pose) const {
    using namespace matrix;
    constexpr int slack = 12;  // its sides are bent
    double low_x = size_.width, low_y = size_.height, high_x = 0, high_y = 0;
    for (const int column : {-2, board.columns + 1})
      for (const int row : {-2, board.rows + 1}) {
        Vector3 p = pose.rotation * Vector3{board.square_m * column, board.square_m * row, 0};
        for (std::size_t i = 0; i < 3; ++i) p[i] += pose.translation[i];
        const rectify::Point place = lens_.pixel_of({p[0] / p[2], p[1] / p[2]});
        low_x = std::min(low_x, place.x), low_y = std::min(low_y, place.y);
        high_x = std::max(high_x, place.x), high_y = std::max(high_y, place.y);
      }
    const int x = std::max(0, static_cast<int>(low_x) - slack), y = std::max(0, static_cast<int>(low_y) - slack);
    return {x, y, std::max(0, std::min(size_.width, static_cast<int>(high_x) + slack) - x),
            std::max(0, std::min(size_.height, static_cast<int>(high_y) + slack) - y)};
  }

  static int level(const calibrate::Board& board, double x, double y) {
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    if (column < -2 || row < -2 || column > board.columns || row > board.rows) return grey;
    if (column < -1 || row < -1 || column > board.columns - 1 || row > board.rows - 1) return bright;
    if ((column + row) % 2 == 0) return dark;
    return board.kind == calibrate::Board::Kind::charuco ? marker_level(board, x - column, y - row, column, row)
                                                         : bright;
  }

  /// Inside a bright square: one of the first markers of OpenCV's dictionary 4X4_50, in reading order, a bit each for
  /// 4x4 cells with a dark one around them.
  static int marker_level(const calibrate::Board& board, double x, double y, int column, int row) {
    constexpr unsigned markers[24] = {0xb532, 0x0f9a, 0x332d, 0x9946, 0x549e, 0x79cd, 0x9e2e, 0xc4f2,
                                      0xfeda, 0xcf56, 0xf991, 0x11a7, 0x0eb7, 0x2a0f, 0x24b1, 0x263e,
                                      0x4665, 0x6600, 0x6c5e, 0x76af, 0x868b, 0xb02b, 0xccd5, 0xdd82};
    const double side = board.marker_m / board.square_m;
    const int u = static_cast<int>(std::floor((x - (1 - side) / 2) / side * 6));
    const int v = static_cast<int>(std::floor((y - (1 - side) / 2) / side * 6));
    if (u < 0 || v < 0 || u > 5 || v > 5) return bright;
    if (u == 0 || v == 0 || u == 5 || v == 5) return dark;
    const int place = ((row + 1) * (board.columns + 1) + column + 1) / 2;
    return (markers[place] >> (15 - (4 * (v - 1) + u - 1)) & 1U) != 0 ? bright : dark;
  }

  Size size_;
  rectify::Lens lens_;
  std::vector<matrix::Vector3> rays_;
};

/// Means over squares of 2 radius + 1 pixels: a picture out of focus.
inline Image<std::uint8_t> blurred(const Image<std::uint8_t>& picture, int radius) {
  Image<std::uint8_t> soft(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      int sum = 0, count = 0;
      for (int v = std::max(0, y - radius); v <= std::min(picture.height() - 1, y + radius); ++v)
        for (int u = std::max(0, x - radius); u <= std::min(picture.width() - 1, x + radius); ++u, ++count)
          sum += picture(u, v);
      soft(x, y) = static_cast<std::uint8_t>(sum / count);
    }
  return soft;
}

}  // namespace vergence::test

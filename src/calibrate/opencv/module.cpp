// SPDX-License-Identifier: Apache-2.0
// The module's one function, and calibration by OpenCV.
#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/calib3d.hpp>
#include <opencv2/core/version.hpp>
#include <stdexcept>

#include "calibrate/opencv/find.hpp"
#include "calibrate/solver.hpp"

namespace vergence::calibrate {
namespace {

const cv::TermCriteria until_still(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 60, 1e-7);

int pinhole_flags(Lens lens) {
  return lens == Lens::pinhole4 ? cv::CALIB_FIX_K3 : lens == Lens::rational ? cv::CALIB_RATIONAL_MODEL : 0;
}

int fisheye_flags() { return cv::fisheye::CALIB_RECOMPUTE_EXTRINSIC | cv::fisheye::CALIB_FIX_SKEW; }

std::vector<cv::Point3f> board_points(const Corners& corners, const Board& board) {
  std::vector<cv::Point3f> points;
  for (const Corner& corner : corners)
    points.emplace_back(static_cast<float>(board.square_m * (corner.index % board.columns)),
                        static_cast<float>(board.square_m * (corner.index / board.columns)), 0.0F);
  return points;
}

std::vector<cv::Point2f> picture_points(const Corners& corners) {
  std::vector<cv::Point2f> points;
  for (const Corner& corner : corners) points.emplace_back(static_cast<float>(corner.x), static_cast<float>(corner.y));
  return points;
}

cv::Matx33d matrix_of(const Camera& camera) { return {camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1}; }

cv::Mat distortion_of(const Camera& camera, Lens lens) {
  const int count = lens == Lens::fisheye ? 4 : lens == Lens::rational ? 8 : 5;
  cv::Mat values(count, 1, CV_64F);
  for (int i = 0; i < count; ++i) values.at<double>(i) = camera.distortion[static_cast<std::size_t>(i)];
  return values;
}

Camera camera_of(const cv::Matx33d& matrix, const cv::Mat& distortion, Size size, Lens lens) {
  Camera camera;
  camera.size = size;
  camera.fx = matrix(0, 0);
  camera.fy = matrix(1, 1);
  camera.cx = matrix(0, 2);
  camera.cy = matrix(1, 2);
  camera.model = lens == Lens::fisheye ? LensModel::fisheye : LensModel::pinhole;
  const auto count = std::min<std::size_t>(distortion.total(), camera.distortion.size());
  for (std::size_t i = 0; i < count; ++i) camera.distortion[i] = distortion.at<double>(static_cast<int>(i));
  return camera;
}

Pose pose_of(const cv::Mat& rotation, const cv::Mat& translation) {
  cv::Matx33d matrix;
  cv::Rodrigues(rotation, matrix);
  Pose pose;
  std::copy_n(matrix.val, 9, pose.rotation.begin());
  for (int i = 0; i < 3; ++i) pose.translation[static_cast<std::size_t>(i)] = translation.at<double>(i);
  return pose;
}

/// Points of all views, on the board and in the picture.
struct ViewPoints {
  std::vector<std::vector<cv::Point3f>> objects;
  std::vector<std::vector<cv::Point2f>> places;
};

void take_poses(const std::vector<cv::Mat>& rotations, const std::vector<cv::Mat>& translations, CameraFit& fit) {
  for (std::size_t i = 0; i < rotations.size(); ++i) fit.poses.push_back(pose_of(rotations[i], translations[i]));
}

/// `bare`: the focal length and the middle alone.
CameraFit fit_pinhole(const ViewPoints& points, Size size, Lens lens, const Camera* start, bool bare = false) {
  cv::Matx33d matrix = start == nullptr ? cv::Matx33d::eye() : matrix_of(*start);
  cv::Mat distortion, deviations, rest, errors;
  if (start != nullptr) distortion = distortion_of(*start, lens);
  int flags = pinhole_flags(lens) | (start == nullptr ? 0 : cv::CALIB_USE_INTRINSIC_GUESS);
  if (bare) flags |= cv::CALIB_ZERO_TANGENT_DIST | cv::CALIB_FIX_K1 | cv::CALIB_FIX_K2 | cv::CALIB_FIX_K3;
  std::vector<cv::Mat> rotations, translations;
  CameraFit fit;
  fit.rms_px = cv::calibrateCamera(points.objects, points.places, {size.width, size.height}, matrix, distortion,
                                   rotations, translations, deviations, rest, errors, flags, until_still);
  fit.focal_deviation = deviations.at<double>(0) / matrix(0, 0);
  fit.camera = camera_of(matrix, distortion, size, lens);
  take_poses(rotations, translations, fit);
  return fit;
}

CameraFit fit_fisheye_from(const ViewPoints& points, Size size, const Camera* start) {
  cv::Matx33d matrix = start == nullptr ? cv::Matx33d::eye() : matrix_of(*start);
  cv::Mat distortion = start == nullptr ? cv::Mat::zeros(4, 1, CV_64F) : distortion_of(*start, Lens::fisheye);
  std::vector<cv::Mat> rotations, translations;
  CameraFit fit;
  fit.rms_px = cv::fisheye::calibrate(
      points.objects, points.places, {size.width, size.height}, matrix, distortion, rotations, translations,
      fisheye_flags() | (start == nullptr ? 0 : cv::fisheye::CALIB_USE_INTRINSIC_GUESS), until_still);
  fit.camera = camera_of(matrix, distortion, size, Lens::fisheye);
  take_poses(rotations, translations, fit);
  return fit;
}

/// Without a start: from OpenCV's first guess, 180 degrees over the picture's longer side, and from the focal length of
/// a pinhole, because each alone ends nowhere with lenses of the other kind. The better one counts.
CameraFit fit_fisheye(const ViewPoints& points, Size size, const Camera* start) {
  if (start != nullptr) return fit_fisheye_from(points, size, start);
  std::vector<CameraFit> fits;
  std::string reason;
  const auto attempt = [&](const auto& work) {
    try {
      const CameraFit fit = work();
      if (std::isfinite(fit.rms_px)) fits.push_back(fit);
    } catch (const cv::Exception& error) {
      reason = error.err;
    }
  };
  attempt([&] { return fit_fisheye_from(points, size, nullptr); });
  attempt([&] {
    const CameraFit plain = fit_pinhole(points, size, Lens::pinhole4, nullptr, true);
    return fit_fisheye_from(points, size, &plain.camera);
  });
  if (fits.empty()) throw std::runtime_error(reason);
  const auto better = [](const CameraFit& a, const CameraFit& b) { return a.rms_px < b.rms_px; };
  return *std::min_element(fits.begin(), fits.end(), better);
}

/// cv::fisheye::stereoCalibrate refuses views that differ in their number of points: those with fewer get their first
/// ones once more.
template <class Point>
void fill_up(std::vector<std::vector<Point>>& views) {
  std::size_t most = 0;
  for (const std::vector<Point>& view : views) most = std::max(most, view.size());
  for (std::vector<Point>& view : views)
    for (std::size_t i = 0; view.size() < most; ++i) view.push_back(view[i]);
}

/// Whether cv::fisheye::stereoCalibrate found corners more than 50 px from where they should be: it has no other way to
/// say so than a failed assertion.
bool is_apart(const cv::Exception& error) { return error.err.find("abs_max < threshold") != std::string::npos; }

/// What OpenCV throws, in its own words but in one line.
template <class Work>
auto in_few_words(Work work) {
  try {
    return work();
  } catch (const cv::Exception& error) {
    throw std::runtime_error(error.err.empty() ? std::string("OpenCV failed") : error.err);
  }
}

class OpenCvSolver final : public Solver {
 public:
  std::string name() const override { return "OpenCV " CV_VERSION; }
  bool reads_charuco() const override { return has_charuco(); }

  Corners find(ImageView<const std::uint8_t> picture, const Board& board, Effort effort) override {
    return in_few_words([&] {
      const cv::Mat view(picture.height(), picture.width(), CV_8U, const_cast<std::uint8_t*>(picture.data()),
                         static_cast<std::size_t>(picture.stride()));
      return board.kind == Board::Kind::charuco ? find_charuco(view, board) : find_chessboard(view, board, effort);
    });
  }

  CameraFit fit_camera(const std::vector<Corners>& views, const Board& board, Size size, Lens lens,
                       const Camera* start) override {
    return in_few_words([&] {
      ViewPoints points;
      for (const Corners& view : views) {
        points.objects.push_back(board_points(view, board));
        points.places.push_back(picture_points(view));
      }
      return lens == Lens::fisheye ? fit_fisheye(points, size, start) : fit_pinhole(points, size, lens, start);
    });
  }

  PairFit fit_pair(const std::vector<PairCorners>& views, const Board& board, const Camera& left, const Camera& right,
                   Lens lens, bool refine) override {
    return in_few_words([&] {
      std::vector<std::vector<cv::Point3f>> objects;
      std::vector<std::vector<cv::Point2f>> left_places, right_places;
      for (const PairCorners& view : views) {
        objects.push_back(board_points(view.left, board));
        left_places.push_back(picture_points(view.left));
        right_places.push_back(picture_points(view.right));
      }
      const cv::Size picture(left.size.width, left.size.height);
      cv::Matx33d matrix_left = matrix_of(left), matrix_right = matrix_of(right);
      cv::Mat lens_left = distortion_of(left, lens), lens_right = distortion_of(right, lens), rotation, translation;
      PairFit fit;
      if (lens == Lens::fisheye) {
        fill_up(objects);
        fill_up(left_places);
        fill_up(right_places);
        const int flags =
            refine ? fisheye_flags() | cv::fisheye::CALIB_USE_INTRINSIC_GUESS : cv::fisheye::CALIB_FIX_INTRINSIC;
        try {
          fit.rms_px =
              cv::fisheye::stereoCalibrate(objects, left_places, right_places, matrix_left, lens_left, matrix_right,
                                           lens_right, picture, rotation, translation, flags, until_still);
        } catch (const cv::Exception& error) {
          if (!is_apart(error)) throw;
          fit.rms_px = std::numeric_limits<double>::infinity();
          return fit;
        }
      } else {
        cv::Mat essential, fundamental;
        const int flags = refine ? cv::CALIB_USE_INTRINSIC_GUESS : cv::CALIB_FIX_INTRINSIC;
        fit.rms_px = cv::stereoCalibrate(objects, left_places, right_places, matrix_left, lens_left, matrix_right,
                                         lens_right, picture, rotation, translation, essential, fundamental,
                                         flags | pinhole_flags(lens), until_still);
      }
      fit.rig.left = camera_of(matrix_left, lens_left, left.size, lens);
      fit.rig.right = camera_of(matrix_right, lens_right, right.size, lens);
      for (int i = 0; i < 9; ++i) fit.rig.rotation[static_cast<std::size_t>(i)] = rotation.at<double>(i / 3, i % 3);
      for (int i = 0; i < 3; ++i) fit.rig.translation[static_cast<std::size_t>(i)] = translation.at<double>(i);
      return fit;
    });
  }
};

}  // namespace
}  // namespace vergence::calibrate

extern "C" __attribute__((visibility("default"))) vergence::calibrate::Solver* vergence_calibrate_solver(int version) {
  if (version != vergence::calibrate::solver_version) return nullptr;
  return new vergence::calibrate::OpenCvSolver;
}

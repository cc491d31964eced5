// SPDX-License-Identifier: Apache-2.0
// Finds a chessboard, and its corners to a fraction of a pixel.
#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "calibrate/opencv/find.hpp"

namespace vergence::calibrate {
namespace {

/// On a picture of at most so many px of width or height: a board's squares need no more, and it takes time.
constexpr int longest_side = 1600;

std::vector<cv::Point2f> find_squares(const cv::Mat& picture, const Board& board, Effort effort) {
  std::vector<cv::Point2f> found;
  const cv::Size size(board.columns, board.rows);
  const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE;
  const bool is_quick = effort == Effort::quick;
  if (effort != Effort::sole &&
      cv::findChessboardCorners(picture, size, found, flags | (is_quick ? cv::CALIB_CB_FAST_CHECK : 0)))
    return found;
  if (!is_quick && cv::findChessboardCornersSB(picture, size, found, cv::CALIB_CB_NORMALIZE_IMAGE)) return found;
  return {};
}

double distance_of(cv::Point2f a, cv::Point2f b) { return std::hypot(double{a.x} - b.x, double{a.y} - b.y); }

/// To the nearest corner beside it.
double spacing_at(const std::vector<cv::Point2f>& corners, const Board& board, int index) {
  const int column = index % board.columns, row = index / board.columns;
  const auto to = [&](int other) {
    return distance_of(corners[static_cast<std::size_t>(index)], corners[static_cast<std::size_t>(other)]);
  };
  double least = 1e9;
  if (column > 0) least = std::min(least, to(index - 1));
  if (column + 1 < board.columns) least = std::min(least, to(index + 1));
  if (row > 0) least = std::min(least, to(index - board.columns));
  if (row + 1 < board.rows) least = std::min(least, to(index + board.columns));
  return least;
}

}  // namespace

Corners find_chessboard(const cv::Mat& picture, const Board& board, Effort effort) {
  const double scale = std::min(1.0, static_cast<double>(longest_side) / std::max(picture.cols, picture.rows));
  std::vector<cv::Point2f> places;
  if (scale < 1) {
    cv::Mat small;
    cv::resize(picture, small, {}, scale, scale, cv::INTER_AREA);
    places = find_squares(small, board, effort);
    for (cv::Point2f& place : places) {
      place.x = static_cast<float>((place.x + 0.5) / scale - 0.5);
      place.y = static_cast<float>((place.y + 0.5) / scale - 0.5);
    }
  } else {
    places = find_squares(picture, board, effort);
  }
  Corners corners;
  for (int i = 0; i < static_cast<int>(places.size()); ++i) {
    // A window that never reaches a neighbour's edges: 0.3 of the way. Larger ones gave twice the error, smaller ones
    // a tenth more, with the chessboard pictures of OpenCV.
    const int half = std::clamp(static_cast<int>(0.3 * spacing_at(places, board, i)), 2, 20);
    std::vector<cv::Point2f> one{places[static_cast<std::size_t>(i)]};
    cv::cornerSubPix(picture, one, {half, half}, {-1, -1},
                     {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 100, 1e-4});
    corners.push_back({i, one[0].x, one[0].y});
  }
  return corners;
}

}  // namespace vergence::calibrate

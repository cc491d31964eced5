// SPDX-License-Identifier: Apache-2.0
// Finds a ChArUco board: by OpenCV's module aruco up to 4.6, by objdetect from 4.7 on.
#include <algorithm>
#include <map>
#include <opencv2/core/version.hpp>
#include <stdexcept>

#include "calibrate/opencv/find.hpp"

#ifdef VERGENCE_CHARUCO
#define VERGENCE_CHARUCO_NEW (CV_VERSION_MAJOR > 4 || CV_VERSION_MINOR >= 7)
#define VERGENCE_CHARUCO_LEGACY (CV_VERSION_MAJOR > 4 || CV_VERSION_MINOR >= 8)
#if VERGENCE_CHARUCO_NEW
#include <opencv2/objdetect/charuco_detector.hpp>
#else
#include <opencv2/aruco/charuco.hpp>
#endif
#endif

namespace vergence::calibrate {

#ifdef VERGENCE_CHARUCO
namespace {

int dictionary_named(const std::string& name) {
  using namespace cv::aruco;
  static const std::map<std::string, int> names{{"4X4_50", DICT_4X4_50},
                                                {"4X4_100", DICT_4X4_100},
                                                {"4X4_250", DICT_4X4_250},
                                                {"4X4_1000", DICT_4X4_1000},
                                                {"5X5_50", DICT_5X5_50},
                                                {"5X5_100", DICT_5X5_100},
                                                {"5X5_250", DICT_5X5_250},
                                                {"5X5_1000", DICT_5X5_1000},
                                                {"6X6_50", DICT_6X6_50},
                                                {"6X6_100", DICT_6X6_100},
                                                {"6X6_250", DICT_6X6_250},
                                                {"6X6_1000", DICT_6X6_1000},
                                                {"7X7_50", DICT_7X7_50},
                                                {"7X7_100", DICT_7X7_100},
                                                {"7X7_250", DICT_7X7_250},
                                                {"7X7_1000", DICT_7X7_1000},
                                                {"ARUCO_ORIGINAL", DICT_ARUCO_ORIGINAL}};
  const auto found = names.find(name);
  if (found == names.end()) throw std::runtime_error("OpenCV has no dictionary of markers called " + name);
  return found->second;
}

#if VERGENCE_CHARUCO_NEW
void detect(const cv::Mat& picture, const Board& board, std::vector<cv::Point2f>& places, std::vector<int>& indices) {
  const cv::aruco::Dictionary dictionary = cv::aruco::getPredefinedDictionary(dictionary_named(board.dictionary));
  // Boards of an even number of rows of squares were printed another way before OpenCV 4.6.
  for (const bool legacy : {false, true}) {
    cv::aruco::CharucoBoard printed({board.columns + 1, board.rows + 1}, static_cast<float>(board.square_m),
                                    static_cast<float>(board.marker_m), dictionary);
#if VERGENCE_CHARUCO_LEGACY
    printed.setLegacyPattern(legacy);
#else
    if (legacy) return;
#endif
    const cv::aruco::CharucoDetector detector(printed);
    detector.detectBoard(picture, places, indices);
    if (!indices.empty()) return;
  }
}
#else
void detect(const cv::Mat& picture, const Board& board, std::vector<cv::Point2f>& places, std::vector<int>& indices) {
  const auto dictionary = cv::aruco::getPredefinedDictionary(dictionary_named(board.dictionary));
  const auto printed =
      cv::aruco::CharucoBoard::create(board.columns + 1, board.rows + 1, static_cast<float>(board.square_m),
                                      static_cast<float>(board.marker_m), dictionary);
  std::vector<std::vector<cv::Point2f> > markers, rejected;
  std::vector<int> names;
  cv::aruco::detectMarkers(picture, dictionary, markers, names, cv::aruco::DetectorParameters::create(), rejected);
  if (names.empty()) return;
  cv::aruco::interpolateCornersCharuco(markers, names, picture, printed, places, indices);
}
#endif

}  // namespace

bool has_charuco() { return true; }

Corners find_charuco(const cv::Mat& picture, const Board& board) {
  std::vector<cv::Point2f> places;
  std::vector<int> indices;
  detect(picture, board, places, indices);
  Corners corners;
  for (std::size_t i = 0; i < indices.size(); ++i) corners.push_back({indices[i], places[i].x, places[i].y});
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) { return a.index < b.index; });
  return corners;
}
#else
bool has_charuco() { return false; }

Corners find_charuco(const cv::Mat&, const Board&) { throw std::runtime_error("built without ChArUco"); }
#endif

}  // namespace vergence::calibrate

// SPDX-License-Identifier: Apache-2.0
// Lucas-Kanade beside OpenCV's, with equal settings and points: errors against known flow, survival, and the points of
// another tracker.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>
#include <string>
#include <vector>

#include "interop/opencv.hpp"
#include "track/track_pictures.hpp"
#ifdef VERGENCE_TEST_IO
#include "vergence/io.hpp"
#endif
#include "vergence/track.hpp"

namespace vergence {
namespace {

struct Settings {
  int window = 21;
  int levels = 3;
  int iterations = 30;
  double epsilon = 0.01;
  double min_eigen = 1e-4;
};

/// One point as both found it; errors in px against the truth.
struct Answers {
  std::vector<TrackedPoint> ours;
  std::vector<cv::Point2f> theirs;
  std::vector<unsigned char> their_status;
};

Answers track(Image<std::uint8_t>& previous, Image<std::uint8_t>& current, const std::vector<cv::Point2f>& points,
              const Settings& settings) {
  TrackOptions options = test::unchecked();
  options.window = settings.window;
  options.levels = settings.levels;
  options.iterations = settings.iterations;
  options.epsilon = settings.epsilon;
  options.min_eigen = settings.min_eigen;
  PointFlow flow(Device("reference"), previous.size(), options);
  flow.push(previous);
  flow.push(current);
  std::vector<TrackPosition> positions;
  for (const cv::Point2f& point : points) positions.push_back(to_position(point.x, point.y));
  Answers answers;
  answers.ours.resize(points.size());
  flow.track(positions, answers.ours);
  std::vector<float> errors;
  cv::calcOpticalFlowPyrLK(test::mat(previous), test::mat(current), points, answers.theirs, answers.their_status,
                           errors, {settings.window, settings.window}, settings.levels,
                           {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, settings.iterations, settings.epsilon}, 0,
                           settings.min_eigen);
  return answers;
}

double median(std::vector<double> values) {
  if (values.empty()) return 1e9;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

TEST(OpenCVTrackShift, IsFoundAsWell) {
  Image<std::uint8_t> previous = test::textured<std::uint8_t>({320, 240}, 0, 0);
  for (const cv::Point2d& shift : {cv::Point2d(3, -2), cv::Point2d(-0.5, 0.25), cv::Point2d(6.25, 5.5)}) {
    const double x = shift.x, y = shift.y;
    Image<std::uint8_t> current = test::textured<std::uint8_t>({320, 240}, -x, -y);
    std::vector<cv::Point2f> points;
    cv::goodFeaturesToTrack(test::mat(previous), points, 300, 0.01, 8);
    const Answers answers = track(previous, current, points, {});
    std::vector<double> ours, theirs;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto error = [&](double px, double py) { return std::hypot(px - points[i].x - x, py - points[i].y - y); };
      // Out are only points whose window of 21x21 sticks out of one of the frames: what lies beside a picture is not
      // what came in from there. (And OpenCV calls points found that have left the picture.)
      const auto is_whole = [](double px, double py) { return px >= 11 && py >= 11 && px <= 308 && py <= 228; };
      if (!is_whole(points[i].x, points[i].y) || !is_whole(points[i].x + x, points[i].y + y)) continue;
      ASSERT_EQ(answers.ours[i].status, TrackStatus::tracked) << i;
      ASSERT_NE(answers.their_status[i], 0) << i;
      ours.push_back(
          error(position_to_pixels(answers.ours[i].position.x), position_to_pixels(answers.ours[i].position.y)));
      theirs.push_back(error(double{answers.theirs[i].x}, double{answers.theirs[i].y}));
    }
    ASSERT_GT(ours.size(), 200u);
    EXPECT_LE(median(ours), median(theirs) + 0.001) << x << "," << y;
    if (x == 3) {
      EXPECT_LT(*std::max_element(ours.begin(), ours.end()), 0.01);
    }
  }
}

#ifdef VERGENCE_TEST_IO
std::string data(const std::string& name) { return std::filesystem::path(VERGENCE_TEST_DATA) / name; }

TEST(OpenCVTrack, RubberwhaleErrorsAndSurvival) {
  if (!std::filesystem::exists(data("flow/rubberwhale/flow10.flo")))
    GTEST_SKIP() << "no frames with known flow at " << data("flow/rubberwhale");
  Image<std::uint8_t> previous = read_grey(data("flow/rubberwhale/frame10.png")).u8;
  Image<std::uint8_t> current = read_grey(data("flow/rubberwhale/frame11.png")).u8;
  const Image<FlowVector> truth = read_flo(data("flow/rubberwhale/flow10.flo"));
  std::vector<cv::Point2f> points;
  cv::goodFeaturesToTrack(test::mat(previous), points, 2000, 0.001, 4);
  ASSERT_GT(points.size(), 500u);
  for (const int window : {7, 9, 15, 21, 31}) {
    Settings settings;
    settings.window = window;
    const Answers answers = track(previous, current, points, settings);
    std::vector<double> our_errors, their_errors;
    int ours = 0, theirs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const FlowVector flow = truth(static_cast<int>(points[i].x), static_cast<int>(points[i].y));
      if (!(std::abs(flow.u) < 1e9f)) continue;
      const auto error = [&](double x, double y) {
        return std::hypot(x - points[i].x - double{flow.u}, y - points[i].y - double{flow.v});
      };
      if (answers.ours[i].status == TrackStatus::tracked) {
        ++ours;
        our_errors.push_back(
            error(position_to_pixels(answers.ours[i].position.x), position_to_pixels(answers.ours[i].position.y)));
      }
      if (answers.their_status[i] != 0) {
        ++theirs;
        their_errors.push_back(error(double{answers.theirs[i].x}, double{answers.theirs[i].y}));
      }
    }
    EXPECT_LE(median(our_errors), median(their_errors) + 0.005) << window;
    EXPECT_GE(ours, 0.995 * theirs) << window;
  }
}

TEST(OpenCVTrack, TheReferencePointsOfOpenVX) {
  if (!std::filesystem::exists(data("tracking/openvx_pyrlk/frame0.png")))
    GTEST_SKIP() << "no reference points at " << data("tracking/openvx_pyrlk");
  Image<std::uint8_t> previous = read_grey(data("tracking/openvx_pyrlk/frame0.png")).u8;
  Image<std::uint8_t> current = read_grey(data("tracking/openvx_pyrlk/frame1.png")).u8;
  for (const int window : {5, 9}) {
    const std::string name =
        "tracking/openvx_pyrlk/reference_pyrlk_" + std::to_string(window) + "x" + std::to_string(window) + ".txt";
    std::ifstream file(data(name));
    std::vector<cv::Point2f> points, answers;
    std::vector<int> status;
    int index = 0, found = 0;
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    while (file >> index >> found >> x0 >> y0 >> x1 >> y1) {
      points.emplace_back(x0, y0);
      answers.emplace_back(x1, y1);
      status.push_back(found);
    }
    ASSERT_EQ(points.size(), 78u) << name;
    const Settings settings{window, 3, 20, 0.03, 0.001};
    const Answers got = track(previous, current, points, settings);
    std::vector<double> distances;
    int lost = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (status[i] == 0) continue;
      if (got.ours[i].status != TrackStatus::tracked) {
        ++lost;
        continue;
      }
      distances.push_back(std::hypot(position_to_pixels(got.ours[i].position.x) - double{answers[i].x},
                                     position_to_pixels(got.ours[i].position.y) - double{answers[i].y}));
    }
    EXPECT_LE(median(distances), 0.02) << window;
    EXPECT_LE(lost, 2) << window;
  }
}
#endif

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Rectification beside OpenCV's: rotations and projections of stereoRectify and fisheye::stereoRectify, and maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "plan/rectify/plan.hpp"
#include "vergence/rectify.hpp"

namespace vergence {
namespace {

cv::Mat matrix_of(const Camera& c) { return (cv::Mat_<double>(3, 3) << c.fx, 0, c.cx, 0, c.fy, c.cy, 0, 0, 1); }
cv::Mat coefficients_of(const Camera& c) {
  return cv::Mat(c.model == LensModel::fisheye ? 4 : 14, 1, CV_64F, const_cast<double*>(c.distortion.data())).clone();
}
cv::Mat of(const Matrix3x3& m) { return cv::Mat(3, 3, CV_64F, const_cast<double*>(m.data())).clone(); }

/// Cameras that look a little past each other. `vertical`: the second one stands below the first.
StereoRig turned_rig(bool vertical, const std::array<double, 14>& distortion, LensModel model = LensModel::pinhole) {
  StereoRig rig;
  rig.left = {{640, 480}, 531.25, 529.5, 322.5, 238.75, model, distortion};
  rig.right = {{640, 480}, 536.5, 535.25, 317.25, 243.5, model, distortion};
  cv::Mat turn;
  cv::Rodrigues(cv::Vec3d(0.01, -0.03, 0.02), turn);
  std::copy_n(turn.ptr<double>(), 9, rig.rotation.begin());
  rig.translation = {-0.12, 0.003, 0.005};
  if (vertical) rig.translation = {0.002, -0.09, 0.004};
  return rig;
}

struct Peer {
  cv::Mat r1, r2, p1, p2, q;
  cv::Rect roi1, roi2;
};
Peer peer_of(const StereoRig& rig, double alpha, cv::Size size = {}) {
  Peer peer;
  const cv::Size source(rig.left.size.width, rig.left.size.height);
  const cv::Vec3d t(rig.translation.data());
  if (rig.left.model == LensModel::fisheye)
    cv::fisheye::stereoRectify(matrix_of(rig.left), coefficients_of(rig.left), matrix_of(rig.right),
                               coefficients_of(rig.right), source, of(rig.rotation), t, peer.r1, peer.r2, peer.p1,
                               peer.p2, peer.q, cv::CALIB_ZERO_DISPARITY, size, std::max(alpha, 0.0), 1);
  else
    cv::stereoRectify(matrix_of(rig.left), coefficients_of(rig.left), matrix_of(rig.right), coefficients_of(rig.right),
                      source, of(rig.rotation), t, peer.r1, peer.r2, peer.p1, peer.p2, peer.q, cv::CALIB_ZERO_DISPARITY,
                      alpha, size, &peer.roi1, &peer.roi2);
  return peer;
}

template <std::size_t count>
void expect_close(const cv::Mat& wanted, const std::array<double, count>& got, double relative, const char* what) {
  ASSERT_EQ(wanted.total(), count) << what;
  const double scale = cv::norm(wanted, cv::NORM_INF);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_NEAR(wanted.ptr<double>()[i], got[i], relative * scale) << what << "[" << i << "]";
}

void expect_like_opencv(const StereoRig& rig, double alpha, double relative, Size size = {}) {
  const Peer peer = peer_of(rig, alpha, {size.width, size.height});
  const RectifiedRig got = rectify_rig(rig, {alpha, 0, size});
  expect_close(peer.r1, got.projections.r1, 1e-6, "R1");
  expect_close(peer.r2, got.projections.r2, 1e-6, "R2");
  expect_close(peer.p1, got.projections.p1, relative, "P1");
  expect_close(peer.p2, got.projections.p2, relative, "P2");
}

constexpr std::array<double, 14> none{};
constexpr std::array<double, 14> barrel{-0.06, 0.01, 0.0008, -0.0005, 0.002};
constexpr std::array<double, 14> prism{0.02,  0.01,  0.0005, -0.0004, 0.001,   0.03,
                                       0.002, 0.001, 0.0006, -0.0001, -0.0005, 0.0002};

TEST(OpenCVRectify, ProjectionsOfPinholes) {
  for (const bool vertical : {false, true})
    for (const auto& distortion : {none, barrel, prism}) {
      SCOPED_TRACE(vertical ? "vertical" : "horizontal");
      expect_like_opencv(turned_rig(vertical, distortion), -1, 1e-6);
    }
}

TEST(OpenCVRectify, ProjectionsOfAnotherSize) { expect_like_opencv(turned_rig(false, barrel), -1, 1e-6, {800, 600}); }

TEST(OpenCVRectify, ProjectionsOfATiltedSensor) {
  std::array<double, 14> tilted = barrel;
  tilted[12] = 0.02;
  tilted[13] = -0.015;
  expect_like_opencv(turned_rig(false, tilted), -1, 1e-6);
}

TEST(OpenCVRectify, AlphaScalesFocalLengths) {
  for (const bool vertical : {false, true})
    for (const double alpha : {0.0, 0.25, 1.0}) {
      SCOPED_TRACE(alpha);
      expect_like_opencv(turned_rig(vertical, barrel), alpha, 1e-3);
    }
}

/// With fx = fy: up to 4.6, OpenCV corrects the mean's x, not its y, by fx / fy.
TEST(OpenCVRectify, ProjectionsOfFisheyes) {
  StereoRig rig = turned_rig(false, {-0.03, 0.008, -0.004, 0.001}, LensModel::fisheye);
  rig.left.fy = rig.left.fx;
  rig.right.fy = rig.right.fx;
  expect_like_opencv(rig, 0, 1e-6);
  expect_like_opencv(rig, 0.5, 1e-6);
  expect_like_opencv(rig, 1, 1e-6, {512, 400});
}

/// Our maps beside those of OpenCV in double for our projections: half of 1/1024 px and what its floats round.
void expect_maps_like_opencv(const StereoRig& rig, double alpha) {
  const RectifyPlan plan = make_rectify_plan(rig, {alpha, 0, {}});
  const RigRectification& to = plan.rig.projections;
  const cv::Size size(to.size.width, to.size.height);
  cv::Mat x, y;
  const cv::Mat projection = of(rectify::square_part(to.p1));
  if (rig.left.model == LensModel::fisheye)
    cv::fisheye::initUndistortRectifyMap(matrix_of(rig.left), coefficients_of(rig.left), of(to.r1), projection, size,
                                         CV_32FC1, x, y);
  else
    cv::initUndistortRectifyMap(matrix_of(rig.left), coefficients_of(rig.left), of(to.r1), projection, size, CV_32FC1,
                                x, y);
  double worst = 0;
  int with_source = 0, differing = 0;
  for (int v = 0; v < size.height; ++v)
    for (int u = 0; u < size.width; ++u) {
      const double px = x.at<float>(v, u), py = y.at<float>(v, u);
      const bool inside = px >= 0 && py >= 0 && px <= rig.left.size.width - 1 && py <= rig.left.size.height - 1;
      const bool ours = plan.left.x(u, v) >= 0;
      if (inside != ours) ++differing;
      if (!ours) continue;
      ++with_source;
      worst = std::max({worst, std::abs(plan.left.x(u, v) / 1024.0 - px), std::abs(plan.left.y(u, v) / 1024.0 - py)});
    }
  EXPECT_LE(worst, 1 / 2048.0 + 1e-4);
  EXPECT_GT(with_source, size.area() / 2);
  EXPECT_LE(differing, 16);  // within half of 1/1024 px of the border
}

TEST(OpenCVRectify, MapsAgree) {
  std::array<double, 14> tilted = prism;
  tilted[12] = 0.02;
  tilted[13] = -0.015;
  for (const auto& distortion : {none, barrel, prism, tilted})
    expect_maps_like_opencv(turned_rig(false, distortion), 1);
  expect_maps_like_opencv(turned_rig(true, barrel), 0);
  expect_maps_like_opencv(turned_rig(false, {-0.03, 0.008, -0.004, 0.001}, LensModel::fisheye), 0);
}

TEST(OpenCVRectify, Alpha0LeavesNoPixelWithoutSource) {
  const RectifyPlan plan = make_rectify_plan(turned_rig(false, barrel), {0, 0, {}});
  EXPECT_GE(plan.rig.valid.width, 638);
  EXPECT_GE(plan.rig.valid.height, 478);
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Calibration files beside OpenCV's own FileStorage: each reads what the other one writes, to the bit.
#include <gtest/gtest.h>

#include <array>
#include <opencv2/core.hpp>
#include <string>

#include "io/file_support.hpp"
#include "vergence/rig_io.hpp"

namespace vergence {
namespace {

StereoRig rig_with_all_bits() {
  StereoRig rig;
  rig.left = {
      {640, 480}, 531.0 / 1.1, 532.0 / 1.1, 1000.0 / 3, 700.0 / 3, LensModel::pinhole, {-0.1 / 3, 0.2 / 3, 1e-5 / 3}};
  rig.right = {
      {640, 480}, 541.0 / 1.1, 542.0 / 1.1, 1001.0 / 3, 701.0 / 3, LensModel::pinhole, {1.0 / 3, 2.0 / 7, 3e-7 / 7}};
  rig.right.distortion[7] = -1e-9 / 3;
  rig.rotation = {0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
  rig.translation = {-0.25 / 3, 1e-4 / 3, -1e-5 / 7};
  return rig;
}

template <std::size_t count>
void expect_same(const cv::FileStorage& storage, const char* name, const std::array<double, count>& wanted,
                 int used = static_cast<int>(count)) {
  cv::Mat matrix;
  storage[name] >> matrix;
  ASSERT_EQ(matrix.type(), CV_64F) << name;
  ASSERT_EQ(static_cast<int>(matrix.total()), used) << name;
  for (int i = 0; i < used; ++i)
    EXPECT_EQ(matrix.at<double>(i / matrix.cols, i % matrix.cols), wanted[static_cast<std::size_t>(i)]) << name << i;
}

class OpenCVRig : public testing::TestWithParam<const char*> {};

TEST_P(OpenCVRig, ReadsOurFiles) {
  const test::TemporaryDirectory directory;
  const StereoRig rig = rig_with_all_bits();
  const std::string path = directory / (std::string("rig.") + GetParam());
  const std::string format = std::string("opencv-") + (GetParam() == std::string("yml") ? "yaml" : GetParam());
  write_rig({path}, rig, rig_format_named(format).value());
  const cv::FileStorage storage(path, cv::FileStorage::READ);
  ASSERT_TRUE(storage.isOpened());
  EXPECT_EQ(static_cast<int>(storage["image_width"]), 640);
  expect_same(storage, "M1", std::array<double, 9>{rig.left.fx, 0, rig.left.cx, 0, rig.left.fy, rig.left.cy, 0, 0, 1});
  expect_same(storage, "D1", rig.left.distortion, 5);
  expect_same(storage, "D2", rig.right.distortion, 8);
  expect_same(storage, "R", rig.rotation);
  expect_same(storage, "T", rig.translation);
}

TEST_P(OpenCVRig, IsReadByUs) {
  const test::TemporaryDirectory directory;
  const StereoRig rig = rig_with_all_bits();
  const std::string path = directory / (std::string("rig.") + GetParam());
  const auto matrix = [](const Camera& c) { return cv::Mat(cv::Matx33d(c.fx, 0, c.cx, 0, c.fy, c.cy, 0, 0, 1)); };
  const auto lens = [](Camera c) { return cv::Mat(1, 8, CV_64F, c.distortion.data()).clone(); };
  {
    cv::FileStorage storage(path, cv::FileStorage::WRITE);
    storage << "image_size" << cv::Size(640, 480);
    storage << "M1" << matrix(rig.left) << "D1" << lens(rig.left) << "M2" << matrix(rig.right) << "D2"
            << lens(rig.right);
    StereoRig copy = rig;
    storage << "R" << cv::Mat(3, 3, CV_64F, copy.rotation.data());
    storage << "T" << cv::Mat(3, 1, CV_64F, copy.translation.data());
  }
  EXPECT_EQ(read_rig({path}).rig, rig);
}

INSTANTIATE_TEST_SUITE_P(Forms, OpenCVRig, testing::Values("yml", "xml", "json"));

}  // namespace
}  // namespace vergence

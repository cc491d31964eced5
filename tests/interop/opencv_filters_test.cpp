// SPDX-License-Identifier: Apache-2.0
// The filters where their meaning coincides with OpenCV's: the speckle filter everywhere (cv::filterSpeckles), the
// median on maps without holes and away from the border, where OpenCV repeats the edge (cv::medianBlur).
#include <gtest/gtest.h>

#include <algorithm>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

#include "interop/opencv.hpp"
#include "synth/scene.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

constexpr Size size{161, 121};

const synth::SceneFrame& scene() {
  static const synth::SceneFrame frame = [] {
    synth::SceneOptions options;
    options.size = size;
    options.samples = 1;
    options.noise_sigma = 6;
    options.max_disparity = 30;
    return synth::Scene(options).render(0);
  }();
  return frame;
}

Image<std::int16_t> compute(StereoOptions options) {
  options.disparities = 32;
  Image<std::int16_t> map(size);
  StereoMatcher(Device("cpu"), size, options).compute({scene().left, scene().right}, {.disparity = map});
  return map;
}

int count_differences(const Image<std::int16_t>& a, const Image<std::int16_t>& b, int margin) {
  int different = 0;
  for (int y = margin; y < a.height() - margin; ++y)
    for (int x = margin; x < a.width() - margin; ++x) different += a(x, y) != b(x, y) ? 1 : 0;
  return different;
}

TEST(OpenCVFilters, FindTheSpeckles) {
  StereoOptions options;
  options.window = {5, 5};
  options.speckle_size = 0;
  const Image<std::int16_t> raw = compute(options);
  int removed = 0;
  for (const int largest : {1, 7, 50, 400, 100000})
    for (const int range : {0, 3, 16, 32}) {
      options.speckle_size = largest;
      options.speckle_range = range;
      const Image<std::int16_t> filtered = compute(options);
      Image<std::int16_t> expected = raw.clone();
      cv::Mat out = test::mat(expected);
      cv::filterSpeckles(out, -16, largest, range);
      EXPECT_EQ(count_differences(filtered, expected, 0), 0) << "size " << largest << ", range " << range;
      if (largest < 100000) removed = std::max(removed, count_differences(filtered, raw, 0));
    }
  EXPECT_GT(removed, 100);  // else nothing was filtered
}

TEST(OpenCVFilters, FindTheMediansOfMapsWithoutHoles) {
  StereoOptions options;
  options.window = {5, 5};
  options.reject_ties = false;  // which makes holes
  options.left_right = -1;
  options.speckle_size = 0;
  Image<std::int16_t> raw = compute(options);
  for (const int window : {3, 5}) {
    options.median = window;
    const Image<std::int16_t> filtered = compute(options);
    Image<std::int16_t> expected(size, 0);
    cv::Mat out = test::mat(expected);
    cv::medianBlur(test::mat(raw), out, window);
    EXPECT_EQ(count_differences(filtered, expected, window / 2), 0) << "window " << window;
    EXPECT_GT(count_differences(filtered, raw, 0), 100);
  }
}

}  // namespace
}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// OpenCV's matchers with the settings that Vergence's options mean, and where both promise the same values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <opencv2/calib3d.hpp>
#include <opencv2/core.hpp>

#include "vergence/image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::bench {

/// Vergence's pixels as OpenCV sees them; OpenCV's headers know no constness.
inline cv::Mat mat(const Image<std::uint8_t>& picture) {
  return {picture.height(), picture.width(), CV_8UC1, const_cast<std::uint8_t*>(picture.data()),
          static_cast<std::size_t>(picture.stride())};
}
inline cv::Mat mat(Image<std::int16_t>& map) {
  return {map.height(), map.width(), CV_16SC1, map.data(), static_cast<std::size_t>(map.stride())};
}

/// StereoBM with the options of the preset opencv-bm or a variation of it.
inline cv::Ptr<cv::StereoBM> block_matcher(const StereoOptions& options) {
  const cv::Ptr<cv::StereoBM> matcher = cv::StereoBM::create(options.disparities, options.window.width);
  matcher->setMinDisparity(options.min_disparity);
  matcher->setPreFilterType(cv::StereoBM::PREFILTER_XSOBEL);
  matcher->setPreFilterCap(options.prefilter_cap);
  matcher->setTextureThreshold(options.texture_threshold);
  matcher->setUniquenessRatio(options.uniqueness_ratio);
  matcher->setDisp12MaxDiff(options.left_right);
  matcher->setSpeckleWindowSize(options.speckle_size);
  matcher->setSpeckleRange(options.speckle_range / 16);
  return matcher;
}

/// StereoSGBM with the penalties that its documentation gives for one channel.
inline cv::Ptr<cv::StereoSGBM> semi_global_matcher(const StereoOptions& options, int mode) {
  const int area = options.window.width * options.window.height;
  return cv::StereoSGBM::create(options.min_disparity, options.disparities, options.window.width, 8 * area, 32 * area,
                                options.left_right, options.prefilter_cap, options.uniqueness_ratio,
                                options.speckle_size, options.speckle_range / 16, mode);
}

/// Where all candidates and their windows lie inside both pictures: there StereoBM and opencv-bm agree.
inline Rect defined(const StereoOptions& options, Size size) {
  const int rx = options.window.width / 2, ry = options.window.height / 2;
  const int first = std::max(options.min_disparity + options.disparities - 1, 0) + rx;
  const int end = size.width + std::min(options.min_disparity, 0) - rx;
  return {first, ry, end - first, size.height - 2 * ry};
}

/// Number of pixels of `where` in which two maps differ.
inline int differences(const Image<std::int16_t>& a, const Image<std::int16_t>& b, const Rect& where) {
  int count = 0;
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x) count += a(x, y) != b(x, y) ? 1 : 0;
  return count;
}

}  // namespace vergence::bench

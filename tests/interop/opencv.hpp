// SPDX-License-Identifier: Apache-2.0
// Vergence's pictures as OpenCV sees them: headers, nothing is copied.
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>

#include "vergence/image.hpp"

namespace vergence::test {

inline cv::Mat mat(Image<std::uint8_t>& picture) {
  return {picture.height(), picture.width(), CV_8UC1, picture.data(), static_cast<std::size_t>(picture.stride())};
}
inline cv::Mat mat(Image<std::int16_t>& map) {
  return {map.height(), map.width(), CV_16SC1, map.data(), static_cast<std::size_t>(map.stride())};
}

}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// Disparity maps in the units of their users: pixels and metres.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/check_views.hpp"
#include "vergence/error.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
void convert_to_pixels(ImageView<const T> disparity, int invalid, ImageView<float> pixels) {
  check_view("the disparity map", disparity, disparity.size());
  check_view("the pixel map", pixels, disparity.size());
  for (int y = 0; y < disparity.height(); ++y)
    for (int x = 0; x < disparity.width(); ++x) {
      // Through double: a 32-bit disparity has more bits than a float, and one rounding is enough.
      const T value = disparity(x, y);
      pixels(x, y) = value == invalid ? infinity : static_cast<float>(static_cast<double>(value) / 16.0);
    }
}

void check_positive(const char* what, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw Error(ErrorCode::invalid_argument, fmt::format("{} is {}: it must be a number above 0", what, value), what);
}

}  // namespace

void disparity_to_pixels(ImageView<const std::int16_t> disparity, int invalid, ImageView<float> pixels) {
  convert_to_pixels(disparity, invalid, pixels);
}
void disparity_to_pixels(ImageView<const std::int32_t> disparity, int invalid, ImageView<float> pixels) {
  convert_to_pixels(disparity, invalid, pixels);
}

void pixels_to_depth(ImageView<const float> pixels, double focal_px, double baseline_m, double offset_px,
                     ImageView<float> metres) {
  check_positive("focal_px", focal_px);
  check_positive("baseline_m", baseline_m);
  if (!std::isfinite(offset_px))
    throw Error(ErrorCode::invalid_argument, fmt::format("offset_px is {}: it must be a finite number", offset_px),
                "offset_px");
  check_view("the pixel map", pixels, pixels.size());
  check_view("the depth map", metres, pixels.size());
  for (int y = 0; y < pixels.height(); ++y)
    for (int x = 0; x < pixels.width(); ++x) {
      const double denominator = static_cast<double>(pixels(x, y)) + offset_px;
      const bool known = denominator > 0 && std::isfinite(denominator);
      metres(x, y) = known ? static_cast<float>(focal_px * baseline_m / denominator) : infinity;
    }
}

void depth_deviation(ImageView<const float> metres, double focal_px, double baseline_m, double error_px,
                     ImageView<float> deviation) {
  check_positive("focal_px", focal_px);
  check_positive("baseline_m", baseline_m);
  check_positive("error_px", error_px);
  check_view("the depth map", metres, metres.size());
  check_view("the map of deviations", deviation, metres.size());
  const double share = error_px / (focal_px * baseline_m);
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) {
      const double depth = metres(x, y);
      deviation(x, y) = depth > 0 && std::isfinite(depth) ? static_cast<float>(depth * depth * share) : infinity;
    }
}

}  // namespace vergence

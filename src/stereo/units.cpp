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

}  // namespace

void disparity_to_pixels(ImageView<const std::int16_t> disparity, int invalid, ImageView<float> pixels) {
  convert_to_pixels(disparity, invalid, pixels);
}
void disparity_to_pixels(ImageView<const std::int32_t> disparity, int invalid, ImageView<float> pixels) {
  convert_to_pixels(disparity, invalid, pixels);
}

void pixels_to_depth(ImageView<const float> pixels, double focal_px, double baseline_m, double offset_px,
                     ImageView<float> metres) {
  const auto check_positive = [](const char* what, double value) {
    if (!(value > 0 && std::isfinite(value)))
      throw Error(ErrorCode::invalid_argument, fmt::format("{} is {}: it must be a number above 0", what, value), what);
  };
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

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// The coloured map: a perceptually uniform scale with fixed limits, patterns for pixels that were not measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/legend.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

// A path through OKLab (B. Ottosson, 2020) in steps of equal length, so that equal differences of a number look equally
// large. For t = 0..1: lightness 0.20 + 0.75 t, hue 275 + 185 t degrees (blue, purple, red, orange, yellow), chroma
// 0.02 + 0.16 sin(pi (0.06 + 0.82 t)), which stays within sRGB. The test computes the table anew from these formulas.
constexpr std::array<Rgb, 33> scale_points = {{
    {16, 19, 44},    {23, 23, 56},    {32, 25, 67},    {42, 28, 78},    {53, 30, 87},    {65, 31, 96},   {77, 33, 103},
    {90, 34, 108},   {103, 35, 113},  {117, 36, 115},  {130, 38, 117},  {143, 39, 117},  {156, 42, 116}, {169, 45, 113},
    {181, 49, 110},  {192, 55, 106},  {203, 61, 101},  {213, 69, 96},   {222, 78, 90},   {230, 87, 84},  {237, 98, 78},
    {243, 109, 73},  {247, 121, 69},  {250, 133, 68},  {253, 145, 69},  {254, 158, 74},  {255, 171, 82}, {254, 183, 94},
    {253, 196, 108}, {252, 208, 124}, {251, 219, 141}, {250, 230, 160}, {250, 241, 179},
}};

constexpr Rgb paper{255, 255, 255};
constexpr std::uint8_t filled = 2;  // in the matcher's mask

void require_limits(const ColourOptions& options) {
  constexpr double most = 1e9;
  const bool sane =
      std::abs(options.low) <= most && std::abs(options.high) <= most && options.high - options.low >= 1e-6;
  if (!sane)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("colour limits {} and {} are not allowed: give low < high within +-1e9", options.low,
                            options.high));
}

// `value_at(x, y)` gives the number, NaN where invalid.
template <class ValueAt>
Image<Rgb> colour(Size size, const ColourOptions& options, ValueAt value_at) {
  require_limits(options);
  if (size.width < 1 || size.height < 1)
    throw Error(ErrorCode::invalid_argument, "the map to be coloured is empty: give at least 1x1 values");
  if (!options.mask.empty() && options.mask.size() != size)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("mask is {}x{} but the map is {}x{}: give a mask of the same size", options.mask.width(),
                            options.mask.height(), size.width, size.height));
  io::Legend legend(size.width, options);
  Image<Rgb> picture =
      options.legend ? Image<Rgb>(std::max(size.width, legend.least_width()), size.height + legend.height(), paper)
                     : Image<Rgb>(size);
  const double range = options.high - options.low;
  const double slack = 1e-6 * range;  // a float's rounding is no number beyond the limits
  io::MapContent content;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double value = value_at(x, y);
      if (!std::isfinite(value)) {
        picture(x, y) = io::invalid_colour(x, y);
        content.invalid = true;
        continue;
      }
      content.below = content.below || value < options.low - slack;
      content.above = content.above || value > options.high + slack;
      const Rgb found = scale_colour((value - options.low) / range);
      const bool guessed = !options.mask.empty() && options.mask(x, y) == filled;
      content.filled = content.filled || guessed;
      picture(x, y) = guessed ? io::filled_colour(found, x, y) : found;
    }
  if (options.legend) legend.draw(picture, size.height, content);
  return picture;
}

template <class T>
Image<Rgb> colour_sixteenths(ImageView<const T> disparity, int invalid, ColourOptions options) {
  if (options.unit.empty()) options.unit = "px";
  if (options.name.empty()) options.name = "disparity";
  return colour(disparity.size(), options, [&](int x, int y) {
    const T value = disparity(x, y);
    return value == invalid ? std::nan("") : value / 16.0;
  });
}

}  // namespace

Rgb scale_colour(double position) {
  constexpr int last = static_cast<int>(scale_points.size()) - 1;
  const double at = std::clamp(std::isnan(position) ? 0.0 : position, 0.0, 1.0) * last;
  const int index = std::min(static_cast<int>(at), last - 1);
  const double part = at - index;
  const Rgb a = scale_points[static_cast<std::size_t>(index)];
  const Rgb b = scale_points[static_cast<std::size_t>(index) + 1];
  const auto mix = [part](int from, int to) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
  };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

Image<Rgb> colour_map(ImageView<const std::int16_t> disparity, int invalid, const ColourOptions& options) {
  return colour_sixteenths(disparity, invalid, options);
}
Image<Rgb> colour_map(ImageView<const std::int32_t> disparity, int invalid, const ColourOptions& options) {
  return colour_sixteenths(disparity, invalid, options);
}
Image<Rgb> colour_map(ImageView<const float> map, const ColourOptions& options) {
  return colour(map.size(), options, [&](int x, int y) { return static_cast<double>(map(x, y)); });
}

}  // namespace vergence

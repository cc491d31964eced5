// SPDX-License-Identifier: Apache-2.0
// The coloured map: a perceptually uniform scale with fixed limits, hatching for invalid pixels, and a legend.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "io/legend_font.hpp"
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
constexpr Rgb ink{0, 0, 0};
constexpr Rgb hatch_dark{96, 96, 96};
constexpr Rgb hatch_light{144, 144, 144};
constexpr int least_legend_width = 220;

constexpr int filled_width = 60;    // what the legend needs more where it has filled pixels
constexpr std::uint8_t filled = 2;  // in the matcher's mask

Rgb hatch(int x, int y) { return (x + y) / 4 % 2 == 0 ? hatch_dark : hatch_light; }

// A filled pixel's colour: pale, with stripes across those of invalid pixels. x - y is made positive first, so that the
// stripes go on below the diagonal.
Rgb pale(const Rgb& colour, int x, int y) {
  const int white = (static_cast<unsigned>(x) - static_cast<unsigned>(y)) % 8 < 3 ? 6 : 3;  // eighths
  const auto mix = [white](int value) {
    return static_cast<std::uint8_t>((value * (8 - white) + 255 * white + 4) / 8);
  };
  return {mix(colour.r), mix(colour.g), mix(colour.b)};
}

void require_limits(const ColourOptions& options) {
  constexpr double most = 1e9;
  const bool sane =
      std::abs(options.low) <= most && std::abs(options.high) <= most && options.high - options.low >= 1e-6;
  if (!sane)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("colour limits {} and {} are not allowed: give low < high within +-1e9", options.low,
                            options.high));
}

// Draws the legend: all lengths grow with the picture, so that the numbers stay readable when it is shown small.
class Legend {
 public:
  Legend(int map_width, const ColourOptions& options) : options_(options), unit_(std::max(1, map_width / 640)) {}

  int height() const { return 36 * unit_; }
  int least_width() const { return (least_legend_width + (has_filled() ? filled_width : 0)) * unit_; }

  void draw(Image<Rgb>& picture, int top) {
    const int swatch = picture.width() - 64 * unit_;
    bar_x_ = 12 * unit_;
    const int second = swatch - (has_filled() ? filled_width * unit_ : 0);
    bar_width_ = second - 16 * unit_ - bar_x_;
    bar_y_ = top + 8 * unit_;
    for (int y = bar_y_; y < bar_y_ + 12 * unit_; ++y) {
      for (int x = 0; x < bar_width_; ++x)
        picture(bar_x_ + x, y) = scale_colour(static_cast<double>(x) / std::max(1, bar_width_ - 1));
      for (int x = swatch; options_.invalid && x < swatch + 12 * unit_; ++x) picture(x, y) = hatch(x, y);
      for (int x = second; has_filled() && x < second + 12 * unit_; ++x) picture(x, y) = pale(scale_colour(0.5), x, y);
    }
    if (has_filled()) draw_text(picture, "filled", second + 16 * unit_, bar_y_ + 3 * unit_);
    if (options_.invalid) draw_text(picture, "invalid", swatch + 16 * unit_, bar_y_ + 3 * unit_);
    draw_ticks(picture);
  }

 private:
  bool has_filled() const { return !options_.mask.empty(); }
  static int text_width(std::string_view text) { return static_cast<int>(text.size()) * 6 - 1; }

  void draw_text(Image<Rgb>& picture, std::string_view text, int left, int top) const {
    for (const char c : text) {
      const io::Glyph& glyph = io::glyph(c);
      for (int y = 0; y < 7 * unit_; ++y)
        for (int x = 0; x < 5 * unit_; ++x) {
          const bool set = (glyph[static_cast<std::size_t>(y / unit_)] >> (4 - x / unit_) & 1) != 0;
          if (set && left + x >= 0 && left + x < picture.width()) picture(left + x, top + y) = ink;
        }
      left += 6 * unit_;
    }
  }

  // Numbers at the smallest step of 1, 2 or 5 times a power of ten whose numbers do not touch.
  void draw_ticks(Image<Rgb>& picture) const {
    const double range = options_.high - options_.low;
    for (int power = -7; power <= 9; ++power)
      for (const int factor : {1, 2, 5}) {
        const double step = factor * std::pow(10.0, power);
        const int decimals = std::max(0, -power);
        const auto number = [decimals](double value) { return fmt::format("{:.{}f}", value, decimals); };
        const int widest = std::max(text_width(number(options_.low)), text_width(number(options_.high)));
        if (bar_width_ * step / range < (widest + 12) * unit_) continue;
        const auto first = static_cast<std::int64_t>(std::ceil(options_.low / step - 1e-9));
        const auto last = static_cast<std::int64_t>(std::floor(options_.high / step + 1e-9));
        int end = bar_x_;
        for (std::int64_t k = first; k <= last; ++k) {
          const double value = static_cast<double>(k) * step;
          end = draw_tick(picture, value, number(value));
        }
        // The unit belongs to the last number: "60 px".
        const int most = picture.width() - (1 + text_width(options_.unit)) * unit_;
        draw_text(picture, options_.unit, std::min(end + 6 * unit_, most), bar_y_ + 17 * unit_);
        return;
      }
  }

  // Returns where the number ends.
  int draw_tick(Image<Rgb>& picture, double value, const std::string& text) const {
    const double position = (value - options_.low) / (options_.high - options_.low);
    const int x = bar_x_ + static_cast<int>(std::lround(position * (bar_width_ - 1)));
    for (int y = bar_y_ + 12 * unit_; y < bar_y_ + 15 * unit_; ++y)
      for (int i = 0; i < unit_; ++i) picture(std::min(x + i, picture.width() - 1), y) = ink;
    const int left = std::max(unit_, x + unit_ / 2 - text_width(text) * unit_ / 2);
    draw_text(picture, text, left, bar_y_ + 17 * unit_);
    return left + text_width(text) * unit_;
  }

  const ColourOptions& options_;
  int unit_;
  int bar_x_ = 0;
  int bar_y_ = 0;
  int bar_width_ = 0;
};

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
  Legend legend(size.width, options);
  Image<Rgb> picture =
      options.legend ? Image<Rgb>(std::max(size.width, legend.least_width()), size.height + legend.height(), paper)
                     : Image<Rgb>(size);
  const double range = options.high - options.low;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double value = value_at(x, y);
      picture(x, y) = std::isfinite(value) ? scale_colour((value - options.low) / range) : hatch(x, y);
      const bool pale_here = !options.mask.empty() && options.mask(x, y) == filled && std::isfinite(value);
      if (pale_here) picture(x, y) = pale(picture(x, y), x, y);
    }
  if (options.legend) legend.draw(picture, size.height);
  return picture;
}

template <class T>
Image<Rgb> colour_sixteenths(ImageView<const T> disparity, int invalid, ColourOptions options) {
  if (options.unit.empty()) options.unit = "px";
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

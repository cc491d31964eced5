// SPDX-License-Identifier: Apache-2.0
// Seeded stereo inputs: sizes and settings that reach every branch of the specification, and pictures that provoke
// ties, worst-case sums and every border rule.
#include "verify/stereo_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.hpp"

namespace vergence {
namespace {

int odd_within(Random& random, int low, int high) {
  const int value = random.within(low, high);
  return value % 2 == 1 ? value : std::max(low, value - 1);
}

/// Mostly small, often odd, at times the largest.
int make_side(Random& random, int largest) {
  const int small = std::min(largest, 20);
  switch (random.within(0, 7)) {
    case 0:
      return random.within(1, std::min(largest, 3));
    case 1:
      return largest;
    case 2:
    case 3:
      return odd_within(random, 1, largest);
    case 4:
      return random.within(1, largest);
    default:
      return odd_within(random, 1, small);
  }
}

/// Half of all windows are small; 63 keeps the largest cost, 16-bit SSD, within what the plan accepts.
Size make_window(Random& random, Size size) {
  const int width = std::min(size.width, random.once_in(16) ? 63 : random.once_in(2) ? 7 : 31);
  const int height = std::min(size.height, random.once_in(16) ? 63 : random.once_in(2) ? 7 : 31);
  if (random.once_in(4)) {
    const int side = odd_within(random, 1, std::min(width, height));
    return {side, side};
  }
  return {odd_within(random, 1, width), odd_within(random, 1, height)};
}

/// Mostly near zero, so that candidates exist; at times so far away that hardly any, or none, lies inside; rarely
/// beyond the 16-bit map.
int make_min_disparity(Random& random, int width) {
  if (random.once_in(2)) return 0;
  if (random.once_in(64)) return random.once_in(2) ? random.within(2000, 5000) : random.within(-5000, -2000);
  if (random.once_in(8)) return random.within(-2 * width, 2 * width);
  return random.within(-std::min(width, 12), std::min(width / 2, 6));
}

/// Thresholds: half of them off.
void make_rejections(Random& random, StereoOptions& options) {
  if (random.once_in(2)) options.uniqueness_ratio = random.once_in(8) ? random.within(1, 1000) : random.within(1, 40);
  if (random.once_in(2)) {
    const int taps = std::max(1, options.window.width * options.window.height);
    options.texture_threshold = random.within(1, taps * std::min(options.prefilter_cap, 40));
  }
  options.reject_ties = !random.once_in(3);
  options.left_right = -1;
  if (options.outside != StereoOutside::skip || random.once_in(3)) return;
  options.left_right_unit = random.once_in(3) ? StereoCheckUnit::grey : StereoCheckUnit::pixels;
  if (options.left_right_unit == StereoCheckUnit::grey)
    options.left_right = random.within(0, 255);
  else
    options.left_right = random.once_in(8) ? random.within(0, 70) : random.within(0, 3);
}

void make_filters(Random& random, Size size, StereoOptions& options) {
  options.speckle_size = 0;
  if (random.once_in(2)) options.speckle_size = random.once_in(8) ? size.width * size.height : random.within(1, 60);
  options.speckle_range = random.once_in(8) ? random.within(0, 65535) : random.within(0, 40);
  options.median = 2 * random.within(0, 2) + 1;
  if (options.median == 1) options.median = 0;
  options.fill = static_cast<StereoFill>(random.within(0, 4));
  if (options.fill == StereoFill::mean_all && options.min_disparity > 0) options.fill = StereoFill::mean;
  options.fill_window = random.once_in(16) ? 255 : odd_within(random, 3, 15);
}

void make_depth(Random& random, StereoOptions& options) {
  constexpr int usual[] = {65535, 65535, 4095, 1023, 255};
  if (!random.once_in(4)) return;
  options.depth = Depth::u16;
  options.max_value = random.once_in(4) ? random.within(1, 65535) : usual[random.within(0, 4)];
}

/// Semi-global matching, mostly of small windows; penalties that reach costs along paths of 8, 16 and 32 bits.
void make_paths(Random& random, StereoOptions& options) {
  constexpr int numbers[] = {2, 4, 5, 8};
  options.aggregate = StereoAggregate::sgm;
  options.paths = numbers[random.within(0, 3)];
  if (random.once_in(2)) options.window = random.once_in(2) ? Size{1, 1} : Size{0, 0};
  // Squares of 16-bit pixels would not fit the sums.
  if (options.cost == StereoCost::ssd && options.depth == Depth::u16) {
    options.window = {1, 1};
    options.max_value = std::min(options.max_value, 4095);
  }
  if (random.once_in(2)) {
    options.p1 = random.once_in(4) ? random.within(1, 100000) : random.within(1, 60);
    options.p2 = options.p1 + (random.once_in(4) ? random.within(1, 100000) : random.within(1, 130));
  }
  if (random.once_in(3)) options.p2_slope = random.once_in(4) ? random.within(1, 65535) : random.within(1, 600);
}

Rect make_region(Random& random, Size size) {
  Rect region;
  region.width = random.within(1, size.width);
  region.height = random.within(1, size.height);
  region.x = random.within(0, size.width - region.width);
  region.y = random.within(0, size.height - region.height);
  return region;
}

/// A new cost takes its place here, or no case has it.
constexpr StereoCost last_cost = StereoCost::census_symmetric_9x7;

StereoOptions make_options(Random& random, Size size) {
  StereoOptions options;
  options.cost = static_cast<StereoCost>(random.within(0, static_cast<int>(last_cost)));
  options.window = make_window(random, size);
  options.disparities = random.once_in(4) ? size.width : random.within(1, std::min(size.width, 70));
  options.min_disparity = make_min_disparity(random, size.width);
  options.reference = random.once_in(3) ? StereoView::right : StereoView::left;
  options.border = random.once_in(3) ? StereoBorder::invalid : StereoBorder::partial;
  options.outside = random.once_in(2) ? StereoOutside::skip : static_cast<StereoOutside>(random.within(0, 2));
  options.tie = random.once_in(3) ? StereoTie::highest : StereoTie::lowest;
  options.prefilter = random.once_in(2) ? StereoPrefilter::none : static_cast<StereoPrefilter>(random.within(1, 2));
  if (random.once_in(2)) options.prefilter_cap = random.within(1, 127);
  options.subpixel = !random.once_in(3);
  make_depth(random, options);
  if (random.once_in(3)) make_paths(random, options);
  make_rejections(random, options);
  make_filters(random, size, options);
  if (random.once_in(4)) options.roi = make_region(random, size);
  return options;
}

int largest_pixel(const StereoOptions& options) { return options.depth == Depth::u8 ? 255 : options.max_value; }

/// One pattern per kind; each provokes something of its own.
enum class Scenery {
  noise,         ///< every value
  few_levels,    ///< many equal costs
  flat,          ///< all costs equal: ties everywhere
  stripes,       ///< period shorter than the range: several perfect candidates
  gradient,      ///< saturates the x-Sobel, smooth costs
  extremes,      ///< 0 and the largest value: large sums
  opposite,      ///< one picture 0, the other the largest value: the largest sum of all
  shifted,       ///< a real match, exact
  shifted_noisy  ///< a real match with noise
};
constexpr int scenery_kinds = 9;

template <class P>
void paint(Random& random, Scenery scenery, int max_value, Image<P>& picture) {
  const int period = random.within(1, 9);
  const int base = random.within(0, max_value);
  const int step = std::max(1, max_value / std::max(1, picture.width() + picture.height()));
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      int value = random.within(0, max_value);
      if (scenery == Scenery::few_levels) value = value % 3 * (max_value / 2);
      if (scenery == Scenery::flat) value = base;
      if (scenery == Scenery::stripes) value = (x % period) * max_value / period;
      if (scenery == Scenery::gradient) value = std::min(max_value, (x + y) * step);
      if (scenery == Scenery::extremes) value = value % 2 == 0 ? 0 : max_value;
      picture(x, y) = static_cast<P>(value);
    }
}

/// The right picture of which `left` is the left one, with one disparity per band of rows, so that the map has steps.
template <class P>
void shift(Random& random, const StereoOptions& options, bool noisy, const Image<P>& left, Image<P>& right) {
  const int max_value = largest_pixel(options);
  int d = 0;
  for (int y = 0; y < left.height(); ++y) {
    if (y % 4 == 0) d = options.min_disparity + random.within(0, options.disparities - 1);
    for (int x = 0; x < left.width(); ++x) {
      int value = left(std::clamp(x + d, 0, left.width() - 1), y);
      if (noisy) value = std::clamp(value + random.within(-3, 3), 0, max_value);
      right(x, y) = static_cast<P>(value);
    }
  }
}

template <class P>
void make_pair(Random& random, const StereoOptions& options, Size size, Image<P>& left, Image<P>& right) {
  const int max_value = largest_pixel(options);
  const auto scenery = static_cast<Scenery>(random.within(0, scenery_kinds - 1));
  left = Image<P>(size);
  right = Image<P>(size);
  if (scenery == Scenery::opposite) {
    const bool bright_left = random.once_in(2);
    left.fill(static_cast<P>(bright_left ? max_value : 0));
    right.fill(static_cast<P>(bright_left ? 0 : max_value));
    return;
  }
  const bool shifted = scenery == Scenery::shifted || scenery == Scenery::shifted_noisy;
  paint(random, scenery, max_value, left);
  if (shifted)
    shift(random, options, scenery == Scenery::shifted_noisy, left, right);
  else
    paint(random, scenery, max_value, right);
}

}  // namespace

Image<std::uint8_t> make_source_mask(Random& random, Size size) {
  const bool holes = random.once_in(3);
  const int left = random.within(0, size.width / 4), right = random.within(0, size.width / 4);
  const int slope = random.within(-2, 2);
  Image<std::uint8_t> mask(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int moved = x + slope * (y - size.height / 2);
      const bool inside = moved >= left && moved < size.width - right;
      mask(x, y) = (holes ? !random.once_in(16) : inside) ? 1 : 0;
    }
  return mask;
}

StereoCase make_stereo_case(std::uint64_t seed, Size largest) {
  Random random(seed);
  StereoCase result;
  result.seed = seed;
  result.size = {make_side(random, largest.width), make_side(random, largest.height)};
  result.options = make_options(random, result.size);
  if (result.options.depth == Depth::u8)
    make_pair(random, result.options, result.size, result.left8, result.right8);
  else
    make_pair(random, result.options, result.size, result.left16, result.right16);
  if (random.once_in(4)) {
    result.left_mask = make_source_mask(random, result.size);
    result.right_mask = make_source_mask(random, result.size);
  }
  return result;
}

std::string describe(const StereoCase& stereo_case) {
  std::string text =
      fmt::format("seed {}, size {}x{}", stereo_case.seed, stereo_case.size.width, stereo_case.size.height);
  for (const Field& field : stereo_fields())
    text += fmt::format(", {} {}", field.name, stereo_get(stereo_case.options, field.name));
  if (!stereo_case.left_mask.empty()) text += ", with source masks";
  return text;
}

}  // namespace vergence

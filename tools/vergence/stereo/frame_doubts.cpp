// SPDX-License-Identifier: Apache-2.0
// What both pictures of a frame are doubted for.
#include "stereo/frame_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "cli/picture_watch.hpp"
#include "vergence/inspect.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence::cli {
namespace {

/// Standard deviation of the noise of some rows: a mask that straight edges and even slopes leave out. Source:
/// J. Immerkaer, "Fast noise variance estimation", Computer Vision and Image Understanding 64 (2), 1996, section 2.
template <class Pixel>
double noise_of(const Image<Pixel>& picture) {
  constexpr int apart = 8;                           // rows
  constexpr double of_mask = 1.2533141373155 / 6.0;  // the root of pi / 2; of the mask's weights
  std::int64_t sum = 0, count = 0;
  for (int y = 1; y + 1 < picture.height(); y += apart) {
    const Pixel *const above = picture.row(y - 1), *const row = picture.row(y), *const below = picture.row(y + 1);
    const auto across = [=](int x) { return above[x] - 2 * row[x] + below[x]; };
    for (int x = 1; x + 1 < picture.width(); ++x) sum += std::abs(across(x - 1) - 2 * across(x) + across(x + 1));
    count += picture.width() - 2;
  }
  return of_mask * static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(count, 1));
}
/// Of 255 grey levels.
double noise_of(const GreyPicture& picture, int max_value) {
  return (picture.depth == Depth::u8 ? noise_of(picture.u8) : noise_of(picture.u16)) * 255 / max_value;
}

template <class Disparity>
std::int64_t count_measured(const Image<Disparity>& map, const Image<std::uint8_t>& mask, int invalid,
                            const Rect& part) {
  std::int64_t count = 0;
  for (int y = part.y; y < part.y + part.height; ++y)
    for (int x = part.x; x < part.x + part.width; ++x)
      count += map(x, y) != invalid && (mask.empty() || mask(x, y) != filled_pixel) ? 1 : 0;
  return count;
}

struct Measured {
  std::int64_t pixels = 0, measured = 0;
  bool is_much() const { return pixels > 0 && 2 * measured >= pixels; }
  /// Of a whole picture, 2 %: a bar's inner edge alone, within a window of what lies beside it, may be as much.
  bool is_share_of(Size picture) const {
    constexpr int percent = 2;
    return 100 * measured >= std::int64_t{percent} * picture.width * picture.height;
  }
  double percent() const { return 100.0 * static_cast<double>(measured) / static_cast<double>(pixels); }
};
/// Of an area. Pixels outside `roi` are not measured.
Measured measured_in(const BareArea& area, const StereoMaps& maps, int invalid) {
  Measured sum;
  for (const Rect& part : area.parts) {
    sum.pixels += std::int64_t{part.width} * part.height;
    sum.measured += maps.wide ? count_measured(maps.wide_map, maps.mask, invalid, part)
                              : count_measured(maps.narrow, maps.mask, invalid, part);
  }
  return sum;
}

BareArea bars_of(const StereoFrame& frame) {
  if (frame.left.depth == Depth::u8)
    return inspect_bars(ImageView<const std::uint8_t>(frame.left.u8.view()),
                        ImageView<const std::uint8_t>(frame.right.u8.view()));
  return inspect_bars(ImageView<const std::uint16_t>(frame.left.u16.view()),
                      ImageView<const std::uint16_t>(frame.right.u16.view()));
}

BareArea bare_area_of(const StereoFrame& frame, const StereoOptions& options) {
  const bool left = options.reference == StereoView::left;
  const GreyPicture &reference = left ? frame.left : frame.right, &other = left ? frame.right : frame.left;
  if (reference.depth == Depth::u8)
    return inspect_bare_area(ImageView<const std::uint8_t>(reference.u8.view()),
                             ImageView<const std::uint8_t>(other.u8.view()));
  return inspect_bare_area(ImageView<const std::uint16_t>(reference.u16.view()),
                           ImageView<const std::uint16_t>(other.u16.view()), options.max_value);
}

constexpr int apart = 4;  // rows whose levels are looked at

/// Whether any pixel of these is above 127.
bool has_upper_bit(const Image<std::uint8_t>& picture) {
  for (int y = 0; y < picture.height(); y += apart)
    if (*std::max_element(picture.row(y), picture.row(y) + picture.width()) > 127) return true;
  return false;
}

/// Pixels of these rows in 16 steps of brightness, in shares of all.
constexpr std::size_t steps = 16;
using Levels = std::array<double, steps>;
Levels levels_of(const Image<std::uint8_t>& picture) {
  constexpr int bits = 4;
  std::array<std::int64_t, steps> counts{};
  std::int64_t all = 0;
  for (int y = 0; y < picture.height(); y += apart, all += picture.width())
    for (int x = 0; x < picture.width(); ++x) ++counts[static_cast<std::size_t>(picture(x, y) >> bits)];
  Levels levels{};
  for (std::size_t i = 0; i < steps; ++i)
    levels[i] = static_cast<double>(counts[i]) / static_cast<double>(std::max<std::int64_t>(all, 1));
  return levels;
}

/// Percent of `other` above half of its largest value, where `picture` looks like it without its upper bit; else 0. One
/// of half the exposure, or that is darker by some levels, has no such pixels either, but other shares of the others.
double lost_percent(const Levels& picture, const Levels& other) {
  constexpr std::size_t half = steps / 2;
  constexpr double least = 0.05, alike = 0.3, better = 2;
  double above = 0, there = 0, as_lost = 0, as_dark = 0;
  std::array<double, half> as_lower{};  // by so many steps
  for (std::size_t i = 0; i < half; ++i) {
    for (std::size_t lower = 1; lower < half; ++lower) as_lower[lower] += std::abs(picture[i] - other[i + lower]);
    there += picture[half + i];
    above += other[half + i];
    as_lost += std::abs(picture[i] - other[i] - other[half + i]);
    as_dark += std::abs(picture[i] - other[2 * i] - other[2 * i + 1]);
  }
  const double otherwise = std::min(as_dark, *std::min_element(as_lower.begin() + 1, as_lower.end()));
  return there == 0 && above >= least && as_lost <= alike && better * as_lost <= otherwise ? 100 * above : 0;
}

}  // namespace

std::string lost_bit_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  if (frame.left.depth != Depth::u8 || frame.right.depth != Depth::u8) return {};
  if (has_upper_bit(frame.left.u8) == has_upper_bit(frame.right.u8)) return {};  // sooner than by all levels
  const Levels a = levels_of(frame.left.u8), b = levels_of(frame.right.u8);
  const double of_left = lost_percent(a, b), of_right = lost_percent(b, a);
  if (of_left + of_right == 0) return {};
  return fmt::format(
      "{} has lost the upper bit of its pixels: none is above 127, as {:.0f} % of the other one's are, and darker ones "
      "are as many more: check the camera's link, and what copied the file (as text?)",
      of_left > 0 ? left : right, std::max(of_left, of_right));
}

std::string noise_warning(const StereoFrame& frame, const MapShares& shares, int max_value) {
  constexpr double most_measured = 0.5, noisy = 16;  // of 255 grey levels
  constexpr std::int64_t enough_pixels = 10000;
  if (shares.pixels < enough_pixels || shares.measured >= most_measured) return {};
  const double left = noise_of(frame.left, max_value), right = noise_of(frame.right, max_value);
  if (std::min(left, right) < noisy) return {};
  return fmt::format(
      "both pictures are noisy, by {:.0f} and {:.0f} of 255 grey levels (standard deviation), and only {:.2g} % of the "
      "pixels were measured, some of them by chance: give more light or a lower gain, the mean of some frames, or a "
      "larger --window",
      left, right, 100 * shares.measured);
}

namespace {

std::string interpolated_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  const int factor = inspect_bends(pair.left.view()).factor();
  if (factor == 1 || inspect_bends(pair.right.view()).factor() != factor) return {};
  const Size size = pair.left.view().size();
  return fmt::format(
      "{} and {} are enlarged {} times with interpolation: their slopes bend every {} px, where pixels were, and "
      "disparities are found in uneven steps: give both as before, in about {}x{} px",
      left, right, factor, factor, size.width / factor, size.height / factor);
}

}  // namespace

std::string enlarged_warning(const StereoFrame& frame, const PairBytes& bytes, const std::string& left,
                             const std::string& right) {
  constexpr Size none{1, 1}, of_h264{4, 4};
  const EnlargedFindings in_left = enlargement_of(frame.left), in_right = enlargement_of(frame.right);
  if (std::max(in_left.rows_percent, in_right.rows_percent) > 0)
    return fmt::format(
        "{} is enlarged without interpolation, about {:.3g} times: columns and rows of it repeat, so that disparities "
        "are found in uneven steps: give both pictures as their cameras took them",
        in_left.rows_percent > 0 ? left : right, enlargement_factor(in_left.rows_percent > 0 ? in_left : in_right));
  const Size of_left = in_left.block, of_right = in_right.block;
  if (of_left == none && of_right == none) return interpolated_warning(bytes, left, right);
  const Size block = of_left != none ? of_left : of_right;
  if ((of_left == of_h264 && in_left.compressed) || (of_right == of_h264 && in_right.compressed))
    return fmt::format(
        "{} is made of blocks of 4x4 px that are alike: it was compressed strongly, as H.264 does it, or enlarged and "
        "compressed since, and disparities are those of blocks: use what the camera gave, or a higher quality",
        of_left == of_h264 && in_left.compressed ? left : right);
  const std::string blocks = fmt::format("blocks of {}x{} px that are alike", block.width, block.height);
  if (of_left == of_right)
    return fmt::format(
        "{} and {} are enlarged without interpolation: they are made of {}, so that maps hold the disparities of "
        "blocks: give both as before, in {}x{} px",
        left, right, blocks, frame.left.width() / block.width, frame.left.height() / block.height);
  return fmt::format(
      "{} is enlarged without interpolation: it is made of {}, and the other one is not: give both as their cameras "
      "took them, or enlarge it with interpolation",
      of_left != none ? left : right, blocks);
}

std::string bare_warning(const StereoFrame& frame, const StereoOptions& options, const StereoMaps& maps, int invalid) {
  const BareArea bars = bars_of(frame);
  if (const Measured found = measured_in(bars, maps, invalid); found.is_much() || found.is_share_of(frame.left.size()))
    return fmt::format(
        "bars of one grey level lie at the edges of both pictures, where nothing can be matched, and {:.0f} % of their "
        "pixels have a disparity: crop the pictures, or give --roi {},{},{},{}",
        found.percent(), bars.bounds.x, bars.bounds.y, bars.bounds.width, bars.bounds.height);
  if (options.aggregate != StereoAggregate::sgm) return {};
  const BareArea area = bare_area_of(frame, options);
  const Measured found = measured_in(area, maps, invalid);
  if (!found.is_much()) return {};
  return fmt::format(
      "an area without texture gets the disparities of what surrounds it: {:.0f} % of the picture, within {}x{} px "
      "from ({}, {}) on, vary by no more than 2 of 255 grey levels in both pictures, and {:.0f} % of that have a "
      "disparity, carried there by semi-global matching: give --texture 10 or so to leave such areas out",
      100.0 * static_cast<double>(found.pixels) / (static_cast<double>(frame.left.width()) * frame.left.height()),
      area.bounds.width, area.bounds.height, area.bounds.x, area.bounds.y, found.percent());
}

std::string echo_warning(const PairBytes& pair, const std::string& left, const std::string& right) {
  const EchoFindings found = inspect_echo(pair.left.view(), pair.right.view());
  if (found.distance == 0) return {};
  return fmt::format(
      "{} holds itself once more, fainter, {} px along its rows (correlation of its steps {} % above the other one's): "
      "an echo of its cable, or a ghost of its lens, which matches with what it is not: check cable, termination and "
      "lens",
      found.in_right ? right : left, found.distance, found.percent);
}

}  // namespace vergence::cli

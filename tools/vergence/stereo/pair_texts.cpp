// SPDX-License-Identifier: Apache-2.0
// What is said of a doubtful pair: one line for each problem, with its cure.
#include "stereo/pair_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace vergence::cli {
namespace {

int percent(int part, int whole) { return whole > 0 ? (100 * part + whole / 2) / whole : 0; }

/// A range that holds what was seen, with some room, in steps of sixteen.
std::string cure_of_range(const PairFindings& found) {
  const int low = found.low >= 0 ? std::max(0, found.low - 2) : found.low - 2;
  const int count = (found.high + 3 - low + 15) / 16 * 16;
  return fmt::format("--min-disparity {} --disparities {}", low, count);
}

std::string brightness_text(const PairFindings& found, const std::string& seen, const StereoOptions& options) {
  if (found.found == 0)
    return fmt::format(
        "left and right differ in brightness: the right picture has {:.2g} times the contrast of the left one, and "
        "cost {} sees that: give both of one exposure and depth, or --preset quality",
        found.gain_percent / 100.0, stereo_get(options, "cost"));
  if (found.uneven)
    return fmt::format(
        "left and right differ in brightness, and by other amounts from place to place: {}, the right picture is "
        "{:.0f} .. {:.0f} grey levels brighter, and cost {} sees that: give --cost census-9x7, --prefilter xsobel or "
        "--preset quality, and check the light, the lenses and their filters",
        seen, found.lift_low / 16.0, found.lift_high / 16.0, stereo_get(options, "cost"));
  // Grey levels may differ although no gain and offset say how: haze, a stain, other noise, another camera.
  if (found.gain_percent >= 98 && found.gain_percent <= 102 && std::abs(found.offset) <= 2)
    return fmt::format(
        "left and right differ in grey levels: {}, by {:.1f} in the median, although neither is brighter as a whole, "
        "and cost {} sees that: check that both show one scene without noise or stains, or give --preset quality",
        seen, found.brightness_change / 16.0, stereo_get(options, "cost"));
  return fmt::format(
      "left and right differ in brightness: {}, grey levels of the right picture are {:.2f} times those of the "
      "left one {} {}, and cost {} sees that: give --cost census-9x7, --prefilter xsobel or --preset quality",
      seen, found.gain_percent / 100.0, found.offset < 0 ? "-" : "+", std::abs(found.offset),
      stereo_get(options, "cost"));
}

/// Rows that differ most at the corners, in opposite directions at opposite or neighbouring ones.
std::string corners_text(const PairFindings& found, const std::string& seen) {
  const bool twists = std::abs(found.row_twist) >= std::abs(found.row_bend);
  const int most = twists ? found.row_twist : found.row_bend;
  return fmt::format(
      "rows of left and right do not meet: {}, those at the corners lie {:.1f} px off, lower in the right picture at "
      "the {} corners, higher at the {} ones: {}",
      seen, std::abs(most) / 16.0,
      twists ? (most > 0 ? "upper left and lower right" : "upper right and lower left")
             : (most > 0 ? "lower" : "upper"),
      twists ? (most > 0 ? "upper right and lower left" : "upper left and lower right")
             : (most > 0 ? "upper" : "lower"),
      twists ? "one camera is turned towards the other one, or calibrated so: rectify the pair anew"
             : "a lens bends lines, or the focal lengths differ: undistort and rectify the pair");
}

std::string rows_text(const PairFindings& found, const std::string& seen) {
  if (const int lines = 2 * std::abs(found.row_shift) + std::max(std::abs(found.row_tilt), std::abs(found.row_growth));
      2 * std::max(std::abs(found.row_twist), std::abs(found.row_bend)) > lines)
    return corners_text(found, seen);
  const bool grows = std::abs(found.row_growth) > std::abs(found.row_tilt);
  const double slope = grows ? found.row_growth : found.row_tilt;
  return fmt::format(
      "rows of left and right do not meet: {}, those at the {} edge lie {:.1f} px lower in the right picture, those at "
      "the {} edge {:.1f} px: rectify the pair anew",
      seen, grows ? "upper" : "left", (found.row_shift - slope / 2) / 16, grows ? "lower" : "right",
      (found.row_shift + slope / 2) / 16);
}

std::string sharpness_text(const PairFindings& found) {
  const bool right = found.sharpness_percent < 100;
  const int percent_left = right ? found.sharpness_percent : 10'000 / found.sharpness_percent;
  if (found.by_rows)
    return fmt::format(
        "the {0} picture is blurred, or the {1} one noisy: beside steps over four pixels, those from pixel to pixel in "
        "the {0} one are {2} % of those in the {1} one: check the focus, and give pictures of one sharpness",
        right ? "right" : "left", right ? "left" : "right", percent_left);
  return fmt::format(
      "the {0} picture is blurred, or the {1} one noisy: of {2} sample points found in both pictures, steps from pixel "
      "to pixel in the {0} one are {3} % of those in the {1} one: check the focus, and disparities of fine texture",
      right ? "right" : "left", right ? "left" : "right", found.agreeing, percent_left);
}

std::string fields_text(const PairFindings& found) {
  const std::string what = found.field_shift > 0 ? fmt::format("lies {} px beside the others", found.field_shift)
                                                 : "is exchanged with the next one";
  return fmt::format(
      "every second row of the {} picture {}, at {} % of {} sample points: take pictures of a progressive camera, or "
      "deinterlace them",
      found.in_right ? "right" : "left", what, percent(found.found, found.points), found.points);
}

std::string cover_text(const PairFindings& found) {
  const Rect& part = found.part;
  return fmt::format(
      "a part of the {0} picture is not in the {1} one: {2} of {3} sample points in {4}x{5} px from ({6}, {7}) on are "
      "not found there, and {8} % of the others are: check what covers the lenses, and that both show one scene at one "
      "time",
      found.in_right ? "right" : "left", found.in_right ? "left" : "right", found.part_missing, found.part_points,
      part.width, part.height, part.x, part.y, found.rest_percent);
}

std::string mixed_text(const PairFindings& found) {
  return fmt::format(
      "left and right hold a part of each other: at {0} sample points, what is left once both matches are subtracted "
      "is what the pictures show at one place (correlation {1} %), as where {2} % of each picture are the other one: "
      "many points match twice, once at 0 px: check what mixes them, such as blended frames of a converted video, a "
      "splitter or a reflection, and give the pictures of each camera alone",
      found.mixed_points, found.mixed_correlation, found.mixed_percent);
}

std::string colours_text(const PairFindings& found) {
  return fmt::format(
      "left and right are of different colours, or of different light: {0} of {1} sample points are found in both "
      "pictures, and of these the right picture is brighter at some and darker at others, by {2:.0f} grey levels and "
      "more apart: give the same channel of both cameras, or pictures of one scene, time and light, and rectify them",
      found.found, found.close_points, found.level_spread / 16.0);
}

std::string not_rectified_text(const PairFindings& found, const std::string& seen) {
  return fmt::format(
      "the pair is not rectified: {}, {} % lie in another row ({} .. {} px lower in the right one): "
      "rectify it first",
      seen, percent(found.found - found.same_row, found.found), found.row_low, found.row_high);
}

std::string blocks_text(const PairFindings& found) {
  if (found.blocks_in_one)
    return fmt::format(
        "the {} picture was compressed more strongly than the {} one: steps between its blocks of 8x8 px are {:.1f} "
        "times those within, and what is finer is lost: save both alike, as JPEG of quality 75 and more or as PNG",
        found.in_right ? "right" : "left", found.in_right ? "left" : "right", found.block_percent / 100.0);
  return fmt::format(
      "both pictures show the blocks of strong compression: steps between blocks of 8x8 px are {:.1f} times those "
      "within, at the same places in both, and match there: save them with less of it, as JPEG of quality 75 and more "
      "or as PNG",
      found.block_percent / 100.0);
}

std::string columns_text(const PairFindings& found) {
  return fmt::format(
      "the {} picture has a pattern of columns that the {} one has not: columns differ from their neighbours by {:.1f} "
      "grey levels in the median, in its upper and lower half alike, as columns of a sensor do that are read by "
      "unequal amplifiers: subtract the mean of pictures of an even wall, or check the camera",
      found.in_right ? "right" : "left", found.in_right ? "left" : "right", found.column_deviation / 16.0);
}

std::string jitter_text(const PairFindings& found) {
  return fmt::format(
      "rows of one picture lie beside their neighbours, each by another number of px: of {} rows at sample points, {} "
      "% match beside the place of their point, by {:.1f} px in the mean, as analogue capture leaves them: give "
      "pictures of a digital camera, or capture them through a time base corrector",
      found.jitter_rows, found.jitter_percent, found.jitter / 16.0);
}

std::string blur_text(const PairFindings& found) {
  return fmt::format(
      "both pictures are blurred: steps over four pixels are {:.1f} times those from pixel to pixel in both, as where "
      "nothing finer than about four pixels is left, and sharp ones have 1.9 to 3.2: check the focus, and give "
      "enlarged pictures as they were before",
      found.smooth_percent / 100.0);
}

std::string repetition_text(const PairFindings& found) {
  return fmt::format(
      "texture repeats within the range: {} % of {} sample points match as well {} px away in the median, so that maps "
      "may hold either disparity: give a smaller range (--min-disparity, --disparities) where the scene allows it, a "
      "larger --window or --preset quality, and --uniqueness to leave out what stays ambiguous",
      found.repeated_percent, found.points, found.period);
}

}  // namespace

std::string painted_warning(const PaintedFindings& found) {
  if (found.cells == 0) return {};
  constexpr int cell = 8 * 8;
  const Rect& part = found.part;
  return fmt::format(
      "something is painted over both pictures, such as a logo, a caption or a dashboard: in {}x{} px from ({}, {}) "
      "on, {} % of the blocks of 8x8 px are the same bit for bit at the same place, and get disparity 0 or a wrong "
      "one: switch it off, or leave it out with --roi",
      part.width, part.height, part.x, part.y, percent(cell * found.cells, part.width * part.height));
}

std::string pair_warning(const PairFindings& found, const StereoOptions& options) {
  const std::string seen = fmt::format("of {} sample points found in both pictures", found.found);
  switch (found.problem) {
    case PairProblem::none:
      break;
    case PairProblem::same_picture:
      return "left and right are the same picture: give those of two cameras, and where frames are blended half and "
             "half, each one alone";
    case PairProblem::not_rectified:
      return not_rectified_text(found, seen);
    case PairProblem::exchanged:
      return fmt::format(
          "left and right seem to be exchanged: {}, {} % have negative disparities ({} .. {} px): "
          "exchange them, or turn both by 180 degrees where they are upside down, or, where the cameras converge, give "
          "{}",
          seen, percent(found.outside, found.found), found.low, found.high, cure_of_range(found));
    case PairProblem::range_low:
      return fmt::format(
          "min-disparity {} is too large: {}, {} % have lower disparities (all have {} .. {} px): give {}",
          options.min_disparity, seen, percent(found.outside, found.found), found.low, found.high,
          cure_of_range(found));
    case PairProblem::range_high:
      return fmt::format(
          "the disparities {} .. {} are too few: {}, {} % have larger ones (all have {} .. {} px): give {}",
          options.min_disparity, std::int64_t{options.min_disparity} + options.disparities - 1, seen,
          percent(found.outside, found.found), found.low, found.high, cure_of_range(found));
    case PairProblem::no_agreement:
      return fmt::format(
          "left and right hardly agree: {} of {} sample points are found in both: check that they show one "
          "scene at one time, both upright and of one size (zoom, focal length), and rectify them",
          found.found, found.close_points);
    case PairProblem::row_offset:
      return rows_text(found, seen);
    case PairProblem::exposure:
      return brightness_text(found, seen, options);
    case PairProblem::sharpness:
      return sharpness_text(found);
    case PairProblem::interlaced:
      return fields_text(found);
    case PairProblem::covered:
      return cover_text(found);
    case PairProblem::mixed:
      return mixed_text(found);
    case PairProblem::colours:
      return colours_text(found);
    case PairProblem::blocks:
      return blocks_text(found);
    case PairProblem::columns:
      return columns_text(found);
    case PairProblem::jitter:
      return jitter_text(found);
    case PairProblem::blurred:
      return blur_text(found);
    case PairProblem::repetition:
      return repetition_text(found);
  }
  return {};
}

}  // namespace vergence::cli

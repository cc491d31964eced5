// SPDX-License-Identifier: Apache-2.0
// What is said of a truth that is not that of its map.
#include "eval/truth_values.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace vergence::cli {

std::string truth_values_warning(const std::string& name, ImageView<const float> map, ImageView<const float> truth) {
  const TruthValues found = inspect_truth_values(map, truth);
  switch (found.problem) {
    case TruthValues::Problem::none:
      break;
    case TruthValues::Problem::unknown:
      return fmt::format(
          "truth {} is {:.6g} px at {:.1f} % of the pixels, where the map is elsewhere: if that means unknown, mark "
          "these by +infinity in .pfm and .npy of floats, or by 0 in .png",
          name, found.value, found.percent);
    case TruthValues::Problem::cut_off:
      return fmt::format(
          "truth {} seems to be cut off: {:.1f} % of its pixels have its largest number, {:.6g} px, and the map is "
          "above it there: give a truth that holds larger numbers (.pfm, 16-bit .png)",
          name, found.percent, found.value);
    case TruthValues::Problem::begins_again:
      return fmt::format(
          "truth {} seems to begin again at 0 beyond its largest number: it is {:.4g} px below the map at {:.1f} % of "
          "the pixels: give a truth that holds larger numbers (.pfm, 16-bit .png)",
          name, found.value, found.percent);
    case TruthValues::Problem::picture:
      return fmt::format(
          "truth {} seems to be a picture, not disparities: its numbers go up and down from pixel to pixel: check the "
          "file",
          name);
    case TruthValues::Problem::scattered:
      return fmt::format(
          "truth {} holds single numbers that stand more than 3 px apart from all four beside them, at {:.1f} % of the "
          "pixels: wrong numbers among right ones, at which any map counts as wrong: check what wrote or copied it",
          name, found.percent);
    case TruthValues::Problem::filled_part:
      return fmt::format(
          "truth {} is {:.6g} px throughout the rectangle {},{},{},{}, where the map is not, and does not end at its "
          "edges: a part that was filled: mark it as unknown (+infinity in .pfm, 0 in .png), or leave it out by --mask",
          name, found.value, found.part.x, found.part.y, found.part.width, found.part.height);
  }
  return {};
}

namespace {

std::string unit_warning(const std::string& name, const TruthFindings& found, double scale, bool scale_given) {
  const double truth = found.truth_median, map = found.map_median;
  // No truth holds fewer than 1 for a px, unless a scale makes it so.
  if (truth < map && !scale_given)
    return fmt::format(
        "the map has another unit than truth {}: its median is {:.4g} px, the truth's {:.4g} px: where it is in parts "
        "of a px, such as 1/16 in 16-bit maps of OpenCV, divide it by {:.3g} or so; where the truth is at fault, give "
        "--truth-scale {:.3g}",
        name, map, truth, map / truth, truth / map);
  return fmt::format(
      "truth {} has another unit than the map: its median is {:.4g} px, the map's {:.4g} px: give --truth-scale {:.3g} "
      "or so, or, where the map is at fault, multiply it by {:.3g}",
      name, truth, map, scale * truth / map, truth / map);
}

/// How it is turned, and the order of what.
std::array<const char*, 2> turned_words(TruthProblem problem) {
  if (problem == TruthProblem::mirrored) return {"mirrored", "columns"};
  if (problem == TruthProblem::turned) return {"turned by 180 degrees", "rows and columns"};
  return {"upside down", "rows"};
}

/// How far the truth has to go back.
std::string move_text(int x, int y) {
  std::string text;
  if (x != 0) text = fmt::format("{} px to the {}", std::abs(x), x > 0 ? "left" : "right");
  if (y != 0) text += fmt::format("{}{} px {}", text.empty() ? "" : " and ", std::abs(y), y > 0 ? "up" : "down");
  return text;
}

std::string halves_warning(const std::string& name, const TruthFindings& found) {
  constexpr std::array<const char*, 4> halves{"upper", "lower", "left", "right"};
  const char* const half = halves[static_cast<std::size_t>(found.part)];
  if (found.problem == TruthProblem::exchanged_halves)
    return fmt::format(
        "truth {} seems to have its {} and {} half exchanged: {:.0f} % of the map are within 1 px of it, and {:.0f} % "
        "once they are exchanged: check what put it together",
        name, half, halves[static_cast<std::size_t>(found.part) + 1], found.close_in_part, found.close_turned);
  const std::array<const char*, 2> turned = turned_words(found.part_turn);
  return fmt::format(
      "the {} half of truth {} seems to be {}: {:.0f} % of the map are within 1 px of it there, and {:.0f} % once that "
      "half is turned: check what put the truth together, and the order of its {}",
      half, name, turned[0], found.close_in_part, found.close_turned, turned[1]);
}

/// A truth that was put together of parts.
std::string parts_warning(const std::string& name, const TruthFindings& found) {
  const char* const line = found.part < 2 ? "row" : "column";
  const std::string place = found.part % 2 == 0 ? fmt::format("before {} {}", line, found.seam)
                                                : fmt::format("from {} {} on", line, found.seam);
  if (found.problem == TruthProblem::beside_part)
    return fmt::format(
        "a part of {} counts otherwise than the rest: {} it is {}, and {:.0f} % of the map are within 1 px of the "
        "truth there once that is undone, {:.0f} % as it is ({:.0f} % elsewhere): check what put the {} together, and "
        "the range and unit of each tile",
        found.of_map ? "the map, beside truth " + name + "," : "truth " + name, place,
        found.offset != 0
            ? fmt::format("{:.3g} px too {}", std::abs(found.offset), found.offset > 0 ? "large" : "small")
            : fmt::format("{:.3g} times what it should be", found.factor),
        found.close_shifted, found.close_in_part, found.close_elsewhere, found.of_map ? "map" : "truth");
  if (found.problem == TruthProblem::other_part)
    return fmt::format(
        "truth {} seems to be put together of two: {} {:.0f} % of the map are within 1 px of it, as by chance, "
        "and {:.0f} % elsewhere: check that all of it is of this scene and frame",
        name, place, found.close_in_part, found.close_elsewhere);
  return fmt::format(
      "truth {} seems to have bands of rows at other places: {:.1f} % of the pixels are more than 1 px off, and {:.1f} "
      "% once each band is moved to where it fits, such as the one at row {} by {} rows {}: check what put the truth "
      "together, the order of its tiles or strips and that no rows are missing",
      name, found.wrong, found.wrong_moved, found.seam, std::abs(found.moved_y), found.moved_y > 0 ? "up" : "down");
}

/// A truth that is a line through the map, or a curve.
std::string curve_warning(const std::string& name, const TruthFindings& found) {
  if (found.problem == TruthProblem::linear)
    return fmt::format(
        "truth {} seems to be the map's disparities times {:.3g} {} {:.3g} px: {:.0f} % of the map are within 1 px of "
        "it once that is undone, {:.0f} % as it is: check what stretched or normalised the truth or the map, and give "
        "both in px of disparity",
        name, found.factor, found.offset < 0 ? "less" : "and", std::abs(found.offset), found.close_line, found.close);
  return fmt::format(
      "truth {} seems to be a curve of the map's disparities, as of a gamma or a logarithm: {:.0f} % of the map are "
      "within 1 px of it once that is undone, {:.0f} % as it is: check what saved the truth or the map as a picture, "
      "and give both in px of disparity",
      name, found.close_curve, found.close);
}

/// A truth whose pixels do not lie where they belong, or a map that is none.
std::string shape_warning(const std::string& name, const TruthFindings& found) {
  if (found.problem == TruthProblem::one_number)
    return fmt::format(
        "the map is {:.4g} px at 98 % of the pixels and more, which truth {} is not: check what wrote the map",
        found.map_median, name);
  if (found.problem == TruthProblem::rows_in_turn)
    return fmt::format(
        "every second row of truth {} seems to be of another place or time: {:.1f} % of the map are within 1 px of its "
        "{} rows, and {:.1f} % of the others: check what put the two fields together",
        name, found.close_in_part, found.part == 0 ? "even" : "odd", found.close_elsewhere);
  if (found.problem == TruthProblem::repeated_rows)
    return fmt::format(
        "truth {} repeats one row {} times, from row {} on, and {:.0f} % of the map are within 1 px of it there, "
        "{:.0f} "
        "% elsewhere: a buffer was not filled: create it again",
        name, found.part, found.seam, found.close_in_part, found.close_elsewhere);
  if (found.problem == TruthProblem::rearranged)
    return fmt::format(
        "{} of truth {} stand in another order: groups of {} are reversed, or have changed places: it steps at each of "
        "them, and would not in the right order: check what put its tiles together",
        found.part == 0 ? "rows" : "columns", name, found.seam);
  return fmt::format(
      "truth {} seems to be {}: {:.0f} % of the map are within 1 px of it, and {:.0f} % once that is undone: check "
      "that it was rectified, undistorted and resized as the pictures were",
      name,
      found.turn != 0 ? fmt::format("turned by about {:.2g} degrees", std::abs(found.turn))
                      : fmt::format("about {:.3g} times as large as the map's picture", found.factor),
      found.close_in_part, found.close_turned);
}

std::string unlike_warning(const std::string& name, const TruthFindings& found) {
  if (found.problem == TruthProblem::part_turned || found.problem == TruthProblem::exchanged_halves)
    return halves_warning(name, found);
  if (found.problem == TruthProblem::moved_bands || found.problem == TruthProblem::other_part ||
      found.problem == TruthProblem::beside_part)
    return parts_warning(name, found);
  if (found.problem == TruthProblem::linear || found.problem == TruthProblem::curved) return curve_warning(name, found);
  if (found.problem == TruthProblem::smoothed)
    return fmt::format(
        "truth {} seems to be smoothed: at {:.0f} % of its edges of depth it changes over some px, where things end "
        "from one px to the next, and a map that is right counts as wrong there: give the truth as it was before it "
        "was filtered or enlarged",
        name, found.gradual);
  if (found.problem == TruthProblem::range)
    return fmt::format(
        "truth {} cannot be the map's: its median is {:.4g} px, the map's {:.4g} px, and their ranges do not meet: "
        "check {}",
        name, found.truth_median, found.map_median,
        (found.truth_median < 0) != (found.map_median < 0)
            ? "the signs: disparities are the left x less the right one, and above 0"
            : "the files and --truth-scale");
  if (found.problem == TruthProblem::moved)
    return fmt::format(
        "truth {} seems to lie beside the map: {:.1f} % of the pixels are more than 1 px off, and {:.1f} % once it is "
        "moved by {}: check that truth and pictures are cropped alike, or move it",
        name, found.wrong, found.wrong_moved, move_text(found.moved_x, found.moved_y));
  if (found.problem == TruthProblem::inverted)
    return fmt::format(
        "truth {} seems to have its numbers inverted: where it is larger the map is smaller, and both together are "
        "within 1 px of {:.4g} px at {:.0f} % of the pixels: take each of its numbers off {:.4g} px",
        name, found.sum, found.close_inverted, found.sum);
  if (found.problem == TruthProblem::other_edges)
    return fmt::format(
        "truth {} and the map hardly agree: of the places where the truth steps by 2 px and more along a row, the map "
        "does at {:.0f} %, and {:.0f} % are within 1 px: check that both are of one frame and picture, cropped alike",
        name, found.edges_met, found.close);
  if (found.problem == TruthProblem::too_large)
    return fmt::format(
        "truth {} and the map are too large for px: of {:.0f} % of the truth's pixels the partner lies outside the "
        "other picture: check the unit of both (1/16 px and KITTI's 1/256 px are divided by that), and the scores, "
        "which are of px",
        name, found.outside);
  if (found.problem == TruthProblem::too_small)
    return fmt::format(
        "truth {} and the map lie below {:.2g} px at 98 % of the pixels, so that errors above 1 px cannot be: check "
        "the unit of both (metres, shares of the width, a scale that was divided by twice); if the scene is as far "
        "away as that, nothing is wrong",
        name, found.truth_high);
  return fmt::format(
      "truth {} and the map hardly agree: {:.0f} % are within 1 px, and {:.0f} % by chance: check that both are of one "
      "frame, picture and unit, and that the disparities of the match reach those of the truth",
      name, found.close, found.close_chance);
}

}  // namespace

std::string truth_warning(const std::string& name, const TruthFindings& found, double scale, bool scale_given) {
  const std::array<const char*, 2> turned = turned_words(found.problem);
  switch (found.problem) {
    case TruthProblem::none:
      break;
    case TruthProblem::scale:
      return unit_warning(name, found, scale, scale_given);
    case TruthProblem::depth:
      return fmt::format(
          "truth {} or the map is depth, not disparity: where one is larger the other is smaller, and their product is "
          "within 5 % of {:.4g} at {:.0f} % of the pixels: give disparities, focal * baseline / depth - doffs",
          name, found.map_median * found.truth_median, found.close_inverse);
    case TruthProblem::offset:
      return fmt::format(
          "truth {} counts from another disparity than the map: it is {:.3g} px {}, and {:.0f} % of the map are within "
          "1 px of it once that is made up for, {:.0f} % as it is: {}",
          name, std::abs(found.offset), found.offset > 0 ? "larger" : "smaller", found.close_shifted, found.close,
          found.offset > 0 ? fmt::format("take {:.3g} px off the truth", found.offset)
                           : fmt::format("add {:.3g} px to the truth", -found.offset));
    case TruthProblem::other_view:
      return fmt::format(
          "truth {} seems to be the other picture's: at edges of depth {:.0f} % of the map are within 1 px of "
          "it, and {:.0f} % within 1 px of what the other picture sees there: give the truth of the map's "
          "own picture, not moved along rows",
          name, found.close, found.close_in_other);
    case TruthProblem::upside_down:
    case TruthProblem::mirrored:
    case TruthProblem::turned:
      return fmt::format(
          "truth {} seems to be {}: {:.0f} % of the map are within 1 px of it, and {:.0f} % once it is turned: check "
          "that it is of this scene, and the order of its {}",
          name, turned[0], found.close, found.close_turned, turned[1]);
    case TruthProblem::range:
    case TruthProblem::inverted:
    case TruthProblem::moved:
    case TruthProblem::unlike:
    case TruthProblem::other_edges:
    case TruthProblem::too_large:
    case TruthProblem::too_small:
    case TruthProblem::part_turned:
    case TruthProblem::exchanged_halves:
    case TruthProblem::smoothed:
    case TruthProblem::linear:
    case TruthProblem::curved:
    case TruthProblem::moved_bands:
    case TruthProblem::other_part:
    case TruthProblem::beside_part:
      return unlike_warning(name, found);
    case TruthProblem::rows_in_turn:
    case TruthProblem::repeated_rows:
    case TruthProblem::rearranged:
    case TruthProblem::warped:
    case TruthProblem::one_number:
      return shape_warning(name, found);
  }
  return {};
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` notices about its pictures.
#include "stereo/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/files.hpp"
#include "cli/picture_watch.hpp"

namespace vergence::cli {
namespace {

PairFindings inspect(const StereoFrame& frame, const StereoOptions& options) {
  if (frame.left.depth == Depth::u8)
    return inspect_pair(ImageView<const std::uint8_t>(frame.left.u8.view()),
                        ImageView<const std::uint8_t>(frame.right.u8.view()), options);
  return inspect_pair(ImageView<const std::uint16_t>(frame.left.u16.view()),
                      ImageView<const std::uint16_t>(frame.right.u16.view()), options);
}

int percent(int part, int whole) { return whole > 0 ? (100 * part + whole / 2) / whole : 0; }

template <class Pixel>
bool are_equal(const Image<Pixel>& a, const Image<Pixel>& b) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) return false;
  return true;
}
bool are_equal(const StereoFrame& frame) {
  if (frame.left.size() != frame.right.size() || frame.left.depth != frame.right.depth) return false;
  return frame.left.depth == Depth::u8 ? are_equal(frame.left.u8, frame.right.u8)
                                       : are_equal(frame.left.u16, frame.right.u16);
}

/// Every eighth row.
template <class Pixel>
void copy_some_rows(const Image<Pixel>& picture, std::vector<std::uint8_t>& to) {
  constexpr int step = 8;
  const std::size_t row = static_cast<std::size_t>(picture.width()) * sizeof(Pixel);
  to.resize(row * static_cast<std::size_t>((picture.height() + step - 1) / step));
  std::uint8_t* at = to.data();
  for (int y = 0; y < picture.height(); y += step, at += row) std::memcpy(at, picture.row(y), row);
}

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
  // Grey levels may differ although no gain and offset say how: haze, a stain, other noise, another camera.
  if (found.gain_percent >= 98 && found.gain_percent <= 102 && std::abs(found.offset) <= 2)
    return fmt::format(
        "left and right differ in grey levels: {}, by {:.1f} in the median, although neither is brighter as a whole, "
        "and "
        "cost {} sees that: check that both show one scene without noise or stains, or give --preset quality",
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
      "the "
      "{} corners, higher at the {} ones: {}",
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

FlatParts flat_parts(const StereoFrame& frame, int max_value) {
  if (frame.left.depth == Depth::u8)
    return inspect_flat_parts(ImageView<const std::uint8_t>(frame.left.u8.view()),
                              ImageView<const std::uint8_t>(frame.right.u8.view()));
  return inspect_flat_parts(ImageView<const std::uint16_t>(frame.left.u16.view()),
                            ImageView<const std::uint16_t>(frame.right.u16.view()), max_value);
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
      "is "
      "what the pictures show at one place (correlation {1} %), as where {2} % of each picture are the other one: many "
      "points match twice, once at 0 px: check what mixes them, such as blended frames of a converted video, a "
      "splitter "
      "or a reflection, and give the pictures of each camera alone",
      found.mixed_points, found.mixed_correlation, found.mixed_percent);
}

std::string colours_text(const PairFindings& found) {
  return fmt::format(
      "left and right are of different colours, or of different light: {0} of {1} sample points are found in both "
      "pictures, and of these the right picture is brighter at some and darker at others, by {2:.0f} grey levels and "
      "more apart: give the same channel of both cameras, or pictures of one time and light",
      found.found, found.close_points, found.level_spread / 16.0);
}

/// Of others a map can be compared with its truth, which may be another one's all the same.
bool spoils_maps(const PairFindings& found) {
  const PairProblem problem = found.problem;
  return found.by_rows ||
         (problem != PairProblem::none && problem != PairProblem::exposure && problem != PairProblem::sharpness);
}

/// Compressed pictures of another width than their header says cannot be read at all.
bool is_without_redundancy(const std::string& name) {
  constexpr std::array endings{".pgm", ".ppm", ".pnm", ".pbm", ".pfm", ".npy"};
  return std::find(endings.begin(), endings.end(), ending(name)) != endings.end();
}

}  // namespace

std::string pair_warning(const PairFindings& found, const StereoOptions& options) {
  const std::string seen = fmt::format("of {} sample points found in both pictures", found.found);
  switch (found.problem) {
    case PairProblem::none:
      break;
    case PairProblem::same_picture:
      return "left and right are the same picture: give those of two cameras, and where frames are blended half and "
             "half, each one alone";
    case PairProblem::not_rectified:
      return fmt::format(
          "the pair is not rectified: {}, {} % lie in another row ({} .. {} px lower in the right one): "
          "rectify it first",
          seen, percent(found.found - found.same_row, found.found), found.row_low, found.row_high);
    case PairProblem::exchanged:
      return fmt::format(
          "left and right seem to be exchanged: {}, {} % have negative disparities ({} .. {} px): "
          "exchange them, or, where the cameras converge, give {}",
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
          "scene at one time, and rectify them",
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
  }
  return {};
}

FrozenViews::Repeats FrozenViews::look(const StereoFrame& frame) {
  const auto take = [](const auto& view, std::vector<std::uint8_t>& to) {
    view.depth == Depth::u8 ? copy_some_rows(view.u8, to) : copy_some_rows(view.u16, to);
  };
  take(frame.left, now_[0]);
  take(frame.right, now_[1]);
  const bool left = now_[0] == before_[0], right = now_[1] == before_[1];
  repeats_.left = left && !right ? repeats_.left + 1 : 0;
  repeats_.right = right && !left ? repeats_.right + 1 : 0;
  before_.swap(now_);
  return repeats_;
}

StereoDoubts::StereoDoubts(const std::string& left, const std::optional<std::string>& right)
    : left_("left picture " + left),
      right_(right ? "right picture " + *right : "right picture in " + left),
      one_picture_(!right),
      left_may_be_skewed_(is_without_redundancy(left)),
      right_may_be_skewed_(is_without_redundancy(right.value_or(left))) {}

bool StereoDoubts::due(const MapShares& shares, std::int64_t count) {
  constexpr std::int64_t frames_between_looks = 100;
  constexpr std::int64_t frames_after_look = 8;  // of those out of turn: scenes may flicker
  constexpr double other_share = 0.15;
  constexpr double other_mean = 0.1;
  const bool early = count < frames_between_looks && (count & (count - 1)) == 0;
  const bool in_turn = early || count % frames_between_looks == 0;
  const bool other =
      std::abs(shares.measured - last_.measured) > other_share || std::abs(shares.mean - last_.mean) > other_mean;
  if (!in_turn && (!other || count < next_look_)) return false;
  if (!in_turn) next_look_ = count + frames_after_look;
  last_ = shares;
  return true;
}

/// Cheap enough for every frame: nearly all stop where the pictures are as they should be.
std::vector<std::string> StereoDoubts::look_at_pictures(const StereoFrame& frame, const StereoOptions& options,
                                                        bool& explained) {
  std::vector<std::string> lines;
  const auto tell = [&](const std::string& name, std::string line) {
    if (line.empty()) return false;
    if (told_of_pictures_.insert(name).second) lines.push_back(std::move(line));
    return true;
  };
  const int most = frame.left.depth == Depth::u8 ? 255 : options.max_value;
  const bool left_flat = tell("left flat", flat_warning(frame.left, left_, most));
  const bool right_flat = !left_flat && tell("right flat", flat_warning(frame.right, right_, most));
  explained = left_flat || right_flat;
  if (explained) return lines;
  tell("frozen", frozen_warning(frame));
  tell("dim", dim_warning(frame.left, left_, most)) || tell("dim", dim_warning(frame.right, right_, most));
  if (are_equal(frame))
    if (const PairFindings found = inspect(frame, options); found.problem != PairProblem::none) {
      explained = true;
      if (told_.insert(found.problem).second) lines.push_back(pair_warning(found, options));
    }
  return lines;
}

/// Three views and more side by side look like two that are exchanged.
std::string StereoDoubts::added_text(PairProblem problem) const {
  const bool rows = problem == PairProblem::not_rectified || problem == PairProblem::row_offset;
  if (rows && rectified_here_)
    return ", by another calibration than that of this run, or give --no-rectify where it was rectified before";
  if (problem == PairProblem::not_rectified) return " (--calibration FILE --rectify)";
  return problem == PairProblem::exchanged && one_picture_ ? "; check that the picture holds two views, and not more"
                                                           : "";
}

std::string StereoDoubts::exchanged_bytes_warning(const StereoFrame& frame) const {
  const std::string line = byte_order_warning(frame.left, left_);
  return line.empty() ? byte_order_warning(frame.right, right_) : line;
}

std::string StereoDoubts::mosaic_warning(const StereoFrame& frame) const {
  const std::string line = cli::mosaic_warning(frame.left, left_);
  return line.empty() ? cli::mosaic_warning(frame.right, right_) : line;
}

std::string StereoDoubts::flat_part_warning(const StereoFrame& frame, const StereoOptions& options) const {
  constexpr int most = 20;  // percent; good pairs have none
  const FlatParts found = flat_parts(frame, options.max_value);
  if (std::abs(found.left - found.right) < most) return {};
  const bool left = found.left > found.right;
  return fmt::format(
      "{} shows nothing in {} % of its area, where the other one does: check that it is whole and that nothing covers "
      "the camera; no disparity can be found there",
      left ? left_ : right_, std::max(found.left, found.right));
}

std::string StereoDoubts::frozen_warning(const StereoFrame& frame) {
  constexpr int enough = 3;  // four equal frames: encoders may repeat one
  const FrozenViews::Repeats found = frozen_.look(frame);
  if (std::max(found.left, found.right) < enough) return {};
  return fmt::format(
      "the {0} picture has been the same for {1} frames, while the {2} one changes: check that the {0} camera runs, "
      "and "
      "that its frames are not one file",
      found.left > 0 ? "left" : "right", std::max(found.left, found.right) + 1, found.left > 0 ? "right" : "left");
}

std::string StereoDoubts::width_warning(const StereoFrame& frame) const {
  constexpr const char* cure = "width and height in its header, or the program that wrote it";
  const std::string line = left_may_be_skewed_ ? row_length_warning(frame.left, left_, cure) : "";
  return line.empty() && right_may_be_skewed_ ? row_length_warning(frame.right, right_, cure) : line;
}

std::vector<std::string> StereoDoubts::look(const StereoFrame& frame, const StereoSettings& settings,
                                            const MapShares& shares, std::int64_t count) {
  const StereoOptions& options = settings.options;
  bool explained = false;
  std::vector<std::string> lines = look_at_pictures(frame, options, explained);
  looked_ = due(shares, count);
  pair_is_wrong_ = explained;
  const bool first = count == 0 && !explained;
  std::string form = first ? exchanged_bytes_warning(frame) : "";
  if (first && form.empty()) form = mosaic_warning(frame);
  if (!form.empty()) {
    explained = pair_is_wrong_ = true;
    lines.push_back(std::move(form));
  } else if (looked_) {
    if (std::string width = first ? width_warning(frame) : ""; !width.empty()) {
      explained = true;
      lines.push_back(std::move(width));
    }
    PairFindings found = inspect(frame, options);
    if (std::string flat = explained ? "" : flat_part_warning(frame, options); !flat.empty()) {
      explained = true;
      // What is flat is not blurred, and agrees with nothing: this line says more.
      constexpr std::array same{PairProblem::sharpness, PairProblem::no_agreement, PairProblem::covered};
      if (std::find(same.begin(), same.end(), found.problem) != same.end()) found.problem = PairProblem::none;
      if (told_of_pictures_.insert("flat part").second) lines.push_back(std::move(flat));
    }
    pair_is_wrong_ = explained || spoils_maps(found);
    explained = explained || found.problem != PairProblem::none;
    if (found.problem != PairProblem::none && told_.insert(found.problem).second)
      lines.push_back(pair_warning(found, options) + added_text(found.problem));
  }
  if (!explained && !told_of_measured_)
    if (std::string line = map_warning(settings, shares); !line.empty()) {
      told_of_measured_ = true;
      lines.push_back(std::move(line));
    }
  if (count > 0)
    for (std::string& line : lines) line = fmt::format("frame {}: {}", frame.index, line);
  return lines;
}

}  // namespace vergence::cli

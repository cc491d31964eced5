// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` notices about its pictures.
#include "stereo/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

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

/// A range that holds what was seen, with some room, in steps of sixteen.
std::string cure_of_range(const PairFindings& found) {
  const int low = found.low >= 0 ? std::max(0, found.low - 2) : found.low - 2;
  const int count = (found.high + 3 - low + 15) / 16 * 16;
  return fmt::format("--min-disparity {} --disparities {}", low, count);
}

}  // namespace

std::string pair_warning(const PairFindings& found, const StereoOptions& options) {
  const std::string seen = fmt::format("of {} sample points found in both pictures", found.found);
  switch (found.problem) {
    case PairProblem::none:
      break;
    case PairProblem::same_picture:
      return "left and right are the same picture: give those of two cameras";
    case PairProblem::not_rectified:
      return fmt::format(
          "the pair is not rectified: {}, {} % lie in another row ({} .. {} px lower in the right one): "
          "rectify it first",
          seen, percent(found.found - found.same_row, found.found), found.row_low, found.row_high);
    case PairProblem::swapped:
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
    case PairProblem::row_offset: {
      const double left = (found.row_shift - found.row_tilt / 2.0) / 16;
      const double right = (found.row_shift + found.row_tilt / 2.0) / 16;
      return fmt::format(
          "rows of left and right do not meet: {}, those at the left edge lie {:.1f} px lower in the right picture, "
          "those at the right edge {:.1f} px: rectify the pair anew",
          seen, left, right);
    }
    case PairProblem::exposure:
      return fmt::format(
          "left and right differ in brightness: {}, grey levels of the right picture are {:.2f} times those of the "
          "left one {} {}, and cost {} sees that: give --cost census-9x7, --prefilter xsobel or --preset quality",
          seen, found.gain_percent / 100.0, found.offset < 0 ? "-" : "+", std::abs(found.offset),
          stereo_get(options, "cost"));
  }
  return {};
}

StereoDoubts::StereoDoubts(const std::string& left, const std::optional<std::string>& right)
    : left_("left picture " + left), right_(right ? "right picture " + *right : "right picture in " + left) {}

std::vector<std::string> StereoDoubts::look(const StereoFrame& frame, const StereoOptions& options,
                                            std::int64_t count) {
  std::vector<std::string> lines;
  if (count % frames_between_looks != 0) return lines;
  const std::string when = count > 0 ? fmt::format("frame {}: ", frame.index) : "";
  const auto tell = [&](const std::string& line) {
    if (!line.empty()) lines.push_back(when + line);
    return !line.empty();
  };
  if (!flat_) flat_ = tell(flat_warning(frame.left, left_)) || tell(flat_warning(frame.right, right_));
  const PairFindings found = inspect(frame, options);
  if (found.problem != PairProblem::none && told_.insert(found.problem).second) tell(pair_warning(found, options));
  return lines;
}

}  // namespace vergence::cli

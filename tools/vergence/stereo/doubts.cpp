// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` notices about its pictures.
#include "stereo/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "cli/chroma_rows.hpp"
#include "cli/files.hpp"
#include "cli/patterns.hpp"
#include "cli/picture_watch.hpp"
#include "stereo/frame_doubts.hpp"
#include "stereo/framed.hpp"
#include "stereo/layout_texts.hpp"
#include "stereo/levels.hpp"
#include "stereo/pair_texts.hpp"
#include "stereo/seams.hpp"
#include "stereo/spots.hpp"

namespace vergence::cli {
namespace {

PairFindings inspect(const StereoFrame& frame, const StereoOptions& options) {
  if (frame.left.depth == Depth::u8)
    return inspect_pair(ImageView<const std::uint8_t>(frame.left.u8.view()),
                        ImageView<const std::uint8_t>(frame.right.u8.view()), options);
  return inspect_pair(ImageView<const std::uint16_t>(frame.left.u16.view()),
                      ImageView<const std::uint16_t>(frame.right.u16.view()), options);
}

template <class Pixel>
bool are_equal(const Image<Pixel>& a, const Image<Pixel>& b) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) return false;
  return true;
}
bool are_alike(const GreyPicture& a, const GreyPicture& b) {
  if (a.size() != b.size() || a.depth != b.depth) return false;
  return a.depth == Depth::u8 ? are_equal(a.u8, b.u8) : are_equal(a.u16, b.u16);
}

FlatParts flat_parts(const StereoFrame& frame, int max_value) {
  if (frame.left.depth == Depth::u8)
    return inspect_flat_parts(ImageView<const std::uint8_t>(frame.left.u8.view()),
                              ImageView<const std::uint8_t>(frame.right.u8.view()));
  return inspect_flat_parts(ImageView<const std::uint16_t>(frame.left.u16.view()),
                            ImageView<const std::uint16_t>(frame.right.u16.view()), max_value);
}

PaintedFindings painted(const StereoFrame& frame, int max_value) {
  if (frame.left.depth == Depth::u8)
    return inspect_painted(ImageView<const std::uint8_t>(frame.left.u8.view()),
                           ImageView<const std::uint8_t>(frame.right.u8.view()));
  return inspect_painted(ImageView<const std::uint16_t>(frame.left.u16.view()),
                         ImageView<const std::uint16_t>(frame.right.u16.view()), max_value);
}

/// Of others a map can be compared with its truth, which may be another one's all the same.
bool spoils_maps(const PairFindings& found) {
  const PairProblem problem = found.problem;
  return found.by_rows || (!found.blocks_in_one && problem != PairProblem::none && problem != PairProblem::exposure &&
                           problem != PairProblem::sharpness && problem != PairProblem::blurred);
}

/// Problems beside which it may be told, too, that rows are off. Others explain it, or leave no points.
bool leaves_rows(PairProblem problem) {
  constexpr std::array others{PairProblem::none,      PairProblem::exposure,   PairProblem::sharpness,
                              PairProblem::range_low, PairProblem::range_high, PairProblem::repetition,
                              PairProblem::colours,   PairProblem::blurred};
  return std::find(others.begin(), others.end(), problem) != others.end();
}

/// Where no pixel of either picture is above a sixteenth of the largest value: that both are dark; else "".
std::string dark_text(const StereoFrame& frame, int max_value) {
  constexpr int share = 16;
  int highest = 0;
  for (const GreyPicture* const picture : {&frame.left, &frame.right})
    for (int y = 0; y < picture->height(); ++y)
      highest =
          std::max(highest, picture->depth == Depth::u8
                                ? int{*std::max_element(picture->u8.row(y), picture->u8.row(y) + picture->width())}
                                : *std::max_element(picture->u16.row(y), picture->u16.row(y) + picture->width()));
  if (share * highest > max_value) return {};
  return fmt::format("; both are dark, no pixel is above {} of {}: check exposure and light", highest, max_value);
}

/// Compressed pictures of another width than their header says cannot be read at all.
bool is_without_redundancy(const std::string& name) {
  constexpr std::array endings{".pgm", ".ppm", ".pnm", ".pbm", ".pfm", ".npy", ".y4m"};
  return std::find(endings.begin(), endings.end(), ending(name)) != endings.end();
}

}  // namespace

StereoDoubts::StereoDoubts(const std::string& left, const std::optional<std::string>& right, Halves halves)
    : left_("left picture " + left),
      right_(right ? "right picture " + *right : "right picture in " + left),
      halves_(halves),
      left_has_header_alone_(is_without_redundancy(left)),
      right_has_header_alone_(is_without_redundancy(right.value_or(left))) {}

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
  if (std::string line = frozen_.look(frame); !line.empty()) lines.push_back(std::move(line));
  explained = frozen_.is_of_two_times();
  tell("dim", dim_warning(frame.left, left_, most)) || tell("dim", dim_warning(frame.right, right_, most));
  if (are_alike(frame.left, frame.right))
    if (const PairFindings found = inspect(frame, options); found.problem != PairProblem::none) {
      explained = true;
      if (told_.insert(found.problem).second) lines.push_back(pair_warning(found, options));
    }
  return lines;
}

/// Three views and more side by side look like two that are exchanged.
std::string StereoDoubts::added_text(PairProblem problem) const {
  if (is_of_rows(problem) && rectified_here_)
    return ", by another calibration than that of this run (--refine-calibration FILE may write it), or give "
           "--no-rectify where it was rectified before";
  if (problem == PairProblem::not_rectified)
    return " (--calibration FILE --rectify), or turn both by 90 degrees where the cameras lie above each other in them";
  return problem == PairProblem::exchanged && halves_ != Halves::none
             ? "; check that the picture holds two views, and not more"
             : "";
}

std::string StereoDoubts::exchanged_bytes_warning(const StereoFrame& frame) const {
  const std::string line = byte_order_warning(frame.left, left_);
  return line.empty() ? byte_order_warning(frame.right, right_) : line;
}

std::string StereoDoubts::mosaic_warning(const StereoFrame& frame) const {
  std::string line = cli::mosaic_warning(frame.left, left_);
  if (line.empty()) line = cli::mosaic_warning(frame.right, right_);
  return line.empty() ? line : line + ", or take views apart that lie in it as on a chessboard (for 3D displays)";
}

std::string StereoDoubts::regular_warning(const PairBytes& bytes) const {
  std::string line = cli::regular_warning(bytes.left.view(), left_);
  if (line.empty()) line = cli::regular_warning(bytes.right.view(), right_);
  return line.empty() ? line
                      : line + "; where the scene repeats, a narrower range, a larger window or --uniqueness helps";
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

std::string StereoDoubts::width_warning(const StereoFrame& frame) const {
  const auto cure = [](bool of_header) {
    return of_header ? "width and height in its header, or the program that wrote it"
                     : "the program that wrote it, and the bytes of a row (stride) that it took for the width";
  };
  const std::string line = row_length_warning(frame.left, left_, cure(left_has_header_alone_));
  return line.empty() ? row_length_warning(frame.right, right_, cure(right_has_header_alone_)) : line;
}

/// Parts that show nothing, or what is painted over both pictures. Then some problems of the pair are no wonder.
void StereoDoubts::look_at_parts(const StereoFrame& frame, const StereoOptions& options, PairFindings& found,
                                 std::vector<std::string>& lines, bool& explained) {
  const auto tell = [&](const char* name, std::string line, std::initializer_list<PairProblem> same) {
    if (line.empty()) return false;
    if (std::find(same.begin(), same.end(), found.problem) != same.end()) found.problem = PairProblem::none;
    if (told_of_pictures_.insert(name).second) lines.push_back(std::move(line));
    return true;
  };
  // What is flat is not blurred, and agrees with nothing.
  explained = tell("flat part", flat_part_warning(frame, options),
                   {PairProblem::sharpness, PairProblem::no_agreement, PairProblem::covered});
  // What is painted matches at 0 px beside another disparity, outside the range or where nothing else does.
  tell("painted", painted_warning(painted(frame, options.max_value)),
       {PairProblem::mixed, PairProblem::range_low, PairProblem::covered, PairProblem::exchanged});
}

void StereoDoubts::refuse_rows(const std::string& line) const {
  if (rows_required_) throw Error(ErrorCode::bad_data, fmt::format("{}{} (--require-rectified)", place_, line));
}

bool StereoDoubts::rows_seem_to_meet(const StereoFrame& frame, const PairFindings& found, std::int64_t count) {
  constexpr int sixteenths = 16, most = 7;  // px; what is told begins at 10/16
  const bool meet = count == 0 && !rows_wanted_ && found.problem == PairProblem::none && !hardly_agrees(found) &&
                    found.rows_within && *found.rows_within <= most;
  if (meet) rig_.pass(frame, static_cast<double>(*found.rows_within) / sixteenths);
  return meet;
}

/// Points in two dimensions: they tell less than a pixel, in all rows, and the rotation.
void StereoDoubts::look_at_rig(const StereoFrame& frame, PairProblem problem, std::vector<std::string>& lines,
                               bool& explained) {
  const bool first = rig_.report().looks == 0;
  const RigFindings& found = rig_.look(frame);
  const auto tell = [&](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  if (first && rows_required_) tell(rig_.unknown_warning());
  if (!leaves_rows(problem)) return;
  std::string moved = rig_.drift_warning();
  const bool drifts = !moved.empty();
  tell(std::move(moved));
  if (!found.off) return;
  explained = true;
  std::string line =
      rig_.rows_warning("the pair is not rectified", "rectify it" + added_text(PairProblem::not_rectified));
  refuse_rows(line);
  if (told_.insert(PairProblem::not_rectified).second && !drifts) tell(std::move(line));
  told_.insert(PairProblem::row_offset);
}

std::string StereoDoubts::mistake_warning(const StereoFrame& frame, const StereoOptions& options, PairProblem problem,
                                          std::int64_t count) const {
  constexpr std::array unlike{PairProblem::no_agreement, PairProblem::not_rectified, PairProblem::row_offset,
                              PairProblem::covered, PairProblem::colours};
  if (std::find(unlike.begin(), unlike.end(), problem) == unlike.end()) return {};
  if (rectified_here_ && count == 0) {
    const StereoFrame exchanged = exchanged_();
    if (are_alike(frame.left, exchanged.left) && are_alike(frame.right, exchanged.right))
      return "left and right are the same raw picture: give those of two cameras";
    if (is_a_pair(inspect(exchanged, options)))
      return "left and right seem to be exchanged: rectified the other way round, they meet in their rows: exchange "
             "LEFT and RIGHT, or the cameras of the calibration";
  }
  if (problem == PairProblem::row_offset) return {};
  // Halves that match in a third of their points are views.
  const Halves halves = problem == PairProblem::colours ? Halves::none : halves_;
  const std::string why = likely_mistake(frame, options, halves);
  return why.empty() ? "" : "left and right hardly agree: " + why;
}

void StereoDoubts::look_at_pair(const StereoFrame& frame, const StereoOptions& options, std::int64_t count,
                                std::vector<std::string>& lines, bool& explained) {
  PairFindings found = inspect(frame, options);
  if (!explained) look_at_parts(frame, options, found, lines, explained);
  const bool with_rig = RigWatch::due(count) && !explained && !rows_seem_to_meet(frame, found, count);
  bool rows_are_off = false;
  if (with_rig) look_at_rig(frame, found.problem, lines, rows_are_off);
  // Points that were matched by chance differ in their colours, too.
  if (rows_are_off && found.problem == PairProblem::colours) found.problem = PairProblem::none;
  std::string scatter =
      with_rig && !rows_are_off && leaves_rows(found.problem) && hardly_agrees(found)
          ? rig_.scatter("the pair is not rectified, or does not show one scene at one time", "rectify it first")
          : "";
  if (!scatter.empty()) found.problem = PairProblem::not_rectified;
  pair_is_wrong_ = explained || rows_are_off || spoils_maps(found);
  explained = explained || rows_are_off || found.problem != PairProblem::none;
  if (found.problem == PairProblem::none) return;
  // What was told is not explained again: that takes the time of some looks.
  const bool told = told_.contains(found.problem);
  std::string line = told ? "" : mistake_warning(frame, options, found.problem, count);
  const bool is_known = !line.empty();
  if (!is_known) line = (scatter.empty() ? pair_warning(found, options) : scatter) + added_text(found.problem);
  if (is_of_rows(found.problem) || (is_known && rectified_here_)) {
    if (const std::string why = with_rig && !is_known ? rig_.explanation() : ""; !why.empty()) line += "; it is " + why;
    refuse_rows(line);
  }
  if (told_.insert(found.problem).second) lines.push_back(std::move(line));
}

bool StereoDoubts::look_at_seams(const StereoFrame& frame, std::vector<std::string>& lines) {
  for (std::string line : {several_views_warning(frame, halves_), outer_bars_warning(frame, halves_),
                           beside_middle_warning(frame, halves_)})
    if (!line.empty()) {
      lines.push_back(std::move(line));
      return halves_are_no_views_ = true;
    }
  std::string line = separator_warning(frame, halves_);
  if (line.empty()) return false;
  lines.push_back(std::move(line));
  return halves_ == Halves::rows;
}

std::string StereoDoubts::form_warning(const StereoFrame& frame, const PairBytes& bytes,
                                       const std::optional<Rect>& roi) const {
  const auto either = [&](const auto& text) {
    const std::string line = text(bytes.left.view(), left_);
    return line.empty() ? text(bytes.right.view(), right_) : line;
  };
  const std::array<std::function<std::string()>, 16> looks{
      [&] {  // which one without its upper bit does, too
        const std::string line = wrapped_warning(bytes, left_, right_);
        return line.empty() || lost_bit_warning(frame, left_, right_).empty() ? line : "";
      },
      [&] { return frame.left.depth == Depth::u8 ? stuck_bit_warning(bytes, left_, right_) : ""; },
      [&] { return either(chroma_below_warning); },
      [&] { return large_pixels_warning(bytes, left_, right_); },  // whose cells look like moved columns
      [&] { return planes_warning(frame, left_, right_); },
      [&] { return pixel_order_warning(frame, left_, right_); },
      [&] { return either(packed_warning); },
      [&] { return regular_warning(bytes); },  // which looks like mosaics, words, spots and other rows
      [&] { return mosaic_warning(frame); },
      [&] { return shared_rows_warning(frame); },
      [&] { return lines_in_turn_warning(frame); },
      [&] { return enlarged_warning(frame, bytes, left_, right_); },
      [&] { return framed_warning(frame, roi); },
      [&] { return few_levels_warning(frame, left_, right_); },
      [&] { return spots_warning(bytes, left_, right_); },
      [&] { return surround_warning(frame, roi); },
  };
  for (const auto& look : looks)
    if (std::string line = look(); !line.empty()) return line;
  return {};
}

std::vector<std::string> StereoDoubts::look(const StereoFrame& frame, const StereoSettings& settings,
                                            const MapShares& shares, std::int64_t count) {
  const StereoOptions& options = settings.options;
  place_ = count > 0 ? fmt::format("frame {}: ", frame.index) : "";
  bool explained = false;
  std::vector<std::string> lines = look_at_pictures(frame, options, explained);
  looked_ = due(shares, count);
  pair_is_wrong_ = explained;
  const bool first = count == 0 && !explained;
  std::optional<PairBytes> bytes;
  if (first) bytes.emplace(frame);
  std::string form = first ? exchanged_bytes_warning(frame) : "";
  std::string width = first ? width_warning(frame) : "";
  if (first && form.empty() && width.empty()) form = form_warning(frame, *bytes, options.roi);
  std::string bits =
      looked_ && !explained && form.empty() && width.empty() ? lost_bit_warning(frame, left_, right_) : "";
  if (first && bits.empty() && form.empty() && width.empty()) form = moved_columns_warning(frame, left_, right_);
  if (!form.empty()) {
    explained = pair_is_wrong_ = true;
    lines.push_back(std::move(form));
  } else if (!bits.empty()) {
    explained = pair_is_wrong_ = true;
    if (!std::exchange(told_of_bits_, true)) lines.push_back(std::move(bits));
  } else if (looked_ && !frozen_.is_of_two_times()) {
    std::string torn = first && width.empty() ? lost_rows_warning(frame, left_, right_) : "";
    if (torn.empty() && first && width.empty()) torn = torn_warning(frame, left_, right_);
    const auto torn_place = static_cast<std::ptrdiff_t>(lines.size());
    const bool parted = halves_are_no_views_ || (first && width.empty() && look_at_seams(frame, lines));
    if (!width.empty()) {
      explained = true;
      lines.push_back(std::move(width));
    }
    if (parted)
      explained = pair_is_wrong_ = true;
    else
      look_at_pair(frame, options, count, lines, explained);
    // Rows that jitter may look torn, and are told of already.
    if (!torn.empty() && !told_.contains(PairProblem::jitter))
      lines.insert(lines.begin() + torn_place, std::move(torn));
  }
  if (first && !explained) {
    std::string line = smear_warning(frame);
    if (line.empty()) line = echo_warning(*bytes, left_, right_);
    if (line.empty()) line = row_noise_warning(*bytes, left_, right_);
    explained = !line.empty();
    if (explained) lines.push_back(std::move(line));
  }
  if (!explained && !told_of_measured_) {
    const int most = frame.left.depth == Depth::u8 ? 255 : options.max_value;
    std::string line = map_warning(settings, shares);
    line = line.empty() ? noise_warning(frame, shares, most) : line + dark_text(frame, most);
    told_of_measured_ = !line.empty();
    if (told_of_measured_) lines.push_back(std::move(line));
  }
  for (std::string& line : lines) line.insert(0, place_);
  return lines;
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Whether rectified pictures look rectified.
#include "rectify/look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/second_looks.hpp"
#include "rectify/outputs.hpp"
#include "vergence/inspect.hpp"

namespace vergence::cli {
namespace {

constexpr const char* misfit = "the rectified pictures do not fit";
constexpr const char* cure =
    "check that the calibration is that of these cameras, of this size and in this order, and that the pictures are "
    "raw";

std::string text_of(const PairFindings& found) {
  switch (found.problem) {
    case PairProblem::same_picture:
      return "the rectified pictures are the same picture: give those of both cameras";
    case PairProblem::exchanged:
      return "left and right seem to be exchanged: points have negative disparities once they are rectified: exchange "
             "LEFT and RIGHT, or the cameras of the calibration";
    case PairProblem::not_rectified:
      return fmt::format(
          "the rectified pictures do not fit: of {} sample points found in both, {} % lie in another row ({} .. {} px "
          "lower in the right one): {}",
          found.found, 100 * (found.found - found.same_row) / std::max(1, found.found), found.row_low, found.row_high,
          cure);
    case PairProblem::row_offset:
      return fmt::format("rows of the rectified pictures do not quite meet, towards edges or corners: {}", cure);
    case PairProblem::no_agreement:
      return fmt::format("the rectified pictures hardly agree: {}", cure);
    default:
      return "";  // of brightness, focus, ranges: `stereo` tells
  }
}

PairFindings inspect_part(const StereoFrame& frame, const Rect& part) {
  StereoOptions options;
  options.cost = StereoCost::census_9x7;  // brightness is no matter of rectification
  options.disparities = std::max(1, part.width / 2);
  if (frame.left.depth == Depth::u8)
    return inspect_pair(ImageView<const std::uint8_t>(frame.left.u8.view()).crop(part),
                        ImageView<const std::uint8_t>(frame.right.u8.view()).crop(part), options);
  options.depth = Depth::u16;
  options.max_value = frame.left.max_value;
  return inspect_pair(ImageView<const std::uint16_t>(frame.left.u16.view()).crop(part),
                      ImageView<const std::uint16_t>(frame.right.u16.view()).crop(part), options);
}

}  // namespace

RectifiedLook::RectifiedLook(StereoRectifier& rectifier, bool required) : rectifier_(rectifier), required_(required) {
  constexpr Size least{64, 48};  // px; smaller ones tell nothing
  const RectifiedRig& rig = rectifier.rig();
  possible_ = !rig.vertical && rig.valid.width >= least.width && rig.valid.height >= least.height;
  const Matrix3x4& right = rig.projections.p2;
  rig_.expect({rig.projections.size, right[0], right[2], right[6]}, rig.valid);
}

StereoFrame RectifiedLook::rectified(const StereoFrame& frame) const {
  return {frame.index, rectified_grey(rectifier_, frame.left, StereoView::left),
          rectified_grey(rectifier_, frame.right, StereoView::right)};
}

bool RectifiedLook::fits_exchanged(const StereoFrame& frame) const {
  const StereoFrame seen{frame.index, rectified_grey(rectifier_, frame.right, StereoView::left),
                         rectified_grey(rectifier_, frame.left, StereoView::right)};
  return is_a_pair(inspect_part(seen, rectifier_.rig().valid));
}

void RectifiedLook::refuse(const StereoFrame& frame, const std::string& line) const {
  if (required_) throw Error(ErrorCode::bad_data, fmt::format("frame {}: {} (--require-rectified)", frame.index, line));
}

std::vector<std::string> RectifiedLook::look(const StereoFrame& frame, std::int64_t count) {
  std::vector<std::string> lines;
  if (!possible_) {
    if (required_ && count == 0)
      lines.emplace_back(
          "whether the pictures are rectified cannot be told: both cameras see less than 64x48 px together, or they "
          "stand above each other (--along-rows): leave --require-rectified out");
    return lines;
  }
  if (!RigWatch::due(count)) return lines;
  const StereoFrame seen = rectified(frame);
  const RigFindings& found = rig_.look(seen);
  const auto tell = [&](std::string line) {
    if (!line.empty()) lines.push_back(count > 0 ? fmt::format("frame {}: {}", frame.index, line) : std::move(line));
  };
  const PairFindings pair = count == 0 ? inspect_part(seen, rectifier_.rig().valid) : PairFindings{};
  std::string line = text_of(pair);
  if (line.empty() && !found.off && hardly_agrees(pair)) line = rig_.scatter(misfit, cure);
  const bool scattered = !line.empty() && text_of(pair).empty();
  if ((scattered || is_of_rows(pair.problem) || pair.problem == PairProblem::no_agreement) && fits_exchanged(frame)) {
    line =
        "left and right seem to be exchanged: rectified the other way round, they meet in their rows: exchange LEFT "
        "and RIGHT, or the cameras of the calibration";
    refuse(frame, line);
    tell(std::move(line));
    told_ = true;
    return lines;
  }
  const bool seen_in_rows = is_of_rows(pair.problem), known_to_be_off = line.empty() && found.off,
             off = seen_in_rows || known_to_be_off || scattered;
  if (seen_in_rows && found.known) line += "; it is " + rig_.explanation();
  if (known_to_be_off) line = rig_.rows_warning(misfit, cure);
  if (off && found.known) line += "; --refine-calibration FILE writes it with that rotation undone";
  if (off || pair.problem == PairProblem::no_agreement) refuse(frame, line);
  if (required_ && count == 0) tell(rig_.unknown_warning());
  std::string moved = rig_.drift_warning();
  if (!moved.empty())
    tell(std::move(moved));
  else if (!(off && told_))
    tell(std::move(line));
  told_ = told_ || off;
  return lines;
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What stays in place while the scene moves.
#include "cli/still_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cli/picture_watch.hpp"
#include "cli/upper_bytes.hpp"

namespace vergence::cli {
namespace {

/// Frames are compared with the 1st, 101st, ... one, while the scene moves away from it.
constexpr std::int64_t round = 100, first_look = 3, second_look = 7;
// As RowChanges.
constexpr int rows_alike = 50, row_change = 48, bands_alike = 50, band_change = 20;

ImageView<const std::uint8_t> view_of(const Image<std::uint8_t>& bytes) { return bytes.view(); }

/// Of good clips hardly any block is held or stuck, where few stand still; a thing that the camera follows has an edge
/// of such blocks, and none within it.
bool stands_before(const StandingFindings& found) {
  constexpr int least_moving = 5, least_held = 4, held_share = 12, least_far = 8, least_stuck = 6;
  const bool is_enough = found.moving >= least_moving && 2 * found.standing <= found.moving + found.stuck;
  const bool move_alike = 2 * found.alike >= found.moving;
  const bool are_held =
      move_alike && 3 * found.moving >= found.points &&
      (found.misled >= least_held || (found.held >= least_held && held_share * found.held >= found.alike));
  const bool are_stuck = found.moving >= least_far && found.stuck >= std::max(least_stuck, 2 * found.standing) &&
                         (move_alike || 3 * found.stuck >= found.points);
  return is_enough && (are_held || are_stuck);
}

/// Of good clips 16 at most stay, or a third of those around which things change, which are few where the camera stands
/// still.
bool is_stuck(const StuckPixels& found) {
  constexpr std::int64_t least = 20, share = 2, moved_share = 7;
  return found.staying >= least && share * found.staying >= found.moved && moved_share * found.moved >= found.single;
}

}  // namespace

void StillWatch::look_for_pattern() {
  if (!may_have_fixed_pattern(view_of(first_), view_of(now_))) return;
  const FixedPatternFindings found = inspect_fixed_pattern(view_of(first_), view_of(now_));
  pattern_.points += found.points;
  pattern_.moving += found.moving;
  pattern_.staying += found.staying;
  pattern_.common += found.common;
  pattern_.all += found.all;
}

/// A clean scene has 31 % at most, and a second look at it would tell nothing.
bool StillWatch::is_unclear() const {
  constexpr int enough = 16, clean_percent = 40;
  return pattern_.moving < enough || 100 * pattern_.staying >= clean_percent * pattern_.moving;
}

bool StillWatch::has_pattern() const {
  constexpr int least = 16, percent = 60, least_share = 16;
  return pattern_.moving >= least && 100 * pattern_.staying >= percent * pattern_.moving &&
         least_share * pattern_.common >= pattern_.all;
}

void StillWatch::look_for_standing(std::int64_t apart) {
  if (stands_before(standing_)) return;
  if (apart == 0 || before_.size() != now_.size()) mean_ = FrameMean();
  if (mean_.is_full()) return;
  mean_.add(view_of(now_));
  if (mean_.is_full()) standing_ = mean_.standing();
}

void StillWatch::finish(bool takes_turns) {
  if (!stands_before(standing_) && !mean_.is_full()) standing_ = mean_.standing();
  has_standing_ = stands_before(standing_) && !takes_turns && !spoilt_.is_mixed() && frozen_at_ < 0 &&
                  !is_displaced() && !has_bars();
}

std::string StillWatch::standing_warning(const std::string& video) const {
  return fmt::format(
      "something stands still in {} while the scene moves: of {} sample points {} fit far better once the mean of "
      "frames is taken off, {} fit nowhere better than at their place: dust or drops on the lens, letters or a fence "
      "before the picture, shade of lens or lamp, waves of interference: blocks and points hold on to that: clean or "
      "mend the camera, divide by a picture of a white wall or subtract a dark one, and use what was recorded before "
      "letters were laid over it",
      video, standing_.points, standing_.held, standing_.stuck);
}

/// Of the frame, and of the one before, which has frames on both sides.
void StillWatch::look_at_parts(std::int64_t seen, std::int64_t number) {
  if (frozen_at_ < 0) {
    frozen_ = inspect_frozen_part(view_of(before_), view_of(now_));
    if (frozen_.width > 0) frozen_at_ = number;
  }
  if (missing_at_ < 0 && earlier_.size() == now_.size()) {
    missing_ = inspect_missing_part(view_of(earlier_), view_of(before_), view_of(now_));
    if (missing_.width > 0) missing_at_ = number - 1;
  }
  if (is_looked_at(seen)) {
    if (noise_ == looks_) noise_ += inspect_noise_alone(view_of(before_), view_of(now_)) ? 1 : 0;
    constexpr std::int64_t missed = 2;  // looks: then not enough of them have it
    const bool may_change = looks_ - std::max(bars_, row_noise_) < missed;
    const RowChanges found = may_change ? inspect_row_changes(view_of(before_), view_of(now_)) : RowChanges{};
    const bool rows = found.rows_alike >= rows_alike && found.row_change >= row_change;
    const bool bars = !rows && found.bands_alike >= bands_alike && found.band_change >= band_change;
    if ((bars || rows) && bars_ + row_noise_ == 0) changes_ = found;
    bars_ += bars ? 1 : 0;
    row_noise_ += rows ? 1 : 0;
    ++looks_;
  }
  const RolledFrame roll = inspect_rolled(view_of(before_), view_of(now_));
  if (roll.right == 0 && roll.down == 0) return;
  if (rolled_.frames++ == 0) rolled_.by = roll, rolled_.first = number;
}

void StillWatch::see(const GreyPicture& picture, const ChangeFindings& change, std::int64_t seen, std::int64_t number) {
  std::swap(earliest_, earlier_);
  std::swap(earlier_, before_);
  std::swap(before_, now_);
  copy_upper_bytes(picture, now_);
  constexpr std::int64_t sharp_looks = 2, sharp_percent = 120;  // then it was not compressed strongly
  if (is_looked_at(seen) && (block_looks_ < sharp_looks || block_percent_ >= sharp_percent * block_looks_)) {
    ++block_looks_;
    const BlockSteps found = inspect_blocks(view_of(now_));
    block_percent_ += found.percent;
    block_excess_ += found.excess;
  }
  const std::int64_t apart = (seen - 1) % round;
  if (first_.size() == now_.size() && !has_pattern() && (apart == first_look || (apart == second_look && is_unclear())))
    look_for_pattern();
  if (first_.size() == now_.size() && apart == first_look && !is_stuck(stuck_))
    stuck_ = inspect_stuck_pixels(view_of(first_), view_of(now_));
  if (apart == 0) copy_upper_bytes(picture, first_);
  look_for_standing(apart);
  if (before_.size() == now_.size()) {
    if (watches_cuts_) cuts_.see(view_of(before_), view_of(now_), change, number);
    look_at_parts(seen, number);
    look_for_flip(change.change, number);
  }
  const auto if_there = [this](const Bytes& frame) {
    return frame.size() == now_.size() ? view_of(frame) : FrameLooks::View();
  };
  spoilt_.see({view_of(now_), if_there(before_), if_there(earlier_), if_there(earliest_)}, change.lift, seen, number);
  rows_.add(inspect_wrapped_rows(view_of(now_)), number);
  columns_.add(inspect_wrapped_columns(view_of(now_)), number);
}

/// Where a frame is much farther from the one before than that was.
void StillWatch::look_for_flip(int change, std::int64_t number) {
  constexpr int least = 4 * 256, percent = 150;  // 1/256 grey levels
  const int before = std::exchange(last_change_, change);
  if (flip_ != FrameFlip::none || change < least || 100 * change < percent * before) return;
  flip_ = inspect_flipped(view_of(before_), view_of(now_));
  flipped_at_ = number;
}

std::string StillWatch::flip_warning(const std::string& video) const {
  using enum FrameFlip;
  if (flip_ == none) return "";
  return fmt::format(
      "frame {} of {} is {} beside the one before: blocks and points find nothing from one to the other: turn it back, "
      "or leave it out by --frames",
      flipped_at_, video,
      flip_ == upside_down ? "upside down, its rows in reverse order,"
      : flip_ == mirrored  ? "mirrored, its columns in reverse order,"
                           : "turned by 180 degrees");
}

std::string StillWatch::row_warning(const std::string& video) const {
  if (is_displaced() || spoilt_.has_moving_bars()) return "";
  if (has_bars())
    return fmt::format(
        "bars of light and dark roll through the frames of {}: bands of rows change their brightness by {:.1f} % and "
        "more from a frame to the next, in all of their width alike, as under lamps that flicker with the mains while "
        "rows are read: choose exposures of whole periods (1/100 or 1/120 s), or steady light",
        video, changes_.band_change / 10.24);
  if (looks_ < 2 || 4 * row_noise_ < 3 * looks_) return "";
  return fmt::format(
      "{} has noise of whole rows, which change by {:.1f} grey levels in the median beside their neighbours from a "
      "frame to the next, in all of their width alike: it moves edges: check supply and cable of the camera",
      video, changes_.row_change / 16.0);
}

std::string StillWatch::block_warning(const std::string& video) const {
  if (block_looks_ == 0) return "";
  const BlockSteps mean{static_cast<int>(block_percent_ / block_looks_),
                        static_cast<int>(block_excess_ / block_looks_)};
  if (!mean.are_strong()) return "";
  return fmt::format(
      "{} was compressed strongly: steps between blocks of 8x8 px are {:.1f} times those within them, in the frames "
      "that were looked at, and blocks and points hold on to these: use what the camera gave, or a higher quality",
      video, static_cast<double>(block_percent_) / static_cast<double>(100 * block_looks_));
}

/// Of the frames by themselves.
std::string StillWatch::wrap_warning(const std::string& video) const {
  if (columns_.frames >= few_wrapped)
    return fmt::format(
        "from frame {} on, frames of {} begin amid the picture, at row {}, and go on at its top (seen in {} frames): "
        "the vertical synchronisation was lost, or a part of the data: nothing is where it was. Record it anew, or "
        "leave these frames out by --frames",
        columns_.first, video, columns_.place, columns_.frames);
  if (rows_.frames >= few_wrapped)
    return fmt::format(
        "from frame {} on, rows of {} begin amid the frame, at column {}, and go on at its left edge (seen in {} "
        "frames): a part of the data was lost, or the synchronisation: nothing is where it was. Record it anew, or "
        "leave these frames out by --frames",
        rows_.first, video, rows_.place, rows_.frames);
  return "";
}

/// Beside the frames before them.
std::string StillWatch::roll_warning(const std::string& video) const {
  if (rolled_.frames == 0) return "";
  const auto [right, down] = rolled_.by;
  const std::string way = down != 0 ? fmt::format("{} px {} than", std::abs(down), down > 0 ? "lower" : "higher")
                                    : fmt::format("{} px to the {} of", std::abs(right), right > 0 ? "right" : "left");
  return fmt::format(
      "frame {} of {} lies {} the one before, and what left it comes in again at the other edge ({} such frame{}): "
      "the {} synchronisation was lost, or a part of the data, or each frame of raw video has a header (--size, "
      "--format): nothing is where it was. Record it anew, or leave these frames out by --frames",
      rolled_.first, video, way, rolled_.frames, rolled_.frames == 1 ? "" : "s", down != 0 ? "vertical" : "horizontal");
}

std::vector<std::string> StillWatch::warnings(const std::string& video, Told is_told) const {
  std::vector<std::string> lines;
  const std::string blocks = is_told.blocks ? "" : block_warning(video);
  if (!is_displaced())
    lines = spoilt_.warnings(
        video, {.blocks = is_told.blocks, .compressed = !blocks.empty(), .light = watches_cuts_ || is_told.light});
  if (is_noise() && !is_told.noise)
    lines.push_back(fmt::format(
        "{} shows nothing but noise: neighbouring pixels are as unlike as any two are, and no frame that was looked at "
        "is like the one before: check that nothing covers the lens, the exposure, and the format",
        video));
  for (const std::string& line : {row_warning(video), blocks})
    if (!line.empty()) lines.push_back(line);
  if (std::string flip = flip_warning(video); !flip.empty()) lines.push_back(std::move(flip));
  std::string place;
  if (is_displaced()) place = wrap_warning(video);
  if (is_displaced() && place.empty()) place = roll_warning(video);
  if (!place.empty()) lines.push_back(std::move(place));
  if (frozen_at_ >= 0)
    lines.push_back(fmt::format(
        "a part of frame {} of {} stands still, bit for bit, while all around it moves: {}x{} px from ({}, {}) on: it "
        "hung, was lost, or something is painted over it: nothing moves there. Record it anew, or crop it",
        frozen_at_, video, frozen_.width, frozen_.height, frozen_.x, frozen_.y));
  if (missing_at_ >= 0 && !is_told.part && !is_displaced())
    lines.push_back(fmt::format(
        "a part of frame {} of {} has one grey level, as in neither frame beside it: {}x{} px from ({}, {}) on: it was "
        "damaged or not received whole, and nothing can be found there: leave it out by --frames, or copy it again",
        missing_at_, video, missing_.width, missing_.height, missing_.x, missing_.y));
  if (has_pattern() && blocks.empty() && !spoilt_.is_mixed())  // whose blocks, or ghosts, stay in place
    lines.push_back(fmt::format(
        "{} has a pattern that stays in place where the scene moves, at {} of {} sample points: of columns or rows of "
        "the sensor, stuck pixels, dirt or letters: it holds motion back to 0: subtract a dark frame, or correct the "
        "camera",
        video, pattern_.staying, pattern_.moving));
  else if (is_stuck(stuck_) && !spoilt_.has_salt())
    lines.push_back(fmt::format(
        "{} has single pixels that stand out at one place while what lies around them changes: {} of {} that were "
        "looked at in frames {} apart: hot or stuck pixels of the sensor, which hold motion back to 0: subtract a dark "
        "frame, or put the median of their neighbours in their place",
        video, stuck_.staying, stuck_.moved, first_look));
  else if (has_standing_)
    lines.push_back(standing_warning(video));
  return lines;
}

}  // namespace vergence::cli

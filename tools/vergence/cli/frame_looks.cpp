// SPDX-License-Identifier: Apache-2.0
// Frames that were spoilt where they were made.
#include "cli/frame_looks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "cli/picture_watch.hpp"
#include "cli/upper_bytes.hpp"

namespace vergence::cli {
namespace {

constexpr int most_white = 85;  // percent; bright photographs have up to 52

/// Of few rows, where these are far from white.
int white_percent_near(ImageView<const std::uint8_t> picture) {
  constexpr int few = 64, enough = 8, far_from_white = most_white - 25;
  const int percent = white_percent(picture, few);
  return percent < far_from_white ? percent : white_percent(picture, enough);
}

std::array<int, 4> sides_of(const DarkBars& bars) { return {bars.left, bars.top, bars.right, bars.bottom}; }

template <class Choose>
DarkBars of_both(const DarkBars& a, const DarkBars& b, const Choose& choose) {
  return {choose(a.left, b.left), choose(a.top, b.top), choose(a.right, b.right), choose(a.bottom, b.bottom)};
}

std::string halves_text(AlikeHalves halves) {
  using enum AlikeHalves;
  switch (halves) {
    case none:
      break;
    case mirrored_columns:
      return "the right half of the frames of {} is the mirror image of the left one";
    case mirrored_rows:
      return "the lower half of the frames of {} is the mirror image of the upper one";
    case same_columns:
      return "the right half of the frames of {} is the left one once more";
    case same_rows:
      return "the lower half of the frames of {} is the upper one once more";
  }
  return "";
}

/// Of both frames: the mean brightness of 8 x 6 parts, and what it changes by, in so many parts of a grey level.
constexpr std::size_t cells = 48;
constexpr int parts_of_level = 16;
using Cells = std::array<int, cells>;

Cells light_of(ImageView<const std::uint8_t> frame) {
  constexpr int columns = 8, rows = 6, apart = 4;
  const int width = frame.width() / columns;
  Cells light{};
  if (width < 8 || frame.height() < 8 * rows) return light;
  std::array<std::int64_t, cells> sums{}, counts{};
  for (int y = apart / 2; y < frame.height(); y += apart)
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t cell = static_cast<std::size_t>(y * rows / frame.height()) * columns + column;
      const std::uint8_t* const first = frame.row(y) + static_cast<int>(column) * width;
      sums[cell] += std::accumulate(first, first + width, 0);
      counts[cell] += width;
    }
  for (std::size_t i = 0; i < cells; ++i) light[i] = static_cast<int>(parts_of_level * sums[i] / counts[i]);
  return light;
}

Cells steps_between(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  const Cells from = light_of(before);
  Cells steps = light_of(now);
  for (std::size_t i = 0; i < cells; ++i) steps[i] -= from[i];
  return steps;
}

/// Of the parts: those whose step is about this one.
std::ptrdiff_t percent_within(const Cells& steps, int step, int slack) {
  return 100 * std::count_if(steps.begin(), steps.end(), [=](int one) { return std::abs(one - step) <= slack; }) /
         static_cast<std::ptrdiff_t>(cells);
}

/// Do enough pixels slow down, and more than quicken, that later frames may tell?
bool may_fade(const FadingPixels& found) {
  const std::int64_t slowing = found.brighter + found.darker;
  return 1000 * slowing >= 2 * found.all && 10 * slowing >= 14 * found.quickening;
}

}  // namespace

void FrameLooks::look_at_one(View now) {
  const bool may_have_spots = salt_permille_ >= Spots::least_salt || blocked_ == looks_;
  const Spots spots = may_have_spots ? inspect_spots(now) : Spots{};
  salt_permille_ = std::min(salt_permille_, spots.salt_permille);
  if (spots.blocks > 0) {
    ++blocked_;
    blocks_ = std::min(blocks_, spots.blocks);
  }
  wrapped_ = inspect_wrapped_levels(now) ? wrapped_ + 1 : 0;
  if (white_ == looks_)
    if (const int percent = white_percent_near(now); percent >= most_white) {
      ++white_;
      white_percent_ = std::min(white_percent_, percent);
    }
  if (looks_ == 0 || halves_ != AlikeHalves::none) {
    const AlikeHalves found = inspect_halves(now);
    halves_ = looks_ == 0 || found == halves_ ? found : AlikeHalves::none;
  }
  if (looks_ == 0 || (looks_ == 1 && details_.percent > 0)) {
    const RepeatedDetails found = inspect_repeated_details(now);
    const bool is_same = found.right == details_.right && found.down == details_.down;
    details_ = looks_ == 0 || is_same ? found : RepeatedDetails{};
  }
  if (constexpr int looks = 4; looks_ < looks) look_at_bends(now);
  if (looks_ == 0 || large_.side > 0) large_ = inspect_large_pixels(now);
  const DarkBars padding = inspect_padding(now);
  padding_ = looks_ == 0 ? padding : of_both(padding_, padding, [](int a, int b) { return std::min(a, b); });
  ++looks_;
}

/// Enlargement bends slopes at the same places of all frames; what the scene shows moves.
void FrameLooks::look_at_bends(View now) {
  const InterpolationBends found = inspect_bends(now);
  if (found == InterpolationBends{}) return;  // a sharp frame, before others of a smaller stream
  const int factor = found.factor();
  ++soft_;
  if (factor == 1) return;
  agreeing_ = factor == enlarged_ ? agreeing_ + 1 : 1;
  enlarged_ = factor;
}

void FrameLooks::watch_bars(View now) {
  const DarkBars bars = inspect_dark_bars(now);
  const auto least = [](int a, int b) { return std::min(a, b); };
  const auto most = [](int a, int b) { return std::max(a, b); };
  least_bars_ = frames_ == 0 ? bars : of_both(least_bars_, bars, least);
  most_bars_ = of_both(most_bars_, bars, most);
}

void FrameLooks::watch_light(const Frames& frames, int lift, std::int64_t number) {
  constexpr int may_be = 4 * 256, least = 7 * parts_of_level, percent = 70;  // lift is in 1/256 grey levels
  const int before = std::exchange(last_lift_, lift);
  if (lifted_at_ >= 0 || frames.before.empty() || std::abs(lift) < may_be || std::abs(lift) <= 3 * std::abs(before))
    return;
  const Cells steps = steps_between(frames.before, frames.now);
  Cells sorted = steps;
  std::nth_element(sorted.begin(), sorted.begin() + cells / 2, sorted.end());
  const int step = sorted[cells / 2];
  if (std::abs(step) >= least && percent_within(steps, step, 2 * std::abs(step) / 3) >= percent)
    lifted_at_ = number, lift_ = step / parts_of_level;
}

void FrameLooks::watch_focus(const Frames& frames, std::int64_t number) {
  constexpr int percent = 120;  // photographs and compressed video: 115, and once
  constexpr int lost_percent = 142, other_scene = 12 * parts_of_level, same_percent = 90;
  const int sharpness = inspect_sharpness(frames.now);
  if (blurred_at_ < 0 && sharpness > 0 && !frames.before.empty() && 100 * last_sharpness_ >= lost_percent * sharpness &&
      percent_within(steps_between(frames.before, frames.now), 0, other_scene) >= same_percent)
    blurred_at_ = number, blur_percent_ = 100 * last_sharpness_ / sharpness;
  last_sharpness_ = sharpness;
  if (sharpness == 0) return;
  softest_ = softest_ == 0 ? sharpness : std::min(softest_, sharpness);
  sharpest_ = std::max(sharpest_, sharpness);
  if (high_ == 0) low_ = high_ = sharpness;
  low_ = std::min(low_, sharpness);
  high_ = std::max(high_, sharpness);
  if (way_ >= 0 && 100 * high_ >= percent * sharpness) {
    ++turns_;
    way_ = -1;
    low_ = high_ = sharpness;
  } else if (way_ <= 0 && 100 * sharpness >= percent * low_) {
    ++turns_;
    way_ = 1;
    low_ = high_ = sharpness;
  }
}

void FrameLooks::look_at_mixing(const Frames& frames, std::int64_t seen) {
  constexpr std::int64_t first = 2, second = 4, last = 12;
  if (seen == first) mixed_percent_ = inspect_mixed_in({}, frames.before, frames.now);
  if (frames.earliest.empty() || seen > last) return;
  if (seen == second)
    mixed_percent_ = std::min(mixed_percent_, inspect_mixed_in(frames.earlier, frames.before, frames.now));
  if (seen > second + 1 && !may_fade(fading_)) return;
  const FadingPixels found = inspect_fading(frames.earliest, frames.earlier, frames.before, frames.now);
  fading_.brighter += found.brighter;
  fading_.darker += found.darker;
  fading_.quickening += found.quickening;
  fading_.all += found.all;
}

void FrameLooks::see(const Frames& frames, int lift, std::int64_t seen, std::int64_t number) {
  size_ = frames.now.size();
  if (is_looked_at(seen)) look_at_one(frames.now);
  watch_bars(frames.now);
  watch_light(frames, lift, number);
  watch_focus(frames, number);
  if (!frames.before.empty()) look_at_mixing(frames, seen);
  ++frames_;
}

bool FrameLooks::has_moving_bars() const {
  constexpr int wide = 4, by = 2;  // px
  const std::array least = sides_of(least_bars_), most = sides_of(most_bars_);
  for (std::size_t i = 0; i < least.size(); ++i)
    if (most[i] >= wide && most[i] - least[i] >= by) return true;
  return false;
}

std::string FrameLooks::bar_warning(const std::string& video) const {
  if (!has_moving_bars()) return "";
  const std::array least = sides_of(least_bars_), most = sides_of(most_bars_);
  return fmt::format(
      "dark bars at the edges of {} change (left {} .. {} px, top {} .. {}, right {} .. {}, bottom {} .. {}), as a "
      "stabiliser leaves them, or another format: what lies at them moves with them: crop them, as with `ffmpeg -i "
      "FILE -vf crop={}:{}:{}:{} OUT`",
      video, least[0], most[0], least[1], most[1], least[2], most[2], least[3], most[3],
      size_.width - most[0] - most[2], size_.height - most[1] - most[3], most[0], most[1]);
}

std::string FrameLooks::padding_warning(const std::string& video) const {
  const auto [left, top, right, bottom] = sides_of(padding_);
  if (std::max({left, top, right, bottom}) == 0) return "";
  return fmt::format(
      "lines at the edges of {} repeat the outermost one, as padding does (left {}, top {}, right {}, bottom {} px), "
      "in all frames that were looked at: what moves there cannot be told: crop it, as with `ffmpeg -i FILE -vf "
      "crop={}:{}:{}:{} OUT`",
      video, left, top, right, bottom, size_.width - left - right, size_.height - top - bottom, left, top);
}

/// By one sign, or by both where each is weaker: photographs have 102 % and more, and 2.5 times at most.
bool FrameLooks::is_mixed() const {
  constexpr int explained = 80, perhaps_explained = 90;
  constexpr std::int64_t often = 32, perhaps_often = 22, permille = 5;  // in tenths
  const std::int64_t slowing = fading_.brighter + fading_.darker;
  const bool is_enough = slowing > 0 && 1000 * slowing >= permille * fading_.all &&
                         5 * std::min(fading_.brighter, fading_.darker) >= slowing;  // light goes one way
  const auto slows = [&](std::int64_t times) { return is_enough && 10 * slowing >= times * fading_.quickening; };
  return mixed_percent_ <= explained || (white_ == 0 && slows(often)) ||
         (mixed_percent_ <= perhaps_explained && slows(perhaps_often));
}

std::string FrameLooks::mixing_warning(const std::string& video) const {
  if (!is_mixed()) return "";
  return fmt::format(
      "frames of {} hold a part of those before them, as temporal noise reduction or a slow screen leaves it: what "
      "moves draws a ghost behind it, which holds motion back: switch it off, or use what the camera gave",
      video);
}

std::vector<std::string> FrameLooks::spot_warnings(const std::string& video, bool is_compressed) const {
  std::vector<std::string> lines;
  if (has_salt())
    lines.push_back(fmt::format(
        "{} has single black and white pixels amid others (salt and pepper), {:.1f} % and more in all frames that were "
        "looked at: blocks and points go astray: check cable and sensor, or filter it, as with `ffmpeg -i FILE -vf "
        "median=radius=1 OUT`",
        video, salt_permille_ / 10.0));
  if (looks_ > 0 && blocked_ == looks_ && !is_compressed)  // which leaves such blocks, too
    lines.push_back(fmt::format(
        "frames of {} have blocks of 16x16 px of one grey level, or of one row, with seams around them, {} and more in "
        "all frames that were looked at: a decoder lost them, and nothing can be found there: record or copy it anew",
        video, blocks_));
  return lines;
}

std::string FrameLooks::blur_warning(const std::string& video) const {
  if (blurred_at_ < 0) return "";
  return fmt::format(
      "frame {} of {} is blurred beside the one before: steps between neighbours are {:.1f} times smaller, as where "
      "the focus is lost, the camera turns fast, or a lower resolution is sent: blocks do not match across that, and "
      "what is blurred is found badly: leave these frames out by --frames, or record it anew",
      blurred_at_, video, blur_percent_ / 100.0);
}

std::string FrameLooks::light_warning(const std::string& video) const {
  if (lifted_at_ < 0) return "";
  return fmt::format(
      "frame {} of {} is {} grey levels {} as a whole than the one before: blocks are compared by their brightness, "
      "and go astray there: fix exposure and gain, or leave that frame out by --frames",
      lifted_at_, video, std::abs(lift_), lift_ > 0 ? "brighter" : "darker");
}

std::vector<std::string> FrameLooks::warnings(const std::string& video, Known known) const {
  std::vector<std::string> lines = spot_warnings(video, known.compressed);
  if (constexpr int enough = 2; looks_ > 0 && (wrapped_ == looks_ || wrapped_ >= enough))
    lines.push_back(fmt::format(
        "grey levels of {} wrap: slopes that reach one end of the range go on at the other one, in {} frames that "
        "were looked at: a sum or a factor overflowed, signed bytes were stored as unsigned ones, or the upper bit of "
        "each pixel was lost (none above 127): nothing matches across these edges: mend what computes or copies them",
        video, wrapped_ == looks_ ? "all" : fmt::format("the last {}", wrapped_)));
  if (looks_ > 0 && white_ == looks_)
    lines.push_back(fmt::format(
        "{} % and more of the pixels of {} have the largest value, in all frames that were looked at: nothing can be "
        "found there: check the exposure, or whether it is a drawing",
        white_percent_, video));
  if (const std::string text = halves_text(halves_); !text.empty())
    lines.push_back(fmt::format(fmt::runtime(text), video) +
                    ", in all frames that were looked at: a part was copied to a wrong place: what moves there does "
                    "not move in the scene: record it anew, or crop it");
  if (details_.percent > 0 && !known.blocks)
    lines.push_back(fmt::format(
        "what {} shows comes again {} px {}, in all of the picture (correlation {} %): planes of colour, or exposures, "
        "lie beside each other: blocks and points match the wrong one: lay them over each other, or give one of them",
        video, std::max(details_.right, details_.down), details_.right > 0 ? "to the right" : "further down",
        details_.percent));
  if (agreeing_ > 0 && 2 * agreeing_ >= soft_ && !known.blocks)
    lines.push_back(fmt::format(
        "{} is enlarged {} times with interpolation: its slopes bend every {} px, where pixels were, and what moves is "
        "found in uneven steps of up to as many px: give the video as before, in about {}x{} px",
        video, enlarged_, enlarged_, size_.width / enlarged_, size_.height / enlarged_));
  if (large_.side > 0 && !known.blocks)
    lines.push_back(fmt::format(
        "a part of the frames of {} is in large pixels, as where faces are made unknown, in all that were looked at: "
        "in the last one {}x{} px from ({}, {}) on consist of squares of {} px of one level each, which hold motion "
        "back: use what the camera gave, or leave out what is found there",
        video, large_.part.width, large_.part.height, large_.part.x, large_.part.y, large_.side));
  constexpr int hunting = 3;
  if (turns_ >= hunting)
    lines.push_back(fmt::format(
        "the sharpness of {} falls and rises {} times, by a factor of up to {:.1f}, as where an autofocus hunts: what "
        "is blurred in one frame alone is matched badly: fix the focus, or choose --frames",
        video, turns_, static_cast<double>(sharpest_) / softest_));
  for (std::string line : {turns_ >= hunting ? "" : blur_warning(video), !known.light ? light_warning(video) : "",
                           bar_warning(video), padding_warning(video), mixing_warning(video)})
    if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace vergence::cli

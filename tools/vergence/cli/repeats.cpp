// SPDX-License-Identifier: Apache-2.0
// Frames that come again amid frames that move.
#include "cli/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "vergence/inspect.hpp"

namespace vergence::cli {
namespace {

constexpr int moves = 256;      // a grey level
constexpr int times = 10;       // frames that come again were perhaps compressed: they change by so many times less
constexpr int fading = 64;      // a quarter of a grey level, of a part,
constexpr int most_parts = 12;  // and so many of 16: black ones become no darker
constexpr int odd_change = 8 * 256;  // grey levels, to a frame that is unlike the others and from it,
constexpr int odd_factor = 2;        // and so many times what these differ
constexpr std::size_t many = 3;      // frames: so many that change nothing may be a slide that is shown

/// Even and odd ones in turn, so that both fields of a frame are seen.
template <class Pixel>
Image<Pixel> rows_of(const Image<Pixel>& picture, int step) {
  Image<Pixel> rows(picture.width(), (picture.height() + step - 1) / step);
  for (int y = 0; y < rows.height(); ++y)
    std::memcpy(rows.row(y), picture.row(std::min(step * y + y % 2, picture.height() - 1)),
                static_cast<std::size_t>(picture.width()) * sizeof(Pixel));
  return rows;
}

/// Every second row, from the first or the second one on.
template <class Pixel>
ImageView<const Pixel> field_of(const Image<Pixel>& rows, int first) {
  return {rows.row(first), rows.width(), rows.height() / 2, 2 * rows.stride()};
}

/// In 1/256 grey levels, of one field.
int change_of_field(const GreyPicture& before, const GreyPicture& now, int first) {
  return (now.depth == Depth::u8
              ? inspect_change(field_of(before.u8, first), field_of(now.u8, first), now.max_value, false)
              : inspect_change(field_of(before.u16, first), field_of(now.u16, first), now.max_value, false))
      .change;
}

/// Does one field repeat that of the frame before, while the other one moves on?
bool repeats_a_field(const GreyPicture& before, const GreyPicture& now) {
  if (now.height() < 2) return false;
  const int even = change_of_field(before, now, 0), odd = change_of_field(before, now, 1);
  constexpr int beside = 5;  // halves; of photographs that move both change alike, by 1.1 times at most
  return std::max(even, odd) >= moves && beside * std::min(even, odd) <= 2 * std::max(even, odd);
}

ChangeFindings change(const GreyPicture& before, const GreyPicture& now, const Rect& part, bool lifts) {
  if (now.depth == Depth::u8)
    return inspect_change(ImageView<const std::uint8_t>(before.u8.view()).crop(part),
                          ImageView<const std::uint8_t>(now.u8.view()).crop(part), now.max_value, lifts);
  return inspect_change(ImageView<const std::uint16_t>(before.u16.view()).crop(part),
                        ImageView<const std::uint16_t>(now.u16.view()).crop(part), now.max_value, lifts);
}

/// Of the whole frame, and whether it fades.
struct Change {
  ChangeFindings mean;
  bool fades = false;
};

/// In 4 x 4 parts: where things move, some become darker and others brighter; what fades does one or the other.
Change change(const GreyPicture& before, const GreyPicture& now) {
  constexpr int side = 4, least_width = 8, simd = 16;  // px of whole registers
  const Size size = now.size();
  if (size.width < least_width || size.height < side)
    return {change(before, now, {0, 0, size.width, size.height}, true), false};
  const auto column_at = [&](int part) {
    const int x = size.width * part / side;
    return part < side && size.width >= side * simd ? x / simd * simd : x;
  };
  std::int64_t sum = 0, lift = 0;
  int darker = 0, brighter = 0;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      const int x = column_at(column), y = size.height * row / side;
      const Rect part{x, y, column_at(column + 1) - x, size.height * (row + 1) / side - y};
      const std::int64_t area = std::int64_t{part.width} * part.height;
      const ChangeFindings found = change(before, now, part, true);
      sum += area * found.change;
      lift += area * found.lift;
      darker += found.lift <= -fading ? 1 : 0;
      brighter += found.lift >= fading ? 1 : 0;
    }
  const std::int64_t all = std::int64_t{size.width} * size.height;
  const bool one_way = std::max(darker, brighter) >= most_parts && std::min(darker, brighter) <= 1;
  return {{sum > 0 ? std::max(static_cast<int>(sum / all), 1) : 0, static_cast<int>(lift / all)},
          one_way && std::abs(lift) >= all * moves};
}

/// Frames [first, end) that come again, between two that move.
struct Run {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The run that begins behind change `before`; empty where there is none. An exposure in steps moves nothing: `lifts`.
Run run_behind(const std::vector<std::uint16_t>& changes, const std::vector<bool>& lifts, std::size_t before) {
  const auto comes_again = [&](std::size_t at, std::size_t beside) { return times * changes[at] <= changes[beside]; };
  Run run{before + 1, before + 1};
  if (changes[before] < moves || lifts[before]) return run;
  while (run.end < changes.size() && comes_again(run.end, before)) ++run.end;
  if (run.end == changes.size() || changes[run.end] < moves || lifts[run.end]) return {run.first, run.first};
  for (std::size_t at = run.first; at < run.end; ++at)
    if (!comes_again(at, run.end)) return {run.first, run.first};
  const bool is_amid_motion =
      (before > 0 && changes[before - 1] >= moves) || (run.end + 1 < changes.size() && changes[run.end + 1] >= moves);
  return run.end - run.first < many || is_amid_motion ? run : Run{run.first, run.first};
}

/// Frames [first, end) at the end of the video that change nothing, behind some that move; all frames where none moves.
Run run_at_end(const std::vector<std::uint16_t>& changes, const std::vector<bool>& lifts) {
  constexpr std::size_t enough_still = 4, enough_moving = 3, all_still = 7;
  Run run{changes.size(), changes.size()};
  while (run.first > 0 && changes[run.first - 1] == 0) --run.first;
  const std::size_t still = run.end - run.first;
  if (run.first == 0) return still >= all_still ? run : Run{run.end, run.end};  // a few may stand still
  const auto has_moved = [&](std::size_t at) { return changes[at] >= moves && !lifts[at]; };
  std::size_t moving = 0;
  while (moving < run.first && moving < enough_moving && has_moved(run.first - 1 - moving)) ++moving;
  return still >= enough_still && moving == enough_moving ? run : Run{run.end, run.end};
}

/// Of the rows' bytes, eight at a time; 0 where all of these are alike.
template <class Pixel>
std::uint64_t hash_of(const Image<Pixel>& rows) {
  std::uint64_t hash = 14695981039346656037u, first = 0;
  bool is_flat = true;
  const std::size_t bytes = static_cast<std::size_t>(rows.width()) * sizeof(Pixel);
  for (int y = 0; y < rows.height(); ++y) {
    const auto* const row = reinterpret_cast<const unsigned char*>(rows.row(y));
    for (std::size_t at = 0; at + sizeof(hash) <= bytes; at += sizeof(hash)) {
      std::uint64_t word = 0;
      std::memcpy(&word, row + at, sizeof(word));
      if (y == 0 && at == 0) first = word;
      is_flat = is_flat && word == first;
      hash = (hash ^ word) * 1099511628211u;
      hash ^= hash >> 32;
    }
  }
  return is_flat ? 0 : hash;
}

}  // namespace

GreyPicture some_rows(const GreyPicture& picture, int step) {
  GreyPicture rows;
  rows.depth = picture.depth;
  rows.max_value = picture.max_value;
  if (picture.depth == Depth::u8)
    rows.u8 = rows_of(picture.u8, step);
  else
    rows.u16 = rows_of(picture.u16, step);
  return rows;
}
int change_of(const GreyPicture& before, const GreyPicture& now) {
  return change(before, now, {0, 0, now.width(), now.height()}, false).change;
}

void Repeats::see(const GreyPicture& picture, std::int64_t number) {
  constexpr int high = 512;  // rows of pictures of which half as many tell as much
  GreyPicture rows = some_rows(picture, picture.height() < high ? 8 : 16);
  if (rows_.size() == Size{}) {
    first_ = number;
  } else {
    const Change found = change(rows_, rows);
    last_ = found.mean;
    changes_.push_back(static_cast<std::uint16_t>(std::min(last_.change, 65535)));
    lifts_.push_back(found.fades);
    if (2 * last_.change >= moves && !found.fades && repeats_a_field(rows_, rows) && fields_++ == 0) field_ = number;
    faded_ = found.fades ? faded_ + 1 : 0;
    if (faded_ > longest_fade_) longest_fade_ = faded_, fade_begin_ = number - faded_;
  }
  if (last_rows_.size() != Size{} && (turns_.may_be() || may_be_odd())) {
    const int over_two = change_of(last_rows_, rows);
    if (turns_.may_be()) turns_.see(changes_.back(), over_two);
    const auto both = [this] { return std::min(changes_.back(), changes_[changes_.size() - 2]); };
    if (odd_ < 0 && may_be_odd() && odd_factor * over_two <= both()) {
      odd_ = number - 1;
      odd_rows_ = std::move(rows_);
      rows_ = some_rows(odd_rows_, 1);
      odd_change_ = least_to_odd_ = both();
    }
  }
  if (odd_ >= 0 && number > odd_ + 1 && odd_rows_.size() == rows.size())
    if (const int away = change_of(odd_rows_, rows); away < least_to_odd_) least_to_odd_ = away, like_odd_ = number;
  hashes_.push_back(rows.depth == Depth::u8 ? hash_of(rows.u8) : hash_of(rows.u16));
  order_.see(rows, number);
  known_orders_.see(rows, number);
  blends_.see(rows, number);
  last_rows_ = std::move(rows_);
  rows_ = std::move(rows);
}

/// Are the last two changes far larger than the one before?
bool Repeats::may_be_odd() const {
  const std::size_t count = changes_.size();
  const auto is_large = [this](std::size_t at) { return changes_[at] >= odd_change; };
  return count >= 2 && is_large(count - 1) && is_large(count - 2) &&
         (count == 2 || 2 * changes_[count - 3] <= changes_[count - 2]);
}

std::string Repeats::odd_warning(const std::string& video) const {
  if (odd_ < 0) return "";
  if (odd_factor * least_to_odd_ <= odd_change_)
    return fmt::format(
        "frame {} of {} is unlike both frames beside it, and like frame {}: it seems to belong there: check how frames "
        "were sorted or numbered (10 behind 9, not behind 1), and what wrote the video",
        odd_, video, like_odd_);
  return fmt::format(
      "frame {} of {} is unlike both frames beside it, which are alike: it was damaged, or belongs to something else, "
      "and nothing can be found in it: leave it out by --frames, or copy it again",
      odd_, video);
}

std::string Repeats::copy_warning(const std::string& video) const {
  constexpr std::size_t share = 12;  // more are drawn, or a loop
  std::unordered_map<std::uint64_t, std::size_t> seen;
  std::size_t copies = 0, copy = 0, original = 0;
  for (std::size_t at = 0; at < hashes_.size(); ++at) {
    const auto [place, is_new] = seen.try_emplace(hashes_[at], at);
    const std::size_t first = place->second;
    if (is_new || hashes_[at] == 0 || first + 1 >= at || at > changes_.size()) continue;
    const bool moved = changes_[at - 1] >= moves && (at == changes_.size() || changes_[at] >= moves) &&
                       changes_[first] >= moves && (first == 0 || changes_[first - 1] >= moves);
    // A loop goes on as it did, or back.
    const auto is_like = [&](std::size_t a, std::size_t b) {
      return a < hashes_.size() && b < hashes_.size() && hashes_[a] == hashes_[b];
    };
    if (!moved || is_like(at + 1, first + 1) || is_like(at + 1, first - 1) || is_like(at - 1, first - 1) ||
        is_like(at - 1, first + 1))
      return "";
    if (copies++ == 0) copy = at, original = first;
  }
  if (copies == 0 || share * copies > hashes_.size()) return "";
  const auto number = [this](std::size_t at) { return first_ + static_cast<std::int64_t>(at); };
  return fmt::format(
      "frames {} and {} of {} are the same, bit for bit, where all others move on{}: one of them was copied over "
      "another, or a buffer was read too early or too late: nothing follows from it or leads to it: leave it out by "
      "--frames, or copy the video again",
      number(original), number(copy), video,
      copies == 1 ? "" : fmt::format(", as are {} other pairs of frames", copies - 1));
}

std::string Repeats::fade_warning(const std::string& video) const {
  constexpr std::int64_t enough = 4;  // light that is switched changes one or two
  if (longest_fade_ < enough) return "";
  return fmt::format(
      "frames {} .. {} of {} become darker or brighter as a whole, as in a fade or while an exposure is adjusted: what "
      "moves there cannot be told from what changes its brightness: leave these frames out by --frames, or fix the "
      "exposure",
      fade_begin_, fade_begin_ + longest_fade_, video);
}

bool Repeats::is_telecine() const {
  constexpr std::int64_t least = 2, share = 8;  // two of five frames, or of six
  return fields_ >= least && share * fields_ >= std::ssize(changes_);
}

std::string Repeats::warning(const std::string& video) const {
  if (is_telecine())
    return fmt::format(
        "{} was made of film by repeating fields (telecine, 3:2 pulldown): in {} of its {} frames, such as {}, every "
        "second row is that of the frame before while the others move on: undo it, as with `ffmpeg -i FILE -vf "
        "fieldmatch,decimate OUT`",
        video, fields_, changes_.size() + 1, field_);
  const Run end = run_at_end(changes_, lifts_);
  const bool all = !changes_.empty() && end.first == 0 && end.end == changes_.size();
  if (all)
    return fmt::format(
        "the {} frames of {} are one and the same picture, in which nothing moves: check the camera and the names",
        changes_.size() + 1, video);
  if (end.end > end.first)
    return fmt::format(
        "the last {} frames of {} repeat frame {}, behind frames that move: a camera or a recorder that hung; nothing "
        "moves in them: leave them out by --frames",
        end.end - end.first, video, first_ + static_cast<std::int64_t>(end.first));
  std::size_t repeated = 0;
  Run longest;
  for (std::size_t at = 0; at < changes_.size(); ++at) {
    const Run run = run_behind(changes_, lifts_, at);
    repeated += run.end - run.first;
    if (run.end - run.first > longest.end - longest.first) longest = run;
  }
  if (repeated == 0) return "";
  const std::int64_t first = first_ + static_cast<std::int64_t>(longest.first) + 1;
  const std::int64_t last = first_ + static_cast<std::int64_t>(longest.end);
  return fmt::format(
      "{} of the {} frames of {} repeat the frame before, amid frames that move, such as {}: a camera that hung, or a "
      "rate that was raised by repeating frames; nothing moves in them: drop them, as with `ffmpeg -vf mpdecimate "
      "-vsync vfr`, or choose --frames",
      repeated, changes_.size() + 1, video,
      first == last ? fmt::format("frame {}", first) : fmt::format("frames {} .. {}", first, last));
}

}  // namespace vergence::cli

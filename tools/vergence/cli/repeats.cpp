// SPDX-License-Identifier: Apache-2.0
// Frames that come again amid frames that move.
#include "cli/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

constexpr int side = 4;  // parts along and across

/// The columns at which parts begin, and the end of the last one. A picture of a few pixels is one part.
std::vector<int> columns_of(Size size) {
  constexpr int least_width = 8, simd = 16;  // px of whole registers
  if (size.width < least_width || size.height < side) return {0, size.width};
  std::vector<int> columns{0};
  for (int part = 1; part < side; ++part) {
    const int x = size.width * part / side;
    columns.push_back(size.width >= side * simd ? x / simd * simd : x);
  }
  columns.push_back(size.width);
  return columns;
}

std::vector<std::int64_t> sums_of(const GreyPicture& rows) {
  const std::vector<int> columns = columns_of(rows.size());
  return rows.depth == Depth::u8 ? inspect_sums(ImageView<const std::uint8_t>(rows.u8.view()), columns)
                                 : inspect_sums(ImageView<const std::uint16_t>(rows.u16.view()), columns);
}
std::vector<std::int64_t> differences_of(const GreyPicture& before, const GreyPicture& now) {
  const std::vector<int> columns = columns_of(now.size());
  if (now.depth == Depth::u8)
    return inspect_differences(ImageView<const std::uint8_t>(before.u8.view()),
                               ImageView<const std::uint8_t>(now.u8.view()), columns);
  return inspect_differences(ImageView<const std::uint16_t>(before.u16.view()),
                             ImageView<const std::uint16_t>(now.u16.view()), columns);
}

/// Means of sums over so many pixels, in 1/256 grey levels of 255; of differences at least 1 where there is any.
int mean_of(std::int64_t sum, std::int64_t pixels, int max_value) {
  return static_cast<int>(sum * 255 * 256 / (pixels * max_value));
}
int mean_change(std::int64_t sum, std::int64_t pixels, int max_value) {
  return sum == 0 ? 0 : std::max(mean_of(sum, pixels, max_value), 1);
}

/// Does one field repeat that of the frame before, while the other one moves on? By the differences of rows.
bool repeats_a_field(const std::vector<std::int64_t>& differences, Size size, int max_value) {
  if (size.height < 2) return false;
  const std::size_t parts = differences.size() / static_cast<std::size_t>(size.height);
  std::array<std::int64_t, 2> fields{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(size.height / 2 * 2) * parts; ++i)
    fields[i / parts % 2] += differences[i];
  const auto change = [&](std::int64_t sum) {
    return mean_change(sum, std::int64_t{size.width} * (size.height / 2), max_value);
  };
  const int even = change(fields[0]), odd = change(fields[1]);
  constexpr int beside = 5;  // halves; of photographs that move both change alike, by 1.1 times at most
  return std::max(even, odd) >= moves && beside * std::min(even, odd) <= 2 * std::max(even, odd);
}

ChangeFindings change(const GreyPicture& before, const GreyPicture& now) {
  if (now.depth == Depth::u8)
    return inspect_change(ImageView<const std::uint8_t>(before.u8.view()), ImageView<const std::uint8_t>(now.u8.view()),
                          now.max_value, false);
  return inspect_change(ImageView<const std::uint16_t>(before.u16.view()),
                        ImageView<const std::uint16_t>(now.u16.view()), now.max_value, false);
}

/// Of the whole frame, and whether it fades.
struct Change {
  ChangeFindings mean;
  bool fades = false;
};

/// In 4 x 4 parts: where things move, some become darker and others brighter; what fades does one or the other. By the
/// sums of both frames, and by their differences.
Change change(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& now,
              const std::vector<std::int64_t>& differences, Size size, int max_value) {
  const std::vector<int> columns = columns_of(size);
  const std::size_t parts = columns.size() - 1;
  std::int64_t sum = 0, lift = 0;
  int darker = 0, brighter = 0;
  for (std::size_t row = 0; row < parts; ++row)
    for (std::size_t column = 0; column < parts; ++column) {
      const std::size_t top = static_cast<std::size_t>(size.height) * row / parts,
                        bottom = static_cast<std::size_t>(size.height) * (row + 1) / parts;
      std::int64_t changed = 0, lifted = 0;
      for (std::size_t i = top * parts + column; i < bottom * parts; i += parts) {
        changed += differences[i];
        lifted += now[i] - before[i];
      }
      const auto area = static_cast<std::int64_t>(bottom - top) * (columns[column + 1] - columns[column]);
      const int by = mean_of(lifted, area, max_value);
      sum += area * mean_change(changed, area, max_value);
      lift += area * by;
      darker += by <= -fading ? 1 : 0;
      brighter += by >= fading ? 1 : 0;
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

template <class Pixel>
bool is_flat(const Image<Pixel>& rows) {
  const Pixel* const first = rows.row(0);
  if (!std::equal(first + 1, first + rows.width(), first)) return false;
  for (int y = 1; y < rows.height(); ++y)
    if (!std::equal(first, first + rows.width(), rows.row(y))) return false;
  return true;
}

/// Four sums side by side, of words of 64 bits: each waits for its last step alone. 0 where all pixels are alike.
template <class Pixel>
std::uint64_t hash_of(const Image<Pixel>& rows) {
  constexpr std::uint64_t prime = 0x9E3779B97F4A7C15U;
  if (is_flat(rows)) return 0;
  std::array<std::uint64_t, 4> sums{1, 2, 3, 4}, words{};
  const auto add = [&] {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = (sums[i] ^ words[i]) * prime;
      sums[i] ^= sums[i] >> 29;
    }
  };
  const std::size_t bytes = static_cast<std::size_t>(rows.width()) * sizeof(Pixel), rest = bytes % sizeof words;
  for (int y = 0; y < rows.height(); ++y) {
    const char* const row = reinterpret_cast<const char*>(rows.row(y));
    for (std::size_t at = 0; at < bytes - rest; at += sizeof words) {
      std::memcpy(words.data(), row + at, sizeof words);
      add();
    }
    if (rest == 0) continue;
    words = {};
    std::memcpy(words.data(), row + bytes - rest, rest);
    add();
  }
  std::uint64_t hash = 0;
  for (const std::uint64_t sum : sums) hash = (hash ^ sum) * prime;
  return hash;
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
int change_of(const GreyPicture& before, const GreyPicture& now) { return change(before, now).change; }

std::uint64_t hash_of_rows(const GreyPicture& rows) {
  return rows.depth == Depth::u8 ? hash_of(rows.u8) : hash_of(rows.u16);
}

void Repeats::see(const GreyPicture& picture, std::int64_t number) {
  constexpr int high = 512;  // rows of pictures of which half as many tell as much
  GreyPicture rows = some_rows(picture, picture.height() < high ? 8 : 16);
  std::vector<std::int64_t> sums = sums_of(rows);
  hashes_.push_back(hash_of_rows(rows));
  if (rows_.size() == Size{}) {
    first_ = number;
  } else {
    const std::vector<std::int64_t> differences = differences_of(rows_, rows);
    const Change found = change(sums_, sums, differences, rows.size(), rows.max_value);
    last_ = found.mean;
    changes_.push_back(static_cast<std::uint16_t>(std::min(last_.change, 65535)));
    lifts_.push_back(found.fades);
    if (2 * last_.change >= moves && !found.fades && repeats_a_field(differences, rows.size(), rows.max_value) &&
        fields_++ == 0)
      field_ = number;
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
  order_.see(rows, number);
  known_orders_.see(rows, number);
  blends_.see(rows, number);
  last_rows_ = std::move(rows_);
  rows_ = std::move(rows);
  sums_ = std::move(sums);
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

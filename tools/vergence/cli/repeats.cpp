// SPDX-License-Identifier: Apache-2.0
// Frames that come again amid frames that move.
#include "cli/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace vergence::cli {
namespace {

constexpr int row_step = 8;
constexpr int moves = 256;       // a grey level
constexpr int times = 10;        // frames that come again were perhaps compressed: they change by so many times less
constexpr std::size_t many = 3;  // frames: so many that change nothing may be a slide that is shown

/// Every eighth row.
std::vector<std::uint16_t> rows_of(const GreyPicture& picture) {
  std::vector<std::uint16_t> rows;
  rows.reserve(static_cast<std::size_t>(picture.width()) *
               static_cast<std::size_t>((picture.height() + row_step - 1) / row_step));
  for (int y = 0; y < picture.height(); y += row_step) {
    if (picture.depth == Depth::u8)
      rows.insert(rows.end(), picture.u8.row(y), picture.u8.row(y) + picture.width());
    else
      rows.insert(rows.end(), picture.u16.row(y), picture.u16.row(y) + picture.width());
  }
  return rows;
}

std::uint16_t change(const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b, int max_value) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(int{a[i]} - int{b[i]});
  if (sum == 0) return 0;
  const std::int64_t mean = sum * 255 * 256 / (static_cast<std::int64_t>(a.size()) * max_value);
  return static_cast<std::uint16_t>(std::clamp<std::int64_t>(mean, 1, 65535));
}

/// Frames [first, end) that come again, between two that move.
struct Run {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The run that begins behind change `before`; empty where there is none.
Run run_behind(const std::vector<std::uint16_t>& changes, std::size_t before) {
  const auto comes_again = [&](std::size_t at, std::size_t beside) { return times * changes[at] <= changes[beside]; };
  Run run{before + 1, before + 1};
  if (changes[before] < moves) return run;
  while (run.end < changes.size() && comes_again(run.end, before)) ++run.end;
  if (run.end == changes.size() || changes[run.end] < moves) return {run.first, run.first};
  for (std::size_t at = run.first; at < run.end; ++at)
    if (!comes_again(at, run.end)) return {run.first, run.first};
  const bool is_amid_motion =
      (before > 0 && changes[before - 1] >= moves) || (run.end + 1 < changes.size() && changes[run.end + 1] >= moves);
  return run.end - run.first < many || is_amid_motion ? run : Run{run.first, run.first};
}

}  // namespace

void Repeats::see(const GreyPicture& picture, std::int64_t number) {
  std::vector<std::uint16_t> rows = rows_of(picture);
  if (rows_.empty())
    first_ = number;
  else
    changes_.push_back(change(rows, rows_, picture.max_value));
  if (!last_rows_.empty() && turns_.may_be()) turns_.see(changes_.back(), change(rows, last_rows_, picture.max_value));
  last_rows_ = std::move(rows_);
  rows_ = std::move(rows);
}

std::string Repeats::warning(const std::string& video) const {
  std::size_t repeated = 0;
  Run longest;
  for (std::size_t at = 0; at < changes_.size(); ++at) {
    const Run run = run_behind(changes_, at);
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

// SPDX-License-Identifier: Apache-2.0
// Flat pictures, exchanged bytes, and raw video that was read with another width than it has.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "inspect/to_bytes.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

// Below this share of the largest value there is noise at most: 2 of 255.
constexpr int flat_share = 128;
// Limited range keeps black at 16 of 255.
constexpr int black_share = 16;
// Levels of a picture that shows something.
constexpr int dim_levels = 16;

/// Stops after a row with which the picture is not flat.
template <class Pixel, class Flat>
void extend(ImageView<const Pixel> picture, int step_x, int step_y, PictureFindings& findings, const Flat& flat) {
  for (int y = step_y / 2; y < picture.height() && (findings.highest < findings.lowest || flat()); y += step_y) {
    const Pixel* const row = picture.row(y);
    for (int x = step_x / 2; x < picture.width(); x += step_x) {
      findings.lowest = std::min<int>(findings.lowest, row[x]);
      findings.highest = std::max<int>(findings.highest, row[x]);
    }
  }
}

/// Do neighbours differ less than pixels do from the mean? Those of noise differ by 1.4 times as much.
template <class Pixel>
bool neighbours_are_alike(ImageView<const Pixel> picture) {
  const std::int64_t pixels = std::int64_t{picture.width()} * picture.height();
  std::int64_t sum = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) sum += picture(x, y);
  const std::int64_t mean = sum / pixels;
  std::int64_t steps = 0;
  std::int64_t away = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 1; x < picture.width(); ++x) {
      steps += std::abs(int{picture(x, y)} - int{picture(x - 1, y)});
      away += std::abs(std::int64_t{picture(x, y)} - mean);
    }
  return 10 * steps < 9 * away;
}

template <class Pixel>
PictureFindings inspect_levels(ImageView<const Pixel> picture, int max_value) {
  if (picture.empty())
    throw Error(ErrorCode::invalid_argument, "the picture to be inspected is empty: give at least 1x1 pixels");
  PictureFindings findings{.lowest = std::numeric_limits<int>::max(), .highest = 0};
  const auto flat = [&] { return std::int64_t{findings.highest - findings.lowest} * flat_share <= max_value; };
  constexpr int samples = 64;  // along each side
  extend(picture, std::max(1, picture.width() / samples), std::max(1, picture.height() / samples), findings, flat);
  if (flat()) extend(picture, 1, 1, findings, flat);
  if (!flat()) return findings;
  findings.dim = findings.highest - findings.lowest >= dim_levels && neighbours_are_alike(picture);
  findings.flat = !findings.dim;
  findings.black = findings.flat && findings.highest * black_share <= max_value + max_value / 8;
  return findings;
}

// --- rows of raw video ---

constexpr int segments = 48;  // pieces of rows that are compared
constexpr int segment = 32;   // px each
constexpr int least_rows = 8;
constexpr int least_width = 32;
constexpr int near = 4;  // px: slanted structure moves from row to row by less
constexpr std::int64_t whole = std::numeric_limits<std::int64_t>::max();  // a difference of all segments
constexpr int least_difference = 2;  // grey levels of 255 between neighbouring rows; flat pictures have less

/// Not inlined: in a loop GCC 12 makes no SIMD of it.
[[gnu::noinline]] int segment_difference(const std::uint8_t* a, const std::uint8_t* b) {
  int sum = 0;
  for (int x = 0; x < segment; ++x) sum += std::abs(a[x] - b[x]);
  return sum;
}

/// Bytes of the picture as they lay in the file: one long row.
class LongRow {
 public:
  explicit LongRow(ImageView<const std::uint8_t> picture) {
    pixels_.reserve(static_cast<std::size_t>(picture.width()) * static_cast<std::size_t>(picture.height()));
    for (int y = 0; y < picture.height(); ++y)
      pixels_.insert(pixels_.end(), picture.row(y), picture.row(y) + picture.width());
  }
  /// The sum of absolute differences of all segments to what lies `lag` further on; above `enough`, of some of them.
  std::int64_t difference(std::size_t lag, std::size_t most_lag, std::int64_t enough) const {
    const std::size_t room = pixels_.size() - most_lag - segment;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < segments && sum <= enough; ++i) {
      const std::uint8_t* const a = pixels_.data() + room * i / segments;
      sum += segment_difference(a, a + lag);
    }
    return sum;
  }

  /// The same of pieces that lie in the left half of rows of this width, or in the right one.
  std::int64_t of_half(std::size_t width, bool right, std::size_t lag) const {
    const std::size_t rows = pixels_.size() / width - 3, room = width / 2 - segment;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < segments; ++i) {
      const std::size_t row = rows * i / segments, column = 37 * i % (room + 1) + (right ? width / 2 : 0);
      const std::uint8_t* const a = pixels_.data() + row * width + column;
      sum += segment_difference(a, a + lag);
    }
    return sum;
  }

 private:
  std::vector<std::uint8_t> pixels_;
};

/// Whether each row is two of the picture's: then the halves are more alike than one row and the next, the right half
/// and the next row's left one, too. Pictures side by side are alike within their row alone.
bool are_rows_in_pairs(const LongRow& row, int width) {
  if (width % 2 != 0 || width < 2 * (segment + 1)) return false;
  const auto half = [&](bool right, int lag) {
    return row.of_half(static_cast<std::size_t>(width), right, static_cast<std::size_t>(lag));
  };
  const auto least_near = [&](bool right, int lag) {
    std::int64_t least = half(right, lag);
    for (int away = 1; away <= near; ++away)
      least = std::min({least, half(right, lag - away), half(right, lag + away)});
    return least;
  };
  // Halves that are alike at other distances than a few px nearer or further are far less alike at these.
  constexpr int far_less = 3;
  if (half(false, width / 2) + half(true, width / 2) > far_less * (half(false, width) + half(true, width)))
    return false;
  const std::int64_t left = least_near(false, width / 2), right = least_near(true, width / 2);
  const std::int64_t next = least_near(false, width) + least_near(true, width);
  if (next < 2 * std::int64_t{least_difference} * segments * segment || 10 * (left + right) >= 9 * next ||
      3 * left <= 2 * right || 3 * right <= 2 * left)
    return false;
  std::int64_t beside = 0;
  for (int away = 8; away < 24; away += 2)
    for (const bool side : {false, true}) beside += half(side, width / 2 - away) + half(side, width / 2 + away);
  return 4 * 16 * (left + right) < 3 * beside;
}

std::optional<int> row_length(ImageView<const std::uint8_t> picture) {
  const int width = picture.width();
  if (width < least_width || picture.height() < least_rows) return std::nullopt;
  const LongRow row(picture);
  const int first = std::max(width / 3, 16);
  const int last = 5 * width / 2;
  const auto difference = [&](int lag, std::int64_t enough = whole) {
    return row.difference(static_cast<std::size_t>(lag), static_cast<std::size_t>(last), enough);
  };
  std::int64_t own = whole;
  for (int lag = width - near; lag <= width + near; ++lag) own = std::min(own, difference(lag));
  if (own < std::int64_t{least_difference} * segments * segment) return std::nullopt;
  // Rows that are like the next ones, and unlike all else, are as long as they were read: in photographs and drawings
  // of their own width, places elsewhere differ by 4.4 times as much and more, in others by up to 2.9 times.
  constexpr int places = 8, unlike = 4;
  std::int64_t elsewhere = 0;
  for (int i = 0; i < places; ++i) elsewhere += difference(first + (last - first) * (2 * i + 1) / (2 * places));
  if (unlike * places * own <= elsewhere)
    return are_rows_in_pairs(row, width) ? std::optional(width / 2) : std::nullopt;
  int best = width;
  std::int64_t least = own;
  for (int lag = first; lag <= last; ++lag) {
    if (std::abs(lag - width) <= near) continue;
    // Half of what rows differ, or more, is no other length.
    const std::int64_t here = difference(lag, std::min(least, own / 2));
    if (here < least) least = here, best = lag;
  }
  // Where rows are smooth, any part of one is like any other: the length must stand out from those near it.
  std::int64_t beside = 0;
  for (int away = 8; away < 24; away += 2) beside += difference(best - away) + difference(std::min(best + away, last));
  // Rows twice as far away differ more than the next ones by less than a factor of two; unrelated ones by far more.
  if (4 * 16 * least <= 3 * beside && 2 * least < own) return best;
  return are_rows_in_pairs(row, width) ? std::optional(width / 2) : std::nullopt;
}

/// Rows that take turns, as those of colour filters and of dimmed lines do, are like the next but one; but steps over
/// two pixels go on in the next one, too, as in halves of longer rows they do not.
bool rows_go_on(ImageView<const std::uint8_t> picture) {
  constexpr int rows = 48, apart = 2, percent = 66;  // of mosaics 56 at most, of halves 75 and more
  std::int64_t unlike = 0, all = 0;
  for (int i = 0; i < rows; ++i) {
    const int y = (picture.height() - 1) * (2 * i + 1) / (2 * rows);
    const std::uint8_t *const row = picture.row(y), *const next = picture.row(y + 1);
    for (int x = 0; x + apart < picture.width(); ++x) {
      const int here = row[x + apart] - row[x], below = next[x + apart] - next[x];
      unlike += std::abs(here - below);
      all += std::abs(here) + std::abs(below);
    }
  }
  return 100 * unlike < percent * all;
}

std::optional<int> row_length_but_of_turns(ImageView<const std::uint8_t> picture) {
  const std::optional<int> length = row_length(picture);
  return length && *length % picture.width() == 0 && rows_go_on(picture) ? std::nullopt : length;
}

}  // namespace

PictureFindings inspect_picture(ImageView<const std::uint8_t> picture, int max_value) {
  return inspect_levels(picture, max_value);
}
PictureFindings inspect_picture(ImageView<const std::uint16_t> picture, int max_value) {
  return inspect_levels(picture, max_value);
}

bool inspect_byte_order(ImageView<const std::uint16_t> picture) {
  constexpr int rows = 64;
  constexpr std::int64_t noise = 20;  // levels between neighbouring bytes; those of random ones are 85 apart
  const int step = std::max(1, picture.height() / rows);
  std::int64_t upper = 0, lower = 0, count = 0, between = 0;
  for (int y = step / 2; y < picture.height(); y += step) {
    const std::uint16_t* const row = picture.row(y);
    for (int x = 1; x < picture.width(); ++x, ++count) {
      const int byte = row[x] & 255;
      upper += std::abs((row[x] >> 8) - (row[x - 1] >> 8));
      lower += std::abs(byte - (row[x - 1] & 255));
      between += byte != 0 && byte != 255 ? 1 : 0;
    }
  }
  // Lower bytes of 0, or of 0 and 255, are those of 8-bit pictures that were made 16-bit ones.
  return count > 0 && upper >= noise * count && lower > 0 && upper > 4 * lower && 10 * between > count;
}

std::optional<int> inspect_row_length(ImageView<const std::uint8_t> picture, int max_value) {
  return row_length_but_of_turns(inspect::Bytes(picture, max_value).view());
}
std::optional<int> inspect_row_length(ImageView<const std::uint16_t> picture, int max_value) {
  return row_length_but_of_turns(inspect::Bytes(picture, max_value).view());
}

}  // namespace vergence

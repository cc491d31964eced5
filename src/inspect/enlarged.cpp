// SPDX-License-Identifier: Apache-2.0
// Pictures that were enlarged without interpolation: all steps from pixel to pixel lie between blocks of equal pixels;
// once compressed, most of what the steps come to; where the factor is no whole one, some columns and rows repeat.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "vergence/inspect.hpp"

namespace vergence {
namespace {

constexpr int sides = 16;         // lengths of blocks that are tried, in px
constexpr int most_side = 8;      // of blocks that are told: drawn squares are larger
constexpr int lines = 16;         // that are looked at in each direction
constexpr int least_steps = 100;  // of these
constexpr int step_percent = 10;  // of the places between blocks; fewer are a few edges of a drawing

/// The lengths of blocks that all steps so far allow.
class Lengths {
 public:
  Lengths() { place_.fill(unknown); }
  void add_step(int at) {
    ++steps_;
    for (int side = 2; side <= sides; ++side) {
      int& place = place_[static_cast<std::size_t>(side - 1)];
      if (place == unknown) place = at % side;
      if (place != at % side) place = none;
    }
  }
  /// The longest one; 1 where there is no other.
  int longest() const {
    for (int side = sides; side > 1; --side)
      if (place_[static_cast<std::size_t>(side - 1)] != none) return side;
    return 1;
  }
  int steps() const { return steps_; }

 private:
  static constexpr int unknown = -1, none = -2;
  std::array<int, sides> place_{};  ///< Where in each length steps lie.
  int steps_ = 0;
};

/// The length of blocks along lines. differ(line, i) tells whether the pixels i and i + 1 of a line do.
template <class Differ>
int block_length(int line_count, int length, Differ differ) {
  Lengths lengths;
  for (int i = 0; i < lines; ++i)
    for (int at = 0; at + 1 < length; ++at) {
      if (!differ((2 * i + 1) * line_count / (2 * lines), at)) continue;
      lengths.add_step(at);
      if (lengths.longest() == 1) return 1;
    }
  const int side = lengths.longest();
  const bool enough = lengths.steps() >= least_steps && 100 * lengths.steps() >= step_percent * lines * (length / side);
  return enough && side <= most_side ? side : 1;
}

/// The same of pictures that were compressed since: steps between blocks are larger by a half, in the mean of each
/// place in 24 px, so that the blocks of codecs do not count. step(line, i) is what the pixels i and i + 1 differ by.
template <class Step>
int soft_block_length(int line_count, int length, Step step) {
  constexpr int period = 24, most_soft_side = 4, least_length = 64, enough_steps = 8192;
  if (length < least_length) return 1;
  std::array<std::int64_t, period> sums{};
  const int count = std::clamp(enough_steps / length, 4, lines), whole = (length - 1) / period * period;
  for (int i = 0; i < count; ++i)
    for (int at = 0; at < whole; at += period)
      for (int k = 0; k < period; ++k)
        sums[static_cast<std::size_t>(k)] += step((2 * i + 1) * line_count / (2 * count), at + k);
  const std::int64_t a_level = std::int64_t{count} * (whole / period);
  for (int side = 2; side <= most_soft_side; ++side)
    for (int place = 0; place < side; ++place) {
      std::int64_t least = sums[static_cast<std::size_t>(place)], most = 0;
      for (int k = 0; k < period; ++k) {
        const std::int64_t sum = sums[static_cast<std::size_t>(k)];
        if (k % side == place)
          least = std::min(least, sum);
        else
          most = std::max(most, sum);
      }
      if (least >= a_level && 2 * least >= 3 * most) return side;
    }
  return 1;
}

template <class Pixel>
Size soft_blocks_of(ImageView<const Pixel> picture) {
  const auto in_row = [picture](int y, int x) { return std::abs(picture(x, y) - picture(x + 1, y)); };
  const auto in_column = [picture](int x, int y) { return std::abs(picture(x, y) - picture(x, y + 1)); };
  const int across = soft_block_length(picture.height(), picture.width(), in_row);
  const bool both = across > 1 && soft_block_length(picture.width(), picture.height(), in_column) == across;
  return both ? Size{across, across} : Size{1, 1};
}

/// Lines that are equal to the next one lie as evenly as enlargement puts them; of large factors, those that are not.
bool are_even(const std::vector<int>& places, int length) {
  constexpr std::size_t least = 8;
  if (places.size() < least || 10 * (places.back() - places.front()) < 9 * (length - 1)) return false;
  const int gap = (places.back() - places.front()) / (static_cast<int>(places.size()) - 1);
  int even = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const int own = places[i] - places[i - 1];
    even += own >= gap && own <= gap + 1 ? 1 : 0;
  }
  return 100 * even >= 95 * static_cast<int>(places.size() - 1);
}

/// Of the places between lines, the percentage that no step crosses; 0 where these do not lie evenly.
template <class Differ>
int repeated_percent(int line_count, int length, Differ differ) {
  constexpr int least_percent = 4, busy_percent = 10;
  std::vector<int> equal, steps;
  const auto step = [&](int i, int at) { return differ((2 * i + 1) * line_count / (2 * lines), at); };
  for (int at = 0; at + 1 < length; ++at) {
    int i = 0;
    while (i < lines && !step(i, at)) ++i;
    (i == lines ? equal : steps).push_back(at);
  }
  const auto percent = static_cast<int>(100 * std::ssize(equal) / (length - 1));
  if (percent < least_percent) return 0;
  std::int64_t all_steps = 0;
  for (const int at : steps)
    for (int i = 0; i < lines; ++i) all_steps += step(i, at) ? 1 : 0;
  if (100 * all_steps < busy_percent * lines * std::ssize(steps)) return 0;
  return are_even(equal.size() < steps.size() ? equal : steps, length) ? percent : 0;
}

template <class Pixel>
EnlargedFindings enlargement_of(ImageView<const Pixel> picture) {
  if (picture.width() < 2 * sides || picture.height() < 2 * sides) return {};
  const auto in_row = [picture](int y, int x) { return picture(x, y) != picture(x + 1, y); };
  const auto in_column = [picture](int x, int y) { return picture(x, y) != picture(x, y + 1); };
  const Size found{block_length(picture.height(), picture.width(), in_row),
                   block_length(picture.width(), picture.height(), in_column)};
  if (found != Size{1, 1}) return {.block = found};
  if (const Size soft = soft_blocks_of(picture); soft != Size{1, 1}) return {.block = soft, .compressed = true};
  EnlargedFindings uneven{.columns_percent = repeated_percent(picture.height(), picture.width(), in_row)};
  if (uneven.columns_percent > 0) uneven.rows_percent = repeated_percent(picture.width(), picture.height(), in_column);
  return uneven.rows_percent > 0 ? uneven : EnlargedFindings{};
}

}  // namespace

EnlargedFindings inspect_enlarged(ImageView<const std::uint8_t> picture) { return enlargement_of(picture); }
EnlargedFindings inspect_enlarged(ImageView<const std::uint16_t> picture) { return enlargement_of(picture); }

}  // namespace vergence

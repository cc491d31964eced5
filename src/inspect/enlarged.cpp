// SPDX-License-Identifier: Apache-2.0
// Pictures that were enlarged without interpolation: all steps from pixel to pixel lie between blocks of equal pixels;
// once compressed, most of what the steps come to.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

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

template <class Pixel>
Size blocks_of(ImageView<const Pixel> picture) {
  if (picture.width() < 2 * sides || picture.height() < 2 * sides) return {1, 1};
  const auto in_row = [picture](int y, int x) { return picture(x, y) != picture(x + 1, y); };
  const auto in_column = [picture](int x, int y) { return picture(x, y) != picture(x, y + 1); };
  const Size found{block_length(picture.height(), picture.width(), in_row),
                   block_length(picture.width(), picture.height(), in_column)};
  return found == Size{1, 1} ? soft_blocks_of(picture) : found;
}

}  // namespace

Size inspect_enlarged(ImageView<const std::uint8_t> picture) { return blocks_of(picture); }
Size inspect_enlarged(ImageView<const std::uint16_t> picture) { return blocks_of(picture); }

}  // namespace vergence

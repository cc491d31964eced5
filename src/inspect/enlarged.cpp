// SPDX-License-Identifier: Apache-2.0
// Pictures that were enlarged without interpolation: all steps from pixel to pixel lie between blocks of equal pixels.
#include <algorithm>
#include <array>

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

template <class Pixel>
Size blocks_of(ImageView<const Pixel> picture) {
  if (picture.width() < 2 * sides || picture.height() < 2 * sides) return {1, 1};
  const auto in_row = [picture](int y, int x) { return picture(x, y) != picture(x + 1, y); };
  const auto in_column = [picture](int x, int y) { return picture(x, y) != picture(x, y + 1); };
  return {block_length(picture.height(), picture.width(), in_row),
          block_length(picture.width(), picture.height(), in_column)};
}

}  // namespace

Size inspect_enlarged(ImageView<const std::uint8_t> picture) { return blocks_of(picture); }
Size inspect_enlarged(ImageView<const std::uint16_t> picture) { return blocks_of(picture); }

}  // namespace vergence

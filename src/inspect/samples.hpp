// SPDX-License-Identifier: Apache-2.0
// Sample points with texture, and the search for their patches in another picture.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::inspect {

using Picture = ImageView<const std::uint8_t>;

/// A patch is wide because disparities are searched along rows, and as wide as a SIMD register of bytes.
constexpr int patch_width = 16;
constexpr int patch_height = 8;

/// The upper left corner of a patch.
struct Point {
  int x = 0;
  int y = 0;
};

/// What a patch must show to be searched for.
struct Texture {
  int along_rows = 0;   ///< Mean absolute difference of horizontal neighbours, in 1/16 grey levels of 255.
  int across_rows = 0;  ///< The same of vertical neighbours.
};
Texture texture(Picture picture, Point point);

/// At most one point in each of columns x rows cells of `area`, at which all patches lie inside the picture: the most
/// textured of five places of the cell, if it has at least `least`.
std::vector<Point> choose_points(Picture picture, const Rect& area, int columns, int rows, const Texture& least);

/// Whether choose_points would find a point in a cell, counted row by row.
bool is_textured_cell(Picture picture, const Rect& area, int columns, int rows, const Texture& least, std::size_t cell);

/// Sum of absolute differences of two patches.
inline int difference(Picture a, Point at, Picture b, Point other) {
  int sum = 0;
  for (int y = 0; y < patch_height; ++y) {
    const std::uint8_t* const p = a.row(at.y + y) + at.x;
    const std::uint8_t* const q = b.row(other.y + y) + other.x;
    for (int x = 0; x < patch_width; ++x) sum += std::abs(p[x] - q[x]);  // compilers know this form: one instruction
  }
  return sum;
}

/// A patch on its own, for searches. Its difference is that of `difference` where that is `most` or less. Else it is
/// more than `most`, if not all: what is far off costs a quarter.
class Patch {
 public:
  Patch(Picture picture, Point at) {
    for (int y = 0; y < patch_height; ++y)
      std::memcpy(pixels_ + y * patch_width, picture.row(at.y + y) + at.x, patch_width);
  }
  int difference_up_to(int most, Picture other, Point at) const {
    constexpr int quarter = patch_height / 4, half = patch_height / 2;
    int sum = difference_of_rows<quarter>(0, other, at);
    if (sum > most) return sum;
    sum += difference_of_rows<quarter>(quarter, other, at);
    return sum > most ? sum : sum + difference_of_rows<half>(half, other, at);
  }

 private:
  template <int rows>
  int difference_of_rows(int first, Picture other, Point at) const {
    std::uint8_t there[std::size_t{rows} * patch_width];  // in a row, as compilers know it
    for (int y = 0; y < rows; ++y)
      std::memcpy(there + y * patch_width, other.row(at.y + first + y) + at.x, patch_width);
    const std::uint8_t* const here = pixels_ + first * patch_width;
    int sum = 0;
    for (int x = 0; x < rows * patch_width; ++x) sum += std::abs(here[x] - there[x]);
    return sum;
  }
  alignas(patch_width) std::uint8_t pixels_[patch_width * patch_height];
};

/// How fine the texture of patches is: steps from pixel to pixel along rows, and over four pixels. Gain changes both
/// alike.
struct Sharpness {
  std::int64_t fine = 0;
  std::int64_t coarse = 0;
  void add(Picture picture, Point point);
};

/// A patch and where it was found in the other picture.
struct Match {
  Point from;
  Point to;
};
/// Are these no more alike than chance makes them, the best of many candidates? They differ by more than 7/10 of what a
/// patch differs from that which another one was matched with: unrelated noise by 3/4 and more, clean pairs by less
/// than a half. True where there is none.
bool match_by_chance(Picture from, Picture to, const std::vector<Match>& matches);

inline bool inside(Picture picture, Point point) {
  return point.x >= 0 && point.y >= 0 && point.x <= picture.width() - patch_width &&
         point.y <= picture.height() - patch_height;
}

/// The median; of an even number the upper one. `values` may not be empty, and are reordered.
int median(std::vector<int>& values);

}  // namespace vergence::inspect

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
/// more than `most`, if not all: what is far off costs half.
class Patch {
 public:
  Patch(Picture picture, Point at) {
    for (int y = 0; y < patch_height; ++y)
      std::memcpy(pixels_ + y * patch_width, picture.row(at.y + y) + at.x, patch_width);
  }
  int difference_up_to(int most, Picture other, Point at) const {
    const int sum = difference_of_half(0, other, at);
    return sum > most ? sum : sum + difference_of_half(patch_height / 2, other, at);
  }

 private:
  int difference_of_half(int first, Picture other, Point at) const {
    int sum = 0;
    for (int y = first; y < first + patch_height / 2; ++y) {
      const std::uint8_t* const row = other.row(at.y + y) + at.x;
      for (int x = 0; x < patch_width; ++x) sum += std::abs(pixels_[y * patch_width + x] - row[x]);
    }
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

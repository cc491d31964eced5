// SPDX-License-Identifier: Apache-2.0
// Colour planes that were stored as pixels of three colours: a row of the picture then holds three rows of a plane, or
// one of each plane, beside each other, and steps along it come again after a third of it.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "inspect/to_bytes.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using PlanePicture = ImageView<const std::uint8_t>;

constexpr Size least_planes{96, 32};
constexpr int plane_rows = 64;  // that are looked at
// Correlation of steps along rows a third of the width apart, in percent: planes have 63 and more, pictures 25 at most;
// and what it is some px beside that place.
constexpr int told_alike = 50, most_beside = 60;

/// In percent, of steps along some rows and those so many px to the right, up to `end`.
int steps_alike(PlanePicture picture, int apart, int end) {
  std::int64_t both = 0, own = 0, other = 0;
  const int rows = std::min(picture.height(), plane_rows);
  for (int i = 0; i < rows; ++i) {
    const std::uint8_t* const row = picture.row(picture.height() * i / rows);
    for (int x = 0; x < end; ++x) {
      const int a = row[x + 1] - row[x], b = row[x + apart + 1] - row[x + apart];
      both += a * b;
      own += a * a;
      other += b * b;
    }
  }
  constexpr int least = 2;  // grey levels of a step, squared, in the mean: less is flat
  if (std::min(own, other) < std::int64_t{least} * rows * end) return 0;
  return static_cast<int>(100 * static_cast<double>(both) /
                          std::sqrt(static_cast<double>(own) * static_cast<double>(other)));
}

bool are_planes(PlanePicture picture) {
  const int width = picture.width(), third = (width + 1) / 3;
  if (width < least_planes.width || picture.height() < least_planes.height) return false;
  const int away = width / 16, end = width - third - away - 2;
  int there = 0, beside = 0;
  for (int shift = -1; shift <= 1; ++shift) there = std::max(there, steps_alike(picture, third + shift, end));
  if (there < told_alike) return false;
  for (const int shift : {-away, -away * 2 / 3, away * 2 / 3, away})
    beside = std::max(beside, std::abs(steps_alike(picture, third + shift, end)));
  return 100 * beside <= most_beside * there;
}

}  // namespace

bool inspect_planes(ImageView<const std::uint8_t> picture) { return are_planes(picture); }
bool inspect_planes(ImageView<const std::uint16_t> picture, int max_value) {
  return are_planes(inspect::Bytes(picture, max_value).view());
}

}  // namespace vergence

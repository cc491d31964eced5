// SPDX-License-Identifier: Apache-2.0
// Frames whose rows begin amid the picture, as where a packet of raw video was lost or the horizontal hold is off: both
// edges are neighbours then, and the true edges meet amid. So it is with columns where the vertical hold is off.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/edges.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

constexpr Size least_wrapped{64, 48};
constexpr int far_rows = 16;    // what lies so far apart along an edge is unlike
constexpr int seam_beside = 6;  // columns at each side of the seam

/// A picture, or with rows and columns exchanged.
template <class Pixel, bool exchanged>
class Turned {
 public:
  explicit Turned(ImageView<const Pixel> picture) : picture_(picture) {}
  int width() const { return exchanged ? picture_.height() : picture_.width(); }
  int height() const { return exchanged ? picture_.width() : picture_.height(); }
  int operator()(int x, int y) const { return exchanged ? picture_(y, x) : picture_(x, y); }

 private:
  ImageView<const Pixel> picture_;
};

/// The sum of what two columns differ by, one of them so many rows lower.
template <class Picture>
std::int64_t columns_differ(const Picture& picture, int a, int b, int lower) {
  std::int64_t sum = 0;
  for (int y = 0; y + far_rows < picture.height(); ++y) sum += std::abs(picture(a, y) - picture(b, y + lower));
  return sum;
}

/// The one column at which steps along rows stand out in all of the height; of tiles several do.
template <class Picture>
int seam_of(const Picture& picture, std::int64_t least) {
  constexpr int parts = 4, times_percent = 150;
  const int width = picture.width(), height = picture.height();
  std::vector<std::int64_t> steps(static_cast<std::size_t>(parts * width));
  for (int y = 0; y < height; ++y) {
    std::int64_t* const sums = steps.data() + static_cast<std::ptrdiff_t>(parts * y / height) * width;
    for (int x = 1; x < width; ++x) sums[x] += std::abs(picture(x, y) - picture(x - 1, y));
  }
  const auto step = [&](int part, int x) { return steps[static_cast<std::size_t>(part * width + x)]; };
  int best = 0, seams = 0;
  std::int64_t most = 0;
  for (int x = seam_beside + 1; x + seam_beside < width; ++x) {
    std::int64_t here = 0, beside = 0;
    int standing_out = 0;
    for (int part = 0; part < parts; ++part) {
      std::int64_t largest = 0;
      for (int i = 1; i <= seam_beside; ++i) largest = std::max({largest, step(part, x - i), step(part, x + i)});
      standing_out += 100 * step(part, x) > times_percent * largest ? 1 : 0;
      here += step(part, x);
      beside += largest;
    }
    if (standing_out + 1 < parts || 100 * here <= times_percent * beside || here < least) continue;
    ++seams;
    if (here > most) most = here, best = x;
  }
  constexpr int tiles = 3;
  return seams < tiles ? best : 0;
}

template <class Picture>
int find_wrap(const Picture& picture, int max_value) {
  const int width = picture.width(), height = picture.height();
  if (width < least_wrapped.width || height < least_wrapped.height) return 0;
  const std::int64_t level = std::max(max_value / 255, 1), rows = height - far_rows;
  const auto pixel = [&](int y, int x) { return picture(x, y); };
  if (!inspect::edges_may_meet(height, width - 1, static_cast<int>(level), pixel)) return 0;
  // A row may have its end in the next one.
  const std::int64_t joined =
      std::min(columns_differ(picture, width - 1, 0, 0), columns_differ(picture, width - 1, 0, 1));
  const std::int64_t left = columns_differ(picture, 0, 0, far_rows),
                     right = columns_differ(picture, width - 1, width - 1, far_rows);
  const std::int64_t inner = columns_differ(picture, 0, 1, 0) + columns_differ(picture, width - 2, width - 1, 0);
  constexpr int texture = 8, unlike = 3;
  if (std::min(left, right) < texture * level * rows || unlike * joined > std::min(left, right) ||
      joined > inner + level * rows)
    return 0;
  return seam_of(picture, texture * level * height);
}

}  // namespace

int inspect_wrapped_rows(ImageView<const std::uint8_t> picture) {
  return find_wrap(Turned<std::uint8_t, false>(picture), 255);
}
int inspect_wrapped_rows(ImageView<const std::uint16_t> picture, int max_value) {
  return find_wrap(Turned<std::uint16_t, false>(picture), max_value);
}

int inspect_wrapped_columns(ImageView<const std::uint8_t> picture) {
  return find_wrap(Turned<std::uint8_t, true>(picture), 255);
}
int inspect_wrapped_columns(ImageView<const std::uint16_t> picture, int max_value) {
  return find_wrap(Turned<std::uint16_t, true>(picture), max_value);
}

}  // namespace vergence

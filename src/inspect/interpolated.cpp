// SPDX-License-Identifier: Apache-2.0
// Pictures that were enlarged with interpolation: their slopes bend where pixels were, every 4 to 8 px, and less
// between these. Codecs bend them elsewhere, or with a seam.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr int bend_band = 16;        // lines that are summed: their rounding averages away
constexpr int most_bend_bands = 24;  // along each axis
constexpr int least_bent_side = 64;

/// Adds the stretches of `factor` px of sums over a band.
void add_stretches(const std::vector<int>& sums, int factor, InterpolationBends::Counts& to) {
  const auto bend = [&](int i) {
    return std::abs(sums[static_cast<std::size_t>(i - 1)] + sums[static_cast<std::size_t>(i + 1)] -
                    2 * sums[static_cast<std::size_t>(i)]);
  };
  const auto step = [&](int i) {
    return std::abs(sums[static_cast<std::size_t>(i + 1)] - sums[static_cast<std::size_t>(i)]);
  };
  for (int first = factor; first + factor < static_cast<int>(sums.size()); first += factor) {
    int amid = 0, all = 0, places = 0;  // amid: around the middle of what was a pixel
    for (int i = 0; i < factor; ++i) {
      const int here = bend(first + i);
      all += here;
      if (2 * std::abs(2 * i - factor + 1) >= factor) continue;
      amid += here;
      ++places;
    }
    if (8 * all <= bend_band * factor) continue;
    const int beside = (all - amid) * places, own = amid * (factor - places);
    to.bent += own > beside ? 1 : 0;
    to.straight += own < beside ? 1 : 0;
    int largest = 0;
    for (int i = 1; i < factor; ++i)
      if (step(first + i) > step(first + largest)) largest = i;
    to.seams += 8 * std::abs(largest - factor / 2 + 1) <= factor ? 1 : 0;
  }
}

VERGENCE_FOR_AVX2 InterpolationBends bends_of(ImageView<const std::uint8_t> picture) {
  InterpolationBends found;
  const int width = picture.width(), height = picture.height();
  if (std::min(width, height) < least_bent_side) return found;
  const auto add = [&](const std::vector<int>& sums, std::size_t axis) {
    for (std::size_t i = 0; i < found.counts[axis].size(); ++i)
      add_stretches(sums, InterpolationBends::least_factor + static_cast<int>(i), found.counts[axis][i]);
  };
  const auto first_of = [](int i, int count, int lines) { return (lines - bend_band) * (2 * i + 1) / (2 * count); };
  const int bands = std::min(most_bend_bands, height / bend_band),
            columns = std::min(most_bend_bands, width / bend_band);
  std::vector<int> sums;
  for (int i = 0; i < bands; ++i) {
    sums.assign(static_cast<std::size_t>(width), 0);
    for (int y = first_of(i, bands, height), end = y + bend_band; y < end; ++y)
      for (int x = 0; x < width; ++x) sums[static_cast<std::size_t>(x)] += picture(x, y);
    add(sums, 0);
  }
  for (int i = 0; i < columns; ++i) {
    sums.assign(static_cast<std::size_t>(height), 0);
    for (int y = 0, left = first_of(i, columns, width); y < height; ++y)
      for (int x = left; x < left + bend_band; ++x) sums[static_cast<std::size_t>(y)] += picture(x, y);
    add(sums, 1);
  }
  return found;
}

}  // namespace

InterpolationBends inspect_bends(ImageView<const std::uint8_t> picture) {
  constexpr int soft = 312;  // of 1000: sharp photographs have 360 and more
  const int sharpness = inspect_sharpness(picture);
  return sharpness > 0 && sharpness <= soft ? bends_of(picture) : InterpolationBends{};
}

int InterpolationBends::factor() const {
  constexpr int least = 60, percent = 60, most_seams = 19, ahead = 6;
  const auto share = [](const Counts& found) { return 100 * found.bent / std::max(found.bent + found.straight, 1); };
  const auto is_at_pixels = [&](const Counts& found) {
    const int all = found.bent + found.straight;
    return all >= least && share(found) >= percent && 100 * found.seams <= most_seams * all;
  };
  const std::size_t factors = counts[0].size();
  for (std::size_t i = factors; i-- > 0;) {
    if (!is_at_pixels(counts[0][i]) || !is_at_pixels(counts[1][i])) continue;
    // Letters and patterns bend for several factors.
    int other = 0;
    for (std::size_t k = 0; k < factors; ++k)
      if (k != i) other = std::max({other, share(counts[0][k]), share(counts[1][k])});
    if (std::min(share(counts[0][i]), share(counts[1][i])) >= other + ahead) return least_factor + static_cast<int>(i);
  }
  return 1;
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Rows that change as a whole from a frame to the next: by noise of a sensor's rows, or by light that flickers while
// they are read. What moves changes the parts of a row in different ways.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/sums.hpp"
#include "vergence/inspect_video.hpp"

namespace vergence {
namespace {

using RowFrame = ImageView<const std::uint8_t>;

constexpr Size least_of_rows{128, 96};
constexpr int strips = 4, simd = 16;  // of whole registers
constexpr int band_height = 8;        // rows of a band, in which noise of rows is lost

using Strip = std::vector<int>;
using Strips = std::array<Strip, strips>;

/// The correlation of two strips, in percent.
int alike(const Strip& a, const Strip& b) {
  std::int64_t both = 0, own = 1;
  for (std::size_t y = 0; y < a.size(); ++y) {
    both += std::int64_t{a[y]} * b[y];
    own += std::int64_t{a[y]} * a[y] + std::int64_t{b[y]} * b[y];
  }
  return static_cast<int>(200 * both / own);
}
/// The least one of any two.
int least_alike(const Strips& values) {
  int least = 100;
  for (std::size_t i = 0; i < strips; ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, alike(values[i], values[j]));
  return least;
}

/// The median of what the mean of the strips is off 0.
int strength(const Strips& values) {
  std::vector<int> sizes;
  for (std::size_t y = 0; y < values[0].size(); ++y) {
    int sum = 0;
    for (const Strip& strip : values) sum += strip[y];
    sizes.push_back(std::abs(sum) / strips);
  }
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// Of one strip: what rows change beside their neighbours, and bands beside all of it.
VERGENCE_FOR_AVX2 void add_strip(RowFrame before, RowFrame now, int strip, Strips& rows, Strips& bands) {
  constexpr int most_deviation = 20 * 16;  // edges of the scene count no more than that
  const int width = now.width() / strips / simd * simd, height = now.height() / band_height * band_height;
  std::vector<int> changes;                                // of rows, in 1/16 grey levels
  Strip& ratios = bands[static_cast<std::size_t>(strip)];  // of bands, in 1/1024
  std::int64_t here = 0, then = 0, mean = 0;
  for (int y = 0; y < height; ++y) {
    const std::int64_t a = inspect::sum_of(before.row(y) + strip * width, width),
                       b = inspect::sum_of(now.row(y) + strip * width, width);
    changes.push_back(static_cast<int>(16 * (b - a) / width));
    here += b, then += a;
    if (y % band_height != band_height - 1) continue;
    const std::int64_t dark = std::int64_t{8} * width * band_height;  // ratios of black would be noise
    ratios.push_back(static_cast<int>(2048 * (here - then) / (here + then + 2 * dark)));
    mean += ratios.back();
    here = then = 0;
  }
  mean /= std::ssize(ratios);
  for (int& ratio : ratios) ratio -= static_cast<int>(mean);
  Strip& deviations = rows[static_cast<std::size_t>(strip)];
  for (std::size_t y = 1; y + 1 < changes.size(); ++y)
    deviations.push_back(
        std::clamp(changes[y] - (changes[y - 1] + changes[y + 1]) / 2, -most_deviation, most_deviation));
}

}  // namespace

RowChanges inspect_row_changes(ImageView<const std::uint8_t> before, ImageView<const std::uint8_t> now) {
  if (before.size() != now.size() || now.width() < 1 || now.height() < 1)
    throw Error(ErrorCode::invalid_argument, "frames differ in size or are empty: give frames of one size");
  if (now.width() < least_of_rows.width || now.height() < least_of_rows.height) return {};
  constexpr int hardly_alike = 40;  // percent, of the outermost two, which says enough
  Strips rows, bands;
  add_strip(before, now, 0, rows, bands);
  add_strip(before, now, strips - 1, rows, bands);
  const RowChanges outer{.rows_alike = alike(rows.front(), rows.back()),
                         .bands_alike = alike(bands.front(), bands.back())};
  if (std::max(outer.rows_alike, outer.bands_alike) < hardly_alike) return outer;
  for (int strip = 1; strip + 1 < strips; ++strip) add_strip(before, now, strip, rows, bands);
  return {.rows_alike = least_alike(rows),
          .row_change = strength(rows),
          .bands_alike = least_alike(bands),
          .band_change = strength(bands)};
}

}  // namespace vergence

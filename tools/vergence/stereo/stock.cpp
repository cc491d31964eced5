// SPDX-License-Identifier: Apache-2.0
// What a map holds, counted.
#include "stereo/stock.hpp"

#include <algorithm>

namespace vergence::cli {
namespace {

template <class Disparity>
void count_valid(const Image<Disparity>& map, int invalid, MapStock& stock) {
  constexpr Disparity half = 8;  // of a px, in 1/16
  for (int y = 0; y < map.height(); ++y) {
    const Disparity* const row = map.row(y);
    for (int x = 0; x < map.width(); ++x) {
      stock.valid += row[x] != invalid ? 1 : 0;
      stock.sum += row[x] != invalid ? row[x] : 0;
      stock.zero += row[x] != invalid && row[x] >= -half && row[x] <= half ? 1 : 0;
    }
  }
}

}  // namespace

MapShares MapStock::shares(int disparities) const {
  const auto part = [](std::int64_t some, std::int64_t all) {
    return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0.0;
  };
  return {part(valid - filled, pixels), part(filled, pixels), part(sum, valid) / (16.0 * disparities), pixels,
          part(zero, valid)};
}

MapStock stock_of(const StereoMaps& maps, const StereoOptions& options, int invalid) {
  MapStock stock;
  const Size size = maps.wide ? maps.wide_map.size() : maps.narrow.size();
  const Rect area = options.roi.value_or(Rect{0, 0, size.width, size.height});
  stock.pixels = std::int64_t{area.width} * area.height;
  if (maps.wide)
    count_valid(maps.wide_map, invalid, stock);
  else
    count_valid(maps.narrow, invalid, stock);
  const Image<std::uint8_t>& mask = maps.mask;
  for (int y = 0; options.fill != StereoFill::none && y < mask.height(); ++y)
    stock.filled += std::count(mask.row(y), mask.row(y) + mask.width(), filled_pixel);
  return stock;
}

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// What a map holds, counted.
#include "stereo/stock.hpp"

#include <algorithm>

#include "cli/map_sums.hpp"

namespace vergence::cli {

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
  const DisparitySums sums = maps.wide ? sums_of(maps.wide_map.view(), invalid) : sums_of(maps.narrow.view(), invalid);
  stock.valid = sums.valid;
  stock.zero = sums.zero;
  stock.sum = sums.sum;
  const Image<std::uint8_t>& mask = maps.mask;
  for (int y = 0; options.fill != StereoFill::none && y < mask.height(); ++y)
    stock.filled += std::count(mask.row(y), mask.row(y) + mask.width(), filled_pixel);
  return stock;
}

}  // namespace vergence::cli

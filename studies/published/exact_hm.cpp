// SPDX-License-Identifier: Apache-2.0
// Reference: the test-zone search of HM, block after block.
#include "published/exact_hm.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "definitions/motion/rate.h"
#include "definitions/motion/tz.h"
#include "reference/motion/block_search.hpp"

namespace vergence::reference::exact_hm {
namespace {

using Pictures = MotionPictures<std::uint8_t>;

/// Points of the diamonds of 2, 4 and 8 in HM's order: N, NW, NE, W, E, SW, SE, S.
constexpr std::array<int, 8> hm_order{1, 0, 2, 3, 4, 5, 7, 6};

class Search {
 public:
  Search(const Pictures& pictures, const Settings& settings, const Block& block, MotionVector prediction)
      : pictures_(pictures), settings_(settings), block_(block), prediction_(prediction) {
    const int x = definitions::whole_pixels(prediction.dx);
    const int y = definitions::whole_pixels(prediction.dy);
    range_x_ = window(x, block.x, pictures.current.width());
    range_y_ = window(y, block.y, pictures.current.height());
  }

  Match run() {
    const int x = definitions::whole_pixels(prediction_.dx);
    const int y = definitions::whole_pixels(prediction_.dy);
    best_ = {x, y, j_of(x, y)};
    if (x != 0 || y != 0) attempt(0, 0, 0);
    grow(settings_.stops_early ? 3 : settings_.range);
    if (distance_ == 1) try_missing();
    constexpr int mesh = definitions::tz_raster();
    if (distance_ > mesh) {
      distance_ = mesh;
      for (int dy = range_y_.first; dy <= range_y_.last; dy += mesh)
        for (int dx = range_x_.first; dx <= range_x_.last; dx += mesh) attempt(dx, dy, mesh);
    }
    while (distance_ > 0) {
      distance_ = 0;
      has_direction_ = false;
      grow(settings_.range);
      if (distance_ == 1) try_missing();
    }
    return best_;
  }

 private:
  /// About the prediction, but so that the block stays within a unit and 8 px of the frame.
  MotionRange window(int prediction, int start, int side) const {
    const int lowest = -settings_.largest_unit - 8 - start + 1;
    const int highest = side + 8 - start - 1;
    return {std::clamp(prediction - settings_.range, lowest, highest),
            std::clamp(prediction + settings_.range, lowest, highest)};
  }

  std::uint64_t j_of(int dx, int dy) const {
    std::uint64_t sum = 0;
    const int step = settings_.skips_rows && block_.height > 8 ? 2 : 1;
    for (int y = block_.y; y < block_.y + block_.height; y += step)
      for (int x = block_.x; x < block_.x + block_.width; ++x)
        sum += static_cast<std::uint64_t>(
            std::abs(current_pixel(pictures_, x, y) - reference_pixel(pictures_, x + dx, y + dy)));
    const int bits = definitions::vector_bits(4 * dx, 4 * dy, prediction_.dx, prediction_.dy);
    return sum * static_cast<std::uint64_t>(step) + definitions::motion_rate(settings_.lambda, bits);
  }

  /// Strictly smaller wins.
  bool attempt(int dx, int dy, int distance) {
    const std::uint64_t j = j_of(dx, dy);
    if (j >= best_.j) return false;
    best_ = {dx, dy, j};
    distance_ = distance;
    has_direction_ = false;
    return true;
  }
  bool is_in_window(int dx, int dy) const {
    return dx >= range_x_.first && dx <= range_x_.last && dy >= range_y_.first && dy <= range_y_.last;
  }

  void grow(int patience) {
    const Match centre = best_;
    int idle = 0;
    for (int distance = 1; distance <= settings_.range && idle < patience; distance *= 2)
      idle = diamond(centre, distance) ? 0 : idle + 1;
  }

  bool diamond(const Match& centre, int distance) {
    bool gain = false;
    for (int i = 0; i < definitions::tz_count(distance); ++i) {
      const int k = distance > 1 && distance <= 8 ? hm_order[static_cast<std::size_t>(i)] : i;
      const int x = definitions::tz_x(distance, k);
      const int y = definitions::tz_y(distance, k);
      if (!is_in_window(centre.dx + x, centre.dy + y)) continue;
      if (!attempt(centre.dx + x, centre.dy + y, definitions::tz_distance(distance, k))) continue;
      gain = true;
      has_direction_ = distance <= 8;  // HM numbers no points beyond
      from_x_ = x;
      from_y_ = y;
    }
    return gain;
  }

  void try_missing() {
    const Match centre = best_;
    const bool has_direction = has_direction_;
    distance_ = 0;
    if (!has_direction) return;
    for (int i = 0; i < 2; ++i) {
      const int dx = centre.dx + definitions::tz_missing_x(from_x_, from_y_, i);
      const int dy = centre.dy + definitions::tz_missing_y(from_x_, from_y_, i);
      if (is_in_window(dx, dy)) attempt(dx, dy, 2);
    }
  }

  const Pictures& pictures_;
  const Settings& settings_;
  Block block_;
  MotionVector prediction_;
  MotionRange range_x_, range_y_;
  Match best_;
  int distance_ = 0;
  bool has_direction_ = false;
  int from_x_ = 0;
  int from_y_ = 0;
};

int median(int a, int b, int c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

/// Median of the left, upper and upper right block's vectors, in quarters; zero where there is none.
MotionVector predict_from(const Image<Match>& done, int column, int row) {
  const auto at = [&](int x, int y) { return x >= 0 && y >= 0 && x < done.width() ? done(x, y) : Match{}; };
  const Match left = at(column - 1, row);
  const Match up = at(column, row - 1);
  const Match right = at(column + 1, row - 1);
  return {static_cast<std::int16_t>(4 * median(left.dx, up.dx, right.dx)),
          static_cast<std::int16_t>(4 * median(left.dy, up.dy, right.dy))};
}

}  // namespace

Image<Match> test_zones(ImageView<const std::uint8_t> current, ImageView<const std::uint8_t> reference,
                        const Settings& settings) {
  const Size size = current.size();
  const Pictures pictures{current, reference};
  Image<Match> matches(definitions::block_count(size.width, settings.block.width),
                       definitions::block_count(size.height, settings.block.height));
  for (int row = 0; row < matches.height(); ++row)
    for (int column = 0; column < matches.width(); ++column) {
      const MotionVector prediction = predict_from(matches, column, row);
      matches(column, row) =
          Search(pictures, settings, make_block(size, settings.block, column, row), prediction).run();
    }
  return matches;
}

}  // namespace vergence::reference::exact_hm

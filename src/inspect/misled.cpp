// SPDX-License-Identifier: Apache-2.0
// Disparities of a map that another measure contradicts: by whether pixels are brighter than those around them, which
// brightness, shade and gain do not change, the patch of another disparity is far more alike, and alone so.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/samples.hpp"
#include "vergence/inspect.hpp"

namespace vergence {
namespace {

using inspect::patch_height;
using inspect::patch_width;

constexpr int census_x = 3, census_y = 2;  // px from a pixel to those that it is compared with
constexpr Size least_misled{64, 48};

/// Of the rows of a patch: a bit for each of eight pixels around, whether it is brighter.
class CensusRows {
 public:
  CensusRows(ImageView<const std::uint8_t> picture, int top) : bits_(picture.width(), patch_height) {
    const int width = picture.width();
    for (int y = 0; y < patch_height; ++y) {
      std::uint8_t* const to = bits_.row(y);
      std::fill_n(to, width, std::uint8_t{0});
      const std::uint8_t* const row = picture.row(top + y);
      int bit = 0;
      for (const int down : {-census_y, 0, census_y})
        for (const int right : {-census_x, 0, census_x}) {
          if (down == 0 && right == 0) continue;
          const std::uint8_t* const other = picture.row(top + y + down) + right;
          const auto value = static_cast<std::uint8_t>(1 << bit++);
          for (int x = census_x; x < width - census_x; ++x)
            to[x] = static_cast<std::uint8_t>(to[x] | (other[x] > row[x] ? value : 0));
        }
    }
  }
  int width() const { return bits_.width(); }
  const std::uint8_t* at(int x, int y) const { return bits_.row(y) + x; }

 private:
  Image<std::uint8_t> bits_;
};

/// Bits of two patches that differ, or `most` and more where they are not fewer.
int unlike_bits(const CensusRows& a, int x, const CensusRows& b, int other, int most) {
  using Words = std::array<std::uint64_t, patch_width / sizeof(std::uint64_t)>;
  int sum = 0;
  for (int y = 0; y < patch_height && sum < most; ++y) {
    Words p, q;
    std::memcpy(p.data(), a.at(x, y), sizeof(p));
    std::memcpy(q.data(), b.at(other, y), sizeof(q));
    for (std::size_t i = 0; i < p.size(); ++i) sum += std::popcount(p[i] ^ q[i]);
  }
  return sum;
}

struct DisparityRange {
  int first = 0, last = 0;
};

constexpr int beside_census = 2;   // px: the same disparity
constexpr int alone_percent = 70;  // of what other disparities differ by, at most

/// The disparity of a patch of the left view that differs by far less than those near `here`, and than all others; or
/// `here`.
int better_disparity(const CensusRows& left, const CensusRows& right, int x, int here, DisparityRange range) {
  const auto is_inside = [&](int d) { return x - d >= census_x && x - d + patch_width + census_x <= right.width(); };
  constexpr int all = 8 * patch_width * patch_height;
  int there = all;
  for (int d = here - beside_census; d <= here + beside_census; ++d)
    if (is_inside(d)) there = std::min(there, unlike_bits(left, x, right, x - d, there));
  int best = here, least = there, next = there;  // next: the least that is not beside the best one
  std::vector<int> costs;
  for (int d = range.first; d <= range.last; ++d) {
    const int cost =
        is_inside(d) && std::abs(d - here) > beside_census ? unlike_bits(left, x, right, x - d, there) : there;
    costs.push_back(cost);
    if (cost < least) least = cost, best = d;
  }
  if (100 * least >= alone_percent * there) return here;
  for (int d = range.first; d <= range.last; ++d)
    if (std::abs(d - best) > beside_census) next = std::min(next, costs[static_cast<std::size_t>(d - range.first)]);
  return 100 * least < alone_percent * next ? best : here;
}

bool census_leads_back(const CensusRows& left, const CensusRows& right, int x, int disparity, DisparityRange range) {
  const int at = x - disparity;
  int least = 8 * patch_width * patch_height, best = 0;
  for (int d = range.first; d <= range.last; ++d) {
    if (at + d < census_x || at + d + patch_width + census_x > left.width()) continue;
    if (const int cost = unlike_bits(right, at, left, at + d, least); cost < least) least = cost, best = d;
  }
  return std::abs(best - disparity) <= 1;
}

template <class Disparity>
VERGENCE_FOR_AVX2 MisledFindings misled_of(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                                           ImageView<const Disparity> map, int invalid, DisparityRange range) {
  constexpr int columns = 16, rows = 15, first_rows = 4, unit = 16;
  constexpr int doubtful = 5;  // percent of the first ones
  MisledFindings found;
  const auto look_at_row = [&](int row) {
    const int top = census_y + (left.height() - patch_height - 2 * census_y) * (2 * row + 1) / (2 * rows);
    const CensusRows a(left, top), b(right, top);
    for (int column = 0; column < columns; ++column) {
      const int x = census_x + (left.width() - patch_width - 2 * census_x) * (2 * column + 1) / (2 * columns);
      const Disparity value = map(x + patch_width / 2, top + patch_height / 2);
      if (value == invalid) continue;
      ++found.points;
      const int here = static_cast<int>((value + (value < 0 ? -unit / 2 : unit / 2)) / unit);
      const int better = better_disparity(a, b, x, here, range);
      found.elsewhere += better != here && census_leads_back(a, b, x, better, range) ? 1 : 0;
    }
  };
  for (int row = 1; row < rows; row += first_rows) look_at_row(row);
  if (100 * found.elsewhere < doubtful * found.points) return found;
  for (int row = 0; row < rows; ++row)
    if (row % first_rows != 1) look_at_row(row);
  return found;
}

template <class Disparity>
MisledFindings inspect_map(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                           ImageView<const Disparity> map, int invalid, const StereoOptions& options) {
  if (left.size() != right.size() || left.size() != map.size())
    throw Error(ErrorCode::invalid_argument, "left, right and map differ in size: give a pair and its map");
  if (left.width() < least_misled.width || left.height() < least_misled.height) return {};
  if (options.reference != StereoView::left) return {};
  return misled_of(left, right, map, invalid, {options.min_disparity, options.min_disparity + options.disparities - 1});
}

}  // namespace

MisledFindings inspect_misled(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                              ImageView<const std::int16_t> map, int invalid, const StereoOptions& options) {
  return inspect_map(left, right, map, invalid, options);
}
MisledFindings inspect_misled(ImageView<const std::uint8_t> left, ImageView<const std::uint8_t> right,
                              ImageView<const std::int32_t> map, int invalid, const StereoOptions& options) {
  return inspect_map(left, right, map, invalid, options);
}

}  // namespace vergence

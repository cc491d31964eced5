// SPDX-License-Identifier: Apache-2.0
// Sums over all pixels of a map.
#include "cli/map_sums.hpp"

#include <algorithm>
#include <type_traits>

namespace vergence::cli {
namespace {

constexpr int half = 8;        ///< Of a px, in 1/16.
constexpr int most = 1 << 14;  ///< Pixels of a part: 16 bits count them.

/// Of a part of a row, in the narrowest types: what compilers find short vector code for.
template <class Disparity>
void add_part(const Disparity* row, int count, Disparity invalid, DisparitySums& sums) {
  using Sum = std::conditional_t<sizeof(Disparity) == 2, std::int32_t, std::int64_t>;
  Disparity valid = 0, zero = 0;
  Sum sum = 0;
  for (int x = 0; x < count; ++x) {
    const Disparity value = row[x];
    const auto is_valid = static_cast<Disparity>(value != invalid);
    const auto is_near = static_cast<Disparity>((value >= -half) & (value <= half));
    valid = static_cast<Disparity>(valid + is_valid);
    zero = static_cast<Disparity>(zero + (is_near & is_valid));
    sum += static_cast<Sum>(value) * static_cast<Sum>(is_valid);
  }
  sums.valid += valid;
  sums.zero += zero;
  sums.sum += sum;
}

template <class Disparity>
DisparitySums add_all(ImageView<const Disparity> map, int invalid) {
  DisparitySums sums;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); x += most)
      add_part(map.row(y) + x, std::min(most, map.width() - x), static_cast<Disparity>(invalid), sums);
  return sums;
}

}  // namespace

DisparitySums sums_of(ImageView<const std::int16_t> map, int invalid) { return add_all(map, invalid); }
DisparitySums sums_of(ImageView<const std::int32_t> map, int invalid) { return add_all(map, invalid); }

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Sums over all pixels of a map.
#include "cli/map_sums.hpp"

#include <algorithm>
#include <type_traits>

namespace vergence::cli {
namespace {

/// Of a part of a row, in types that its sums fit: compilers find vector code for narrow ones.
template <class Disparity>
void add_part(const Disparity* row, int count, int invalid, DisparitySums& sums) {
  using Sum = std::conditional_t<sizeof(Disparity) == 2, std::int32_t, std::int64_t>;
  constexpr int half = 8;  // of a px, in 1/16
  std::int32_t valid = 0, zero = 0;
  Sum sum = 0;
  for (int x = 0; x < count; ++x) {
    const std::int32_t value = row[x];
    const std::int32_t is_valid = value != invalid ? 1 : 0;
    valid += is_valid;
    zero += value >= -half && value <= half ? is_valid : 0;
    sum += is_valid != 0 ? value : 0;
  }
  sums.valid += valid;
  sums.zero += zero;
  sums.sum += sum;
}

template <class Disparity>
DisparitySums add_all(ImageView<const Disparity> map, int invalid) {
  constexpr int most = 1 << 15;  // pixels of 16 bits whose sum fits 31 bits
  DisparitySums sums;
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); x += most)
      add_part(map.row(y) + x, std::min(most, map.width() - x), invalid, sums);
  return sums;
}

}  // namespace

DisparitySums sums_of(ImageView<const std::int16_t> map, int invalid) { return add_all(map, invalid); }
DisparitySums sums_of(ImageView<const std::int32_t> map, int invalid) { return add_all(map, invalid); }

}  // namespace vergence::cli

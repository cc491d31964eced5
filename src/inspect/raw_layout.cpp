// SPDX-License-Identifier: Apache-2.0
// Bytes of lower bits are noise, or always the same, and stand at every so many-th place; the ones on both sides of
// them are neighbours. Bytes in tiles are most like those one row of a tile further on.
#include "inspect/raw_layout.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace vergence::inspect {
namespace {

constexpr std::size_t most_bytes = 1 << 17;  // that are looked at

using RawBytes = std::span<const std::uint8_t>;

/// Of bytes at one place of each group: to the next byte, to the same place of the next group, and to the one behind
/// the lower bits.
struct Place {
  std::int64_t next = 0, group = 0;
};

/// `low` places from `first` on hold lower bits.
struct Packing {
  int period, low;
};

bool fits(const std::array<Place, 8>& places, std::int64_t across, std::int64_t groups, Packing packing, int first) {
  constexpr std::int64_t least = 1, noise = 40;  // grey levels
  const auto is_low = [&](int place) { return (place - first + packing.period) % packing.period < packing.low; };
  std::int64_t upper = 0, uppers = 0, touching = 0, touchings = 0, upper_group = 0, low_group = 0;
  for (int place = 0; place < packing.period; ++place) {
    const Place& here = places[static_cast<std::size_t>(place)];
    const bool touches = is_low(place) || is_low((place + 1) % packing.period);
    (touches ? touching : upper) += here.next;
    (touches ? touchings : uppers) += 1;
    (is_low(place) ? low_group : upper_group) += here.group;
  }
  const int high = packing.period - packing.low;
  const bool is_noise = low_group >= noise * groups * packing.low && low_group * high > 2 * upper_group * packing.low;
  const bool is_unused = low_group == 0;
  if (uppers == 0) uppers = 1, upper = upper_group / high / 2;
  return (is_noise || is_unused) && upper >= least * groups * uppers / 2 && upper_group > 0 &&
         2 * touching * uppers > 5 * upper * touchings && 2 * across * uppers < 5 * upper && across > 0;
}

/// Drawn pictures have few.
bool has_many_levels(RawBytes bytes) {
  constexpr std::ptrdiff_t many = 32;
  std::array<bool, 256> seen{};
  for (const std::uint8_t value : bytes) seen[value] = true;
  return std::count(seen.begin(), seen.end(), true) >= many;
}

}  // namespace

int packed_bits_period(RawBytes frame) {
  constexpr std::array<Packing, 3> packings{{{5, 1}, {3, 1}, {7, 3}}};
  const RawBytes bytes = frame.first(std::min(frame.size(), most_bytes));
  if (!has_many_levels(bytes)) return 0;
  for (const Packing packing : packings) {
    const auto period = static_cast<std::size_t>(packing.period);
    std::array<Place, 8> places{};
    std::array<std::int64_t, 8> across{};  // over what begins at each place, as lower bits do
    std::int64_t groups = 0;
    for (std::size_t at = period; at + 3 * period < bytes.size(); at += period, ++groups)
      for (std::size_t place = 0; place < period; ++place) {
        const std::uint8_t* const here = bytes.data() + at + place;
        places[place].next += std::abs(here[1] - here[0]);
        places[place].group += std::abs(here[period] - here[0]);
        across[place] += std::abs(here[packing.low] - here[-1]);
      }
    for (int first = 0; first < packing.period; ++first)
      if (groups > 0 && fits(places, across[static_cast<std::size_t>(first)], groups, packing, first))
        return packing.period;
  }
  return 0;
}

int tile_side(RawBytes frame, int width) {
  constexpr std::array<int, 5> sides{8, 16, 32, 64, 128};
  constexpr std::int64_t least = 3;  // grey levels from row to row, as they were read
  const RawBytes bytes = frame.first(std::min(frame.size(), most_bytes));
  if (!has_many_levels(bytes)) return 0;
  const std::int64_t room = std::ssize(bytes) - 2 * std::max(width, sides.back());
  if (room <= 0) return 0;
  const auto apart = [&](int lag) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < room; ++i)
      sum += std::abs(bytes[static_cast<std::size_t>(i)] - bytes[static_cast<std::size_t>(i + lag)]);
    return sum;
  };
  const std::int64_t rows = apart(width);
  if (rows < least * room) return 0;
  for (const int side : sides) {
    if (side == width) continue;
    const std::int64_t here = apart(side), half = apart(side / 2), more = apart(side + side / 2);
    if (2 * here < rows && 10 * here < 7 * std::min(half, more)) return side;
  }
  return 0;
}

}  // namespace vergence::inspect

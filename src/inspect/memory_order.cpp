// SPDX-License-Identifier: Apache-2.0
// Grey pictures whose bytes are not pixels row by row: packed samples of 10 and 12 bits, and tiles.
#include "inspect/memory_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace vergence::inspect {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;  // that are looked at
constexpr std::int64_t noisy_bytes = 24;                  // grey levels by which lower bits change from one to the next
constexpr std::int64_t noisier = 2;                       // times as much as the other bytes do, with half as much
constexpr std::int64_t least_change = 2;                  // grey levels, of pixels

/// Of bytes whose place, divided by `step`, leaves `phase`: how they change from one to the next.
struct Phase {
  std::int64_t change = 0, count = 0;
  int lowest = 255, highest = 0;
  std::int64_t mean_16() const { return count > 0 ? 16 * change / count : 0; }
};
Phase phase_of(std::span<const std::uint8_t> frame, std::size_t step, std::size_t phase) {
  Phase found;
  for (std::size_t i = phase; i + step < frame.size(); i += step) {
    found.change += std::abs(frame[i] - frame[i + step]);
    found.lowest = std::min<int>(found.lowest, frame[i]);
    found.highest = std::max<int>(found.highest, frame[i]);
    ++found.count;
  }
  return found;
}

/// One byte of each `step` is noise, or nothing, beside the others, which are alike.
bool has_lower_bits(std::span<const std::uint8_t> frame, std::size_t step, bool may_be_empty) {
  const Phase lower = phase_of(frame, step, step - 1);  // behind the upper bits, the first ones of the frame
  std::int64_t most = 0, least = 16 * 255;
  for (std::size_t phase = 0; phase + 1 < step; ++phase) {
    const std::int64_t change = phase_of(frame, step, phase).mean_16();
    most = std::max(most, change);
    least = std::min(least, change);
  }
  if (least < 16 * least_change || most > 2 * least) return false;
  if (may_be_empty && lower.lowest == lower.highest) return true;
  return lower.mean_16() >= 16 * noisy_bytes && 2 * lower.mean_16() >= (2 * noisier + 1) * most;
}

std::int64_t difference_at(std::span<const std::uint8_t> frame, std::size_t lag) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + lag < frame.size(); ++i) sum += std::abs(frame[i] - frame[i + lag]);
  return sum / static_cast<std::int64_t>(frame.size() - lag);
}

/// Steps to the columns that are `first` more than a multiple of `apart`, in 1/16 grey levels.
std::int64_t steps_at(std::span<const std::uint8_t> frame, std::size_t first, std::size_t apart) {
  std::int64_t sum = 0, count = 0;
  for (std::size_t i = first; i < frame.size(); i += apart, ++count) sum += std::abs(frame[i] - frame[i - 1]);
  return count > 0 ? 16 * sum / count : 0;
}

}  // namespace

int packed_bits(std::span<const std::uint8_t> frame) {
  const std::span<const std::uint8_t> some = frame.first(std::min(frame.size(), most_bytes));
  if (has_lower_bits(some, 5, true)) return 10;
  return has_lower_bits(some, 3, false) ? 12 : 0;
}

int tile_side(std::span<const std::uint8_t> frame, int width) {
  const std::span<const std::uint8_t> some = frame.first(std::min(frame.size(), most_bytes));
  for (const std::size_t side : {std::size_t{8}, std::size_t{16}, std::size_t{32}, std::size_t{64}, std::size_t{128}}) {
    if (width % static_cast<int>(side) != 0 || some.size() < 4 * side * side) continue;
    const std::int64_t here = difference_at(some, side);
    const std::int64_t beside = std::min(difference_at(some, side - side / 4), difference_at(some, side + side / 4));
    if (beside < least_change || 10 * here > 8 * beside) continue;
    // Where a row of a tile ends, the next one begins at the other side of it.
    const std::int64_t at_edges = steps_at(some, side, side), amid = steps_at(some, side / 2, side);
    if (at_edges >= 32 && 2 * at_edges >= 3 * amid) return static_cast<int>(side);
  }
  return 0;
}

}  // namespace vergence::inspect

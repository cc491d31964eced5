// SPDX-License-Identifier: Apache-2.0
// Packed samples of 10 and 12 bits that were taken for bytes: of each five, or three, one holds the lowest bits of the
// others, and is noise between pixels.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "vergence/inspect_frame.hpp"

namespace vergence {
namespace {

constexpr Size least_packed{64, 48};
constexpr int packed_rows = 8;  // that are looked at

/// Of the bytes at one place of their groups: how they differ from the next byte, and from that of the next group.
struct PlaceSteps {
  std::int64_t beside = 0, along = 0;
};

template <std::size_t Bytes>
std::array<PlaceSteps, Bytes> steps_of_places(ImageView<const std::uint8_t> picture, int groups) {
  std::array<PlaceSteps, Bytes> places;
  for (int i = 0; i < packed_rows; ++i) {
    const std::uint8_t* const row = picture.row(picture.height() * (2 * i + 1) / (2 * packed_rows));
    for (int group = 0; group < groups; ++group)
      for (std::size_t place = 0; place < Bytes; ++place) {
        const std::uint8_t* const at = row + static_cast<std::size_t>(group) * Bytes + place;
        places[place].beside += std::abs(at[0] - at[1]);
        places[place].along += std::abs(at[0] - at[Bytes]);
      }
  }
  return places;
}

/// The place whose bytes are unlike those on both sides, and unlike each other; -1 where there is none. Photographs
/// have no place that differs from the others by more than 1.2 times.
template <std::size_t Bytes>
int noisy_place(ImageView<const std::uint8_t> picture) {
  constexpr std::int64_t least_levels = 12, times = 2;
  const int groups = picture.width() / static_cast<int>(Bytes) - 1;
  const std::array<PlaceSteps, Bytes> places = steps_of_places<Bytes>(picture, groups);
  const auto noisy = std::ranges::max_element(places, {}, &PlaceSteps::along);
  const auto found = static_cast<std::size_t>(noisy - places.begin()), before = (found + Bytes - 1) % Bytes;
  if (noisy->along < least_levels * packed_rows * groups) return -1;
  const std::int64_t least_beside = std::min(noisy->beside, places[before].beside);
  for (std::size_t i = 0; i < Bytes; ++i) {
    if (i != found && times * places[i].along > noisy->along) return -1;
    if (i != found && i != before && times * places[i].beside > least_beside) return -1;
  }
  return static_cast<int>(found);
}

}  // namespace

PackedSamples inspect_packed_samples(ImageView<const std::uint8_t> picture) {
  if (picture.width() < least_packed.width || picture.height() < least_packed.height) return {};
  if (const int place = noisy_place<5>(picture); place >= 0) return {10, place};
  if (const int place = noisy_place<3>(picture); place >= 0) return {12, place};
  return {};
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Census words of one row as byte planes. Only Hamming distances of these words are ever used, so which neighbour
// becomes which bit does not matter here; the neighbours are those of definitions/stereo/census.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/stereo/census.cpp"
#include <hwy/foreach_target.h>
// Highway must come after foreach_target.h.
#include <hwy/highway.h>

#include <cstdint>
#include <utility>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {

/// Neighbour number i in raster order, the centre left out.
template <int kWidth, int kHeight>
constexpr std::pair<int, int> Neighbour(int i) {
  const int raster = i < kWidth * kHeight / 2 ? i : i + 1;
  return {raster % kWidth - kWidth / 2, raster / kWidth - kHeight / 2};
}

/// One byte of the words: neighbours 8 * kPlane and on. Plain loops that the compiler vectorises.
template <int kWidth, int kHeight, int kPlane, class E>
HWY_INLINE void CensusPlane(const E* const* rows, int width, uint8_t* HWY_RESTRICT out) {
  constexpr int kNeighbours = kWidth * kHeight - 1;
  constexpr int kBits = kNeighbours - 8 * kPlane < 8 ? kNeighbours - 8 * kPlane : 8;
  const E* HWY_RESTRICT centre = rows[3];
  const E* start[8];
  for (int bit = 0; bit < kBits; ++bit) {
    const auto [dx, dy] = Neighbour<kWidth, kHeight>(8 * kPlane + bit);
    start[bit] = rows[3 + dy] + dx;
  }
  for (int bit = kBits; bit < 8; ++bit) start[bit] = centre;  // never above itself
  const E *n0 = start[0], *n1 = start[1], *n2 = start[2], *n3 = start[3], *n4 = start[4], *n5 = start[5],
          *n6 = start[6], *n7 = start[7];
  for (int x = 0; x < width; ++x) {
    const E c = centre[x];
    const auto low =
        static_cast<uint8_t>((n0[x] > c ? 1 : 0) | (n1[x] > c ? 2 : 0) | (n2[x] > c ? 4 : 0) | (n3[x] > c ? 8 : 0));
    const auto high = static_cast<uint8_t>((n4[x] > c ? 16 : 0) | (n5[x] > c ? 32 : 0) | (n6[x] > c ? 64 : 0) |
                                           (n7[x] > c ? 128 : 0));
    out[x] = static_cast<uint8_t>(low | high);
  }
}

template <int kWidth, int kHeight, class E, int... kPlane>
HWY_INLINE void CensusPlanes(const E* const* rows, int width, uint8_t* out, std::ptrdiff_t plane_stride,
                             std::integer_sequence<int, kPlane...>) {
  (CensusPlane<kWidth, kHeight, kPlane>(rows, width, out + kPlane * plane_stride), ...);
}

template <class E>
HWY_INLINE void CensusRow(const E* const* rows, int width, bool large, uint8_t* out, std::ptrdiff_t plane_stride) {
  if (large)
    CensusPlanes<9, 7>(rows, width, out, plane_stride, std::make_integer_sequence<int, 8>());
  else
    CensusPlanes<5, 5>(rows, width, out, plane_stride, std::make_integer_sequence<int, 3>());
}

void CensusRow8(const uint8_t* const* rows, int width, bool large, uint8_t* out, std::ptrdiff_t plane_stride) {
  CensusRow(rows, width, large, out, plane_stride);
}
void CensusRow16(const uint16_t* const* rows, int width, bool large, uint8_t* out, std::ptrdiff_t plane_stride) {
  CensusRow(rows, width, large, out, plane_stride);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vergence::cpu {

HWY_EXPORT(CensusRow8);
HWY_EXPORT(CensusRow16);

template <>
void census_row(const Context& context, const std::uint8_t* const* rows, int width, StereoCost cost, std::uint8_t* out,
                std::ptrdiff_t plane_stride) {
  VERGENCE_DISPATCH(CensusRow8, context.target)(rows, width, cost == StereoCost::census_9x7, out, plane_stride);
}
template <>
void census_row(const Context& context, const std::uint16_t* const* rows, int width, StereoCost cost, std::uint8_t* out,
                std::ptrdiff_t plane_stride) {
  VERGENCE_DISPATCH(CensusRow16, context.target)(rows, width, cost == StereoCost::census_9x7, out, plane_stride);
}

}  // namespace vergence::cpu
#endif  // HWY_ONCE

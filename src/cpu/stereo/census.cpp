// SPDX-License-Identifier: Apache-2.0
// Census words of one row as byte planes. Only Hamming distances of these words are ever used, so which neighbour
// becomes which bit does not matter here; the neighbours are those of definitions/stereo/census.h.
#define HWY_WANT_AVX3_DL  // bytes are packed by one permutation
#define VERGENCE_SIMD_FILE "cpu/stereo/census.cpp"
#include "cpu/foreach_target.hpp"
// Highway must come after foreach_target.hpp.
#include <hwy/highway.h>

#include <cstdint>
#include <utility>

#include "cpu/dispatch.hpp"
#include "cpu/stereo/rows.hpp"

#if VERGENCE_SIMD_HERE
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

/// One byte of the words that compare opposite pixels: pairs 8 * kPlane and on.
template <int kPlane, class E>
HWY_INLINE void SymmetricPlane(const E* const* rows, int width, uint8_t* HWY_RESTRICT out) {
  constexpr int kPairs = 31, kBits = kPairs - 8 * kPlane < 8 ? kPairs - 8 * kPlane : 8;
  const E *first[8], *second[8];
  for (int bit = 0; bit < 8; ++bit) {
    const auto [dx, dy] = bit < kBits ? Neighbour<9, 7>(8 * kPlane + bit) : std::pair(0, 0);  // never above itself
    first[bit] = rows[3 + dy] + dx;
    second[bit] = rows[3 - dy] - dx;
  }
  // Named one by one, so that the compiler vectorises.
  const E *a0 = first[0], *a1 = first[1], *a2 = first[2], *a3 = first[3], *a4 = first[4], *a5 = first[5],
          *a6 = first[6], *a7 = first[7];
  const E *b0 = second[0], *b1 = second[1], *b2 = second[2], *b3 = second[3], *b4 = second[4], *b5 = second[5],
          *b6 = second[6], *b7 = second[7];
  for (int x = 0; x < width; ++x) {
    const auto low = static_cast<uint8_t>((a0[x] > b0[x] ? 1 : 0) | (a1[x] > b1[x] ? 2 : 0) | (a2[x] > b2[x] ? 4 : 0) |
                                          (a3[x] > b3[x] ? 8 : 0));
    const auto high = static_cast<uint8_t>((a4[x] > b4[x] ? 16 : 0) | (a5[x] > b5[x] ? 32 : 0) |
                                           (a6[x] > b6[x] ? 64 : 0) | (a7[x] > b7[x] ? 128 : 0));
    out[x] = static_cast<uint8_t>(low | high);
  }
}

template <int kWidth, int kHeight, class E, int... kPlane>
HWY_INLINE void CensusPlanes(const E* const* rows, int width, uint8_t* out, std::ptrdiff_t plane_stride,
                             std::integer_sequence<int, kPlane...>) {
  (CensusPlane<kWidth, kHeight, kPlane>(rows, width, out + kPlane * plane_stride), ...);
}

template <class E>
HWY_INLINE void CensusRow(const E* const* rows, int width, StereoCost cost, uint8_t* out, std::ptrdiff_t plane_stride) {
  if (cost == StereoCost::census_symmetric_9x7) {
    SymmetricPlane<0>(rows, width, out);
    SymmetricPlane<1>(rows, width, out + plane_stride);
    SymmetricPlane<2>(rows, width, out + 2 * plane_stride);
    SymmetricPlane<3>(rows, width, out + 3 * plane_stride);
  } else if (cost == StereoCost::census_9x7) {
    CensusPlanes<9, 7>(rows, width, out, plane_stride, std::make_integer_sequence<int, 8>());
  } else {
    CensusPlanes<5, 5>(rows, width, out, plane_stride, std::make_integer_sequence<int, 3>());
  }
}

void CensusRow8(const uint8_t* const* rows, int width, StereoCost cost, uint8_t* out, std::ptrdiff_t plane_stride) {
  CensusRow(rows, width, cost, out, plane_stride);
}
void CensusRow16(const uint16_t* const* rows, int width, StereoCost cost, uint8_t* out, std::ptrdiff_t plane_stride) {
  CensusRow(rows, width, cost, out, plane_stride);
}

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // VERGENCE_SIMD_HERE

#if VERGENCE_SIMD_ONCE
namespace vergence::cpu {

VERGENCE_SIMD_EXPORT(CensusRow8);
VERGENCE_SIMD_EXPORT(CensusRow16);

template <>
void census_row(const Context& context, const std::uint8_t* const* rows, int width, StereoCost cost, std::uint8_t* out,
                std::ptrdiff_t plane_stride) {
  VERGENCE_DISPATCH(CensusRow8, context.target)(rows, width, cost, out, plane_stride);
}
template <>
void census_row(const Context& context, const std::uint16_t* const* rows, int width, StereoCost cost, std::uint8_t* out,
                std::ptrdiff_t plane_stride) {
  VERGENCE_DISPATCH(CensusRow16, context.target)(rows, width, cost, out, plane_stride);
}

}  // namespace vergence::cpu
#endif  // VERGENCE_SIMD_ONCE

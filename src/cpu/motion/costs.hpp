// SPDX-License-Identifier: Apache-2.0
// The distortion of a block under one or many displacements, one set of functions for each cost, pixel type and SIMD
// target.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "plan/motion/candidate.hpp"
#include "vergence/motion.hpp"

namespace vergence::cpu {

/// A block of the current frame, at one place whatever the frame's rows are. What lies beside its width is 0.
template <class P>
struct PackedBlock {
  static constexpr int stride = 64;
  static constexpr int slack = 64;
  alignas(64) std::array<P, 64 * stride + slack> pixels{};
  int width = 0;
  int height = 0;
  int widest = 0;  ///< of what was packed before: pixels from there on are 0

  void pack(const ImageView<const P>& picture, const Rect& block);
};

/// Columns x rows of displacements, from `there` on to the right and down. Costs of a row lie `row` apart.
struct CostGrid {
  int columns = 0;
  int rows = 0;
  std::uint32_t* costs = nullptr;
  std::ptrdiff_t row = 0;
};
/// How many costs past the last column may be written.
inline constexpr int grid_slack = 64;

/// Costs of displacements that lie `offsets` pixels from `there`; only where they fit 32 bits.
template <class P>
using SeveralCosts = void (*)(const PackedBlock<P>& block, const P* there, std::ptrdiff_t stride,
                              const std::ptrdiff_t* offsets, int count, std::uint32_t* costs);

/// Puts the best of the displacements x, y and of `best` there; `there` is the pixel with which the block's first one
/// is compared under the first of them. No rate. False, and nothing is done, for blocks that it does not serve.
using BestOfGrid = bool (*)(const PackedBlock<std::uint8_t>& block, const std::uint8_t* there, std::ptrdiff_t stride,
                            MotionRange x, MotionRange y, Candidate& best);
BestOfGrid best_of_small(std::int64_t target);

/// `there` is the pixel of the reference with which the block's first one is compared; rows lie `stride` pixels apart.
/// Up to Plane::slack pixels beside the candidate are read.
template <class P>
struct CostFunctions {
  std::uint64_t (*one)(const PackedBlock<P>& block, const P* there, std::ptrdiff_t stride) = nullptr;
  /// Only where costs fit 32 bits.
  void (*grid)(const PackedBlock<P>& block, const P* there, std::ptrdiff_t stride, const CostGrid& grid) = nullptr;
  /// About how many pixels a grid compares in a cycle.
  int grid_speed = 32;
  /// Null where displacements are as fast one by one.
  SeveralCosts<P> several = nullptr;
};

/// About how many cycles the SAD of one displacement by itself takes.
template <class P>
int single_cost(int width, int height) {
  if (sizeof(P) == 1) return 16 + height * ((width + 31) / 32);
  return 24 + 3 * height * ((width + 15) / 16) / 2;
}

/// No pixel may be above max_pixel.
template <class P>
CostFunctions<P> cost_functions(MotionCost cost, std::int64_t target, int max_pixel);

CostFunctions<std::uint8_t> byte_sad_functions(std::int64_t target);
CostFunctions<std::uint16_t> word_sad_functions(std::int64_t target, int max_pixel);
SeveralCosts<std::uint8_t> several_byte_sads(std::int64_t target);
template <class P>
CostFunctions<P> square_functions(std::int64_t target);
template <class P>
CostFunctions<P> satd_functions(std::int64_t target);

}  // namespace vergence::cpu

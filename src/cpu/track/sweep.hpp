// SPDX-License-Identifier: Apache-2.0
// What a sweep down a level does to its rows, in the variant of a SIMD target.
#pragma once

#include <cstdint>

#include "cpu/context.hpp"

namespace vergence::cpu {

/// Two rows y and y + 1 of a level, y even, and what comes of them.
template <class P>
struct TwoRows {
  /// Rows y - 2 .. y + 2; each goes on beyond both ends, mirrored.
  const P* rows[5];
  int width;
  int shift;  ///< Of gradients.
  /// Gradients of y and of y + 1. They begin where vectors do; nothing is written behind `width` elements.
  std::int16_t *dx[2], *dy[2];
  /// If not null: sums down at y for the next level, from two columns before the first to two behind the last, and room
  /// for vectors behind them.
  std::uint16_t* sums;
};

template <class P>
using TwoRowsFunction = void (*)(const TwoRows<P>&);
/// With `stream`, gradients go past the caches.
TwoRowsFunction<std::uint8_t> two_rows(const Context& context, bool stream, const std::uint8_t* type);
TwoRowsFunction<std::uint16_t> two_rows(const Context& context, bool stream, const std::uint16_t* type);

/// A row of the next level from `sums`: `count` pixels of it.
template <class P>
using AcrossFunction = void (*)(const std::uint16_t* sums, int count, P* out);
/// Mirrors a row into `margin` pixels on both sides; whole vectors are written.
template <class P>
using MirrorFunction = void (*)(P* row, int width, int margin);

}  // namespace vergence::cpu

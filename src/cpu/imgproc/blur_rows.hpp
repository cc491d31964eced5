// SPDX-License-Identifier: Apache-2.0
// What the blur does with rows, for it and for the half size. S is the type of sums: float, or uint16_t for bytes.
#pragma once

#include <array>
#include <cstdint>

#include "cpu/imgproc/separable.hpp"

namespace vergence::cpu {

template <class P>
struct BlurRows;
template <>
struct BlurRows<float> {
  using Sum = float;
};
template <>
struct BlurRows<std::uint8_t> {
  using Sum = std::uint16_t;
};
template <class P>
using BlurSum = typename BlurRows<P>::Sum;

/// Filters a row across: out[0 .. width).
template <class P>
void blur_across(const Context& context, const P* in, int width, FilterBorder border, BlurSum<P>* out);

}  // namespace vergence::cpu

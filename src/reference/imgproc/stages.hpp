// SPDX-License-Identifier: Apache-2.0
// The reference filters of pictures: THE SPECIFICATION, scalar and single-threaded, written to be read and never
// optimised.
#pragma once

#include <cstdint>

#include "backend/filter.hpp"
#include "definitions/imgproc/separable.h"
#include "vergence/image.hpp"

namespace vergence::reference {

/// P is float or uint8_t.
template <class P>
void blur(ImageView<const P> in, ImageView<P> out, FilterBorder border);
template <class P>
void half(ImageView<const P> in, ImageView<P> out, FilterBorder border);
/// P and T are float and float, or uint8_t and int16_t.
template <class P, class T>
void gradients(ImageView<const P> in, const backend::GradientWeights& kernel, ImageView<T> dx, ImageView<T> dy,
               FilterBorder border);

/// The pixel that stands for (x, y); under `blank` only pixels inside are asked for.
template <class T, class P>
T bordered(ImageView<const P> in, int x, int y, FilterBorder border) {
  const int u = definitions::filter_source(x, in.width(), static_cast<int>(border));
  const int v = definitions::filter_source(y, in.height(), static_cast<int>(border));
  return u < 0 || v < 0 ? T{0} : static_cast<T>(in(u, v));
}

/// Under `blank`: taps that reach so far from (x, y) leave the picture.
inline bool is_blank(Size size, int x, int y, int reach, FilterBorder border) {
  return border == FilterBorder::blank &&
         (x < reach || y < reach || x >= size.width - reach || y >= size.height - reach);
}

}  // namespace vergence::reference

// SPDX-License-Identifier: Apache-2.0
// Gradients by three taps across, then down: docs/algorithms/imgproc/gradients.md.
#include <type_traits>

#include "reference/imgproc/stages.hpp"

namespace vergence::reference {
namespace {

/// Of one direction; S is the type of sums.
template <class S, class P, class T>
void gradient_along(ImageView<const P> in, const backend::GradientWeights& kernel, bool is_across, ImageView<T> out,
                    FilterBorder border) {
  const auto smooth = [&](S a, S b, S c) {
    if constexpr (std::is_same_v<S, float>)
      return definitions::smooth_float(a, b, c, static_cast<float>(kernel.outer), static_cast<float>(kernel.inner));
    else
      return definitions::smooth_sum(a, b, c, kernel.outer, kernel.inner);
  };
  Image<S> first(in.size(), S{0});
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x) {
      if (is_blank(in.size(), x, y, 1, border)) continue;
      const auto pixel = [&](int k) { return bordered<S>(in, x + k, y, border); };
      first(x, y) = is_across ? pixel(1) - pixel(-1) : smooth(pixel(-1), pixel(0), pixel(1));
    }
  const ImageView<const S> rows = first;
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x) {
      if (is_blank(in.size(), x, y, 1, border)) {
        out(x, y) = 0;
        continue;
      }
      const auto row = [&](int k) { return bordered<S>(rows, x, y + k, border); };
      const S sum = is_across ? smooth(row(-1), row(0), row(1)) : row(1) - row(-1);
      if constexpr (std::is_same_v<S, float>)
        out(x, y) = definitions::filter_result(sum);
      else
        out(x, y) = static_cast<T>(sum);
    }
}

}  // namespace

template <class P, class T>
void gradients(ImageView<const P> in, const backend::GradientWeights& kernel, ImageView<T> dx, ImageView<T> dy,
               FilterBorder border) {
  using Sum = std::conditional_t<std::is_same_v<P, float>, float, int>;
  if (!dx.empty()) gradient_along<Sum>(in, kernel, true, dx, border);
  if (!dy.empty()) gradient_along<Sum>(in, kernel, false, dy, border);
}

template void gradients(ImageView<const float>, const backend::GradientWeights&, ImageView<float>, ImageView<float>,
                        FilterBorder);
template void gradients(ImageView<const std::uint8_t>, const backend::GradientWeights&, ImageView<std::int16_t>,
                        ImageView<std::int16_t>, FilterBorder);

}  // namespace vergence::reference

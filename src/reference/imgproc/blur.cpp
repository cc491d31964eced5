// SPDX-License-Identifier: Apache-2.0
// Blur by five taps across, then down: docs/algorithms/imgproc/blur.md.
#include <type_traits>

#include "reference/imgproc/stages.hpp"

namespace vergence::reference {

template <class P>
void blur(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
  using Sum = std::conditional_t<std::is_same_v<P, float>, float, int>;
  const auto taps = [](Sum a, Sum b, Sum c, Sum d, Sum e) {
    if constexpr (std::is_same_v<P, float>)
      return definitions::blur_float(a, b, c, d, e);
    else
      return definitions::blur_sum(a, b, c, d, e);
  };
  Image<Sum> across(in.size(), Sum{0});
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x) {
      if (is_blank(in.size(), x, y, 2, border)) continue;
      const auto pixel = [&](int k) { return bordered<Sum>(in, x + k, y, border); };
      across(x, y) = taps(pixel(-2), pixel(-1), pixel(0), pixel(1), pixel(2));
    }
  const ImageView<const Sum> rows = across;
  for (int y = 0; y < in.height(); ++y)
    for (int x = 0; x < in.width(); ++x) {
      if (is_blank(in.size(), x, y, 2, border)) {
        out(x, y) = 0;
        continue;
      }
      const auto row = [&](int k) { return bordered<Sum>(rows, x, y + k, border); };
      const Sum sum = taps(row(-2), row(-1), row(0), row(1), row(2));
      if constexpr (std::is_same_v<P, float>)
        out(x, y) = definitions::filter_result(sum);
      else
        out(x, y) = static_cast<P>(definitions::blur_pixel(sum));
    }
}

template void blur(ImageView<const float>, ImageView<float>, FilterBorder);
template void blur(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, FilterBorder);

}  // namespace vergence::reference

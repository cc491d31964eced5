// SPDX-License-Identifier: Apache-2.0
// Pictures with margins, and the reference's results.
#include "stencil-energy/picture.hpp"

#include <algorithm>
#include <cstring>

#include "definitions/imgproc/separable.h"
#include "vergence/filter.hpp"

namespace vergence::studies::stencil_energy {
namespace {

constexpr int widest = 16;  // floats of a vector

/// A pixel of a picture that goes on as in a mirror, so that any size can be cut out of it.
std::uint8_t endless(const Image<std::uint8_t>& source, int x, int y) {
  constexpr int mirror = 2;
  return source.view()(definitions::filter_source(x, source.width(), mirror),
                       definitions::filter_source(y, source.height(), mirror));
}

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

}  // namespace

Layout::Layout(Size picture) : size(picture) {
  pitch = (picture.width + widest - 1) / widest * widest + 2 * widest;
  origin = 2 * pitch + widest;
  floats = static_cast<std::size_t>(pitch) * (static_cast<std::size_t>(picture.height) + 4);
}

bool is_blur(int points) { return points == 25; }
int counted_flop(int points) { return is_blur(points) ? 2 * (5 + 4 + 1) : 2 * (3 + 2 + 1); }
int executed_flop(int points) { return is_blur(points) ? 2 * 7 : 1 + 3; }

Pictures::Pictures(const Image<std::uint8_t>& source, Size size, int chosen_points)
    : layout(size), points(chosen_points), plain(size), in(layout.floats, 0.0F) {
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      // Fractions, so that the order of operations shows in the bits.
      plain(x, y) = in[layout.at(x, y)] =
          static_cast<float>(endless(source, x, y)) + static_cast<float>((x * 7 + y * 13) % 97) / 97.0F;
  poison = after_across = after_whole = std::vector<float>(layout.floats, 0.0F);
  PictureFilter filter(Device("reference"), size);
  Image<float> whole(size);
  if (is_blur(points))
    filter.blur(plain, whole, FilterBorder::zero);
  else
    filter.sobel(plain, whole, {}, FilterBorder::zero);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const float* const p = &in[layout.at(x, y)];
      const std::size_t at = layout.at(x, y);
      poison[at] = -12345.0F;
      after_across[at] = is_blur(points) ? definitions::blur_float(p[-2], p[-1], p[0], p[1], p[2]) : p[1] - p[-1];
      after_whole[at] = whole(x, y);
    }
}

std::int64_t Pictures::differing(const std::vector<float>& expected, const std::vector<float>& got) const {
  std::int64_t count = 0;
  for (int y = 0; y < layout.size.height; ++y)
    for (int x = 0; x < layout.size.width; ++x)
      count += same_bits(expected[layout.at(x, y)], got[layout.at(x, y)]) ? 0 : 1;
  return count;
}

std::int64_t Pictures::differing(const Image<float>& got) const {
  std::int64_t count = 0;
  for (int y = 0; y < layout.size.height; ++y)
    for (int x = 0; x < layout.size.width; ++x)
      count += same_bits(after_whole[layout.at(x, y)], got.view()(x, y)) ? 0 : 1;
  return count;
}

Image<std::uint8_t> Pictures::grey() const {
  Image<std::uint8_t> picture(layout.size);
  for (int y = 0; y < layout.size.height; ++y)
    for (int x = 0; x < layout.size.width; ++x) {
      const float value = after_whole[layout.at(x, y)];
      picture(x, y) = static_cast<std::uint8_t>(std::clamp(is_blur(points) ? value : 128 + value / 8, 0.0F, 255.0F));
    }
  return picture;
}

}  // namespace vergence::studies::stencil_energy

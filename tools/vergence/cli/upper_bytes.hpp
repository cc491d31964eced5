// SPDX-License-Identifier: Apache-2.0
// A grey picture as bytes: 8-bit ones as they are, deeper ones by their upper bits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vergence/io.hpp"

namespace vergence::cli {

/// Into the memory that is there already, where its size is the same.
inline void copy_upper_bytes(const GreyPicture& picture, Image<std::uint8_t>& bytes) {
  if (bytes.size() != picture.size()) bytes = Image<std::uint8_t>(picture.size());
  int shift = 0;
  while (picture.max_value >> shift > 255) ++shift;
  for (int y = 0; y < picture.height(); ++y)
    if (picture.depth == Depth::u8)
      std::copy_n(picture.u8.row(y), picture.width(), bytes.row(y));
    else
      std::transform(picture.u16.row(y), picture.u16.row(y) + picture.width(), bytes.row(y),
                     [shift](int pixel) { return static_cast<std::uint8_t>(std::min(pixel >> shift, 255)); });
}

/// Without a copy of 8-bit pictures, which must outlive it.
class UpperBytes {
 public:
  explicit UpperBytes(const GreyPicture& picture) : picture_(picture) {
    if (picture.depth != Depth::u8) copy_upper_bytes(picture, own_);
  }
  ImageView<const std::uint8_t> view() const { return picture_.depth == Depth::u8 ? picture_.u8.view() : own_.view(); }

 private:
  const GreyPicture& picture_;
  Image<std::uint8_t> own_;
};

/// Pixels of the largest value, in percent, of every so many rows.
inline int white_percent(ImageView<const std::uint8_t> picture, int rows_apart) {
  constexpr int white = 255;
  std::int64_t count = 0, all = 0;
  for (int y = 0; y < picture.height(); y += rows_apart, all += picture.width())
    count += std::count(picture.row(y), picture.row(y) + picture.width(), white);
  return static_cast<int>(100 * count / std::max<std::int64_t>(all, 1));
}

/// Of both pictures of a pair.
struct PairBytes {
  explicit PairBytes(const StereoFrame& frame) : left(frame.left), right(frame.right) {}
  UpperBytes left, right;
};

}  // namespace vergence::cli

// SPDX-License-Identifier: Apache-2.0
// Copies rows.
#include "io/picture_part.hpp"

#include <cstring>

namespace vergence::io {
namespace {

template <class T>
Image<T> copy_part(const Image<T>& from, const Rect& part) {
  Image<T> copy(part.width, part.height);
  for (int y = 0; y < part.height; ++y)
    std::memcpy(copy.row(y), from.row(part.y + y) + part.x, sizeof(T) * static_cast<std::size_t>(part.width));
  return copy;
}

}  // namespace

GreyPicture part_of(const GreyPicture& whole, const Rect& part) {
  GreyPicture picture;
  picture.depth = whole.depth;
  picture.max_value = whole.max_value;
  if (whole.depth == Depth::u8)
    picture.u8 = copy_part(whole.u8, part);
  else
    picture.u16 = copy_part(whole.u16, part);
  return picture;
}

}  // namespace vergence::io

// SPDX-License-Identifier: Apache-2.0
// Checks of the pictures and maps that a caller hands over: size, pointer, stride, overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vergence/image.hpp"

namespace vergence {

/// Throws Error(invalid_argument), naming `what`, unless the view has the size, a pointer and a stride that fits.
template <class T>
void check_view(const char* what, ImageView<T> view, Size size);

/// Where a view lies in memory, whatever its type.
struct Extent {
  const char* what = "";
  std::uintptr_t start = 0;
  std::size_t row_bytes = 0;
  std::size_t stride = 0;
  int rows = 0;
};

template <class T>
Extent extent(const char* what, ImageView<T> view) {
  return {what, reinterpret_cast<std::uintptr_t>(view.data()), static_cast<std::size_t>(view.width()) * sizeof(T),
          static_cast<std::size_t>(view.stride()), view.height()};
}

/// True where the two share a byte. Views that only interleave (halves of one wide picture) do not.
bool overlap(const Extent& a, const Extent& b);

}  // namespace vergence

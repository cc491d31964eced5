// SPDX-License-Identifier: Apache-2.0
// Checks of the pictures and maps that a caller hands over: size, pointer, stride, overlap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "vergence/image.hpp"

namespace vergence {

/// Throws Error(invalid_argument) about the argument `what`, a literal: "the disparity map".
[[noreturn]] void refuse_argument(const char* what, const std::string& message);

/// Throws Error(invalid_argument), naming `what`, unless the view has the size, a pointer and a stride that fits.
template <class T>
void check_view(const char* what, ImageView<T> view, Size size);

/// Where a view or an image lies in memory, whatever its type.
struct Extent {
  const char* what = "";
  const void* space = nullptr;  ///< What tells device memory apart; null in host memory.
  const void* block = nullptr;  ///< What its addresses count in; null where they count in all of the space.
  std::uintptr_t start = 0;
  std::size_t row_bytes = 0;
  std::size_t stride = 0;
  int rows = 0;
};

template <class T>
Extent extent(const char* what, ImageView<T> view) {
  return {what,
          nullptr,
          nullptr,
          reinterpret_cast<std::uintptr_t>(view.data()),
          static_cast<std::size_t>(view.width()) * sizeof(T),
          static_cast<std::size_t>(view.stride()),
          view.height()};
}

/// True where the two share a byte. Views that only interleave (halves of one wide picture) do not.
bool overlap(const Extent& a, const Extent& b);

/// The views of one call: what is read first, then what is written.
class ViewList {
 public:
  template <class T>
  void read(const char* what, ImageView<const T> view, Size size) {
    check_view(what, view, size);
    views_[count_++] = extent(what, view);
  }
  /// A written view may touch no other one; a null pointer means "not wanted".
  template <class T>
  void write(const char* what, ImageView<T> view, Size size) {
    if (view.data() == nullptr) return;
    check_view(what, view, size);
    add_written(extent(what, view));
  }
  /// What has been checked otherwise.
  void add_read(const Extent& read) { views_[count_++] = read; }
  void add_written(const Extent& written) {
    require_apart(written);
    views_[count_++] = written;
  }

 private:
  /// Throws unless it overlaps nothing so far.
  void require_apart(const Extent& written) const;
  std::array<Extent, 40> views_{};  // no call has more
  std::size_t count_ = 0;
};

/// Devices size their sums by max_value, so a larger pixel would give wrong bits without a sign: it is refused by its
/// place.
void check_values(int largest, const char* what, ImageView<const std::uint16_t> picture);
inline void check_values(int /*largest*/, const char* /*what*/, ImageView<const std::uint8_t> /*picture*/) {}

}  // namespace vergence

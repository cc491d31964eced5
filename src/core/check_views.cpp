// SPDX-License-Identifier: Apache-2.0
// Checks of the pictures and maps that a caller hands over.
#include "core/check_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

/// "the disparity map" -> "disparity map", for Error::field().
std::string_view argument_of(std::string_view what) {
  if (what.starts_with("the ")) what.remove_prefix(4);
  return what;
}

}  // namespace

void refuse_argument(const char* what, const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message, argument_of(what));
}

template <class T>
void check_view(const char* what, ImageView<T> view, Size size) {
  const auto refuse = [what](const std::string& message) { refuse_argument(what, message); };
  if (view.data() == nullptr)
    refuse(fmt::format("{} has no pixels (null pointer): give a view of {}x{}{}", what, size.width, size.height,
                       std::is_same_v<T, const std::uint8_t>
                           ? "; pictures of 16 bits have u16 pixels and need the option pixel-depth u16"
                           : ""));
  if (view.size() != size)
    refuse(fmt::format("{} is {}x{}: it must be {}x{}", what, view.width(), view.height(), size.width, size.height));
  const std::ptrdiff_t shortest = static_cast<std::ptrdiff_t>(size.width) * static_cast<std::ptrdiff_t>(sizeof(T));
  constexpr auto alignment = static_cast<std::ptrdiff_t>(alignof(T));
  // The stride of a single row is never used, but a wrong one is still a caller's mistake.
  if (view.stride() < shortest || view.stride() % alignment != 0)
    refuse(fmt::format("{} has a stride of {} bytes: it must be at least {} and a multiple of {}", what, view.stride(),
                       shortest, alignment));
  if (reinterpret_cast<std::uintptr_t>(view.data()) % alignof(T) != 0)
    refuse(fmt::format("{} does not start at a multiple of {} bytes", what, alignment));
}

template void check_view(const char*, ImageView<const std::uint8_t>, Size);
template void check_view(const char*, ImageView<const std::uint16_t>, Size);
template void check_view(const char*, ImageView<std::uint8_t>, Size);
template void check_view(const char*, ImageView<std::uint32_t>, Size);
template void check_view(const char*, ImageView<std::int16_t>, Size);
template void check_view(const char*, ImageView<std::int32_t>, Size);
template void check_view(const char*, ImageView<const std::int16_t>, Size);
template void check_view(const char*, ImageView<const std::int32_t>, Size);
template void check_view(const char*, ImageView<const float>, Size);
template void check_view(const char*, ImageView<float>, Size);
template void check_view(const char*, ImageView<std::uint64_t>, Size);
template void check_view(const char*, ImageView<std::uint16_t>, Size);
template void check_view(const char*, ImageView<MotionVector>, Size);
template void check_view(const char*, ImageView<const MotionVector>, Size);

bool overlap(const Extent& a, const Extent& b) {
  if (a.space != b.space || a.block != b.block) return false;
  // The rows of each view lie in ascending order, so two cursors meet every pair that could touch.
  int i = 0;
  int j = 0;
  while (i < a.rows && j < b.rows) {
    const std::uintptr_t row_a = a.start + static_cast<std::size_t>(i) * a.stride;
    const std::uintptr_t row_b = b.start + static_cast<std::size_t>(j) * b.stride;
    if (row_a + a.row_bytes <= row_b)
      ++i;
    else if (row_b + b.row_bytes <= row_a)
      ++j;
    else
      return true;
  }
  return false;
}

void ViewList::require_apart(const Extent& written) const {
  for (std::size_t i = 0; i < count_; ++i)
    if (overlap(views_[i], written))
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} overlaps {} in memory: give it pixels of its own", written.what, views_[i].what),
                  argument_of(written.what));
}

void check_values(int largest, const char* what, ImageView<const std::uint16_t> picture) {
  if (largest == 65535) return;
  for (int y = 0; y < picture.height(); ++y) {
    const std::uint16_t* const row = picture.row(y);
    std::uint16_t row_maximum = 0;
    for (int x = 0; x < picture.width(); ++x) row_maximum = std::max(row_maximum, row[x]);
    if (row_maximum <= largest) continue;
    const auto x = std::find_if(row, row + picture.width(), [largest](std::uint16_t p) { return p > largest; }) - row;
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{} has the value {} at x {}, y {}, above max-value {}: scale the picture or raise max-value", what,
                    row[x], x, y, largest),
        argument_of(what));
  }
}

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Maps between known values.
#include "verify/guarded_map.hpp"

#include <algorithm>
#include <type_traits>

#include "vergence/motion.hpp"

namespace vergence {
namespace {

/// Differs from cell to cell, so that a write of any one value is noticed nearly everywhere.
template <class T>
T guard_value(std::size_t cell) {
  const unsigned value = 0xA5u + 37u * static_cast<unsigned>(cell);
  if constexpr (std::is_same_v<T, MotionVector>)
    return {static_cast<std::int16_t>(value), static_cast<std::int16_t>(~value)};
  else
    return static_cast<T>(value);
}

}  // namespace

template <class T>
GuardedMap<T>::GuardedMap(Size size, int padding) : size_(size), padding_(padding) {
  cells_.resize(2 * margin + row_cells() * static_cast<std::size_t>(size.height));
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] = guard_value<T>(i);
}

template <class T>
GuardedMap<T>::GuardedMap(ImageView<const T> picture, int padding) : GuardedMap(picture.size(), padding) {
  for (int y = 0; y < size_.height; ++y) std::copy_n(picture.row(y), size_.width, view().row(y));
}

template <class T>
ImageView<T> GuardedMap<T>::view() {
  if (empty()) return {};
  return {cells_.data() + margin, size_.width, size_.height, static_cast<std::ptrdiff_t>(row_cells() * sizeof(T))};
}

template <class T>
ImageView<const T> GuardedMap<T>::view() const {
  if (empty()) return {};
  return {cells_.data() + margin, size_.width, size_.height, static_cast<std::ptrdiff_t>(row_cells() * sizeof(T))};
}

template <class T>
bool GuardedMap<T>::intact() const {
  const auto width = static_cast<std::size_t>(size_.width);
  const std::size_t rows = row_cells() * static_cast<std::size_t>(size_.height);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const bool inside = i >= margin && i < margin + rows && (i - margin) % row_cells() < width;
    if (!inside && cells_[i] != guard_value<T>(i)) return false;
  }
  return true;
}

template class GuardedMap<std::uint8_t>;
template class GuardedMap<std::uint16_t>;
template class GuardedMap<std::int16_t>;
template class GuardedMap<std::int32_t>;
template class GuardedMap<std::uint32_t>;
template class GuardedMap<std::uint64_t>;
template class GuardedMap<float>;
template class GuardedMap<MotionVector>;

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// Memory that notices writes outside a map; and the hash of maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vergence/image.hpp"

namespace vergence {

/// A picture or map inside a larger block of known values: `padding` of them after every row, `margin` before and
/// after.
template <class T>
class GuardedMap {
 public:
  GuardedMap() = default;
  GuardedMap(Size size, int padding);
  GuardedMap(ImageView<const T> picture, int padding);

  bool empty() const { return cells_.empty(); }
  ImageView<T> view();
  ImageView<const T> view() const;
  /// True while every value around the map is what it was.
  bool intact() const;

 private:
  static constexpr std::size_t margin = 64;
  std::size_t row_cells() const { return static_cast<std::size_t>(size_.width) + static_cast<std::size_t>(padding_); }
  Size size_;
  int padding_ = 0;
  std::vector<T> cells_;
};

/// Continues a hash by one value: a multiplication and a shift, so that every bit reaches every later one.
inline std::uint64_t hash_value(std::uint64_t hash, std::uint64_t value) {
  const std::uint64_t mixed = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return mixed ^ (mixed >> 29);
}

}  // namespace vergence

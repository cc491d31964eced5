// SPDX-License-Identifier: Apache-2.0
// Small tools for the scratch memory of the filters.
#pragma once

#include <cstddef>

#include "vergence/image.hpp"

namespace vergence::cpu {

template <class T>
std::size_t image_bytes(const Image<T>& image) {
  return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
}

/// Makes `image` at least this large; what it holds is not kept.
template <class T>
void grow(Image<T>& image, int width, int height) {
  if (image.width() >= width && image.height() >= height) return;
  const int new_width = width > image.width() ? width : image.width();
  const int new_height = height > image.height() ? height : image.height();
  image = Image<T>();  // first give back
  image = Image<T>(new_width, new_height);
}

/// Hands out arrays, aligned for vectors, from a piece of memory, one behind the other.
class ScratchArrays {
 public:
  explicit ScratchArrays(std::byte* memory) : memory_(memory) {}

  template <class T>
  T* take(int count) {
    void* const taken = memory_;
    memory_ += bytes<T>(count);
    return static_cast<T*>(taken);
  }
  /// What `take` uses up.
  template <class T>
  static std::size_t bytes(int count) {
    constexpr std::size_t alignment = Image<T>::alignment;
    return (static_cast<std::size_t>(count) * sizeof(T) + alignment - 1) / alignment * alignment;
  }

 private:
  std::byte* memory_;
};

}  // namespace vergence::cpu

// SPDX-License-Identifier: Apache-2.0
// Launches with one work-item for each pixel.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <vector>

#include "gpu/program.hpp"
#include "gpu/shared/picture.h"
#include "vergence/image.hpp"

namespace vergence::gpu {

/// Groups of `size` work-items that cover `count`.
inline std::size_t groups_for(int count, int size) { return static_cast<std::size_t>((count + size - 1) / size); }

/// Covers a picture by groups of GROUP_W x GROUP_H.
class Grid {
 public:
  /// `width`: work-items of a row of a group, on GPUs.
  Grid(Size size, const Properties& properties, int width = 64) : size_(size) {
    const int largest = static_cast<int>(std::min<std::size_t>(properties.largest_group, 256));
    width_ = std::min(properties.is_cpu ? 128 : width, largest);
    height_ = properties.is_cpu ? 1 : std::max(1, std::min(4, largest / width_));
  }
  Defines defines() const { return Defines().set("GROUP_W", width_).set("GROUP_H", height_); }
  shared::PictureArguments picture() const { return {.width = size_.width, .height = size_.height}; }
  std::size_t groups() const { return groups_for(size_.width, width_) * groups_for(size_.height, height_); }

  /// For kernels that take width, height and further numbers one by one after their buffers.
  void run(Queue& queue, const Kernel& kernel, std::initializer_list<std::reference_wrapper<const Buffer>> buffers,
           std::initializer_list<int> numbers) const {
    std::vector<Argument> arguments;
    arguments.reserve(buffers.size() + 2 + numbers.size());
    for (const Buffer& buffer : buffers) arguments.emplace_back(buffer);
    arguments.emplace_back(size_.width);
    arguments.emplace_back(size_.height);
    for (const int number : numbers) arguments.emplace_back(number);
    launch(queue, kernel, arguments);
  }
  /// For kernels that take PictureArguments after their buffers.
  void run(Queue& queue, const Kernel& kernel,
           std::initializer_list<std::reference_wrapper<const Buffer>> buffers) const {
    run(queue, kernel, buffers, picture());
  }
  /// For kernels that take another structure of scalars after their buffers.
  template <KernelStructure T>
  void run(Queue& queue, const Kernel& kernel, std::initializer_list<std::reference_wrapper<const Buffer>> buffers,
           const T& scalars) const {
    std::vector<Argument> arguments;
    arguments.reserve(buffers.size() + 1);
    for (const Buffer& buffer : buffers) arguments.emplace_back(buffer);
    arguments.emplace_back(scalars);
    launch(queue, kernel, arguments);
  }
  /// The same with all arguments given. Of so many pictures, each work-item has so many pixels below each other.
  void launch(Queue& queue, const Kernel& kernel, const std::vector<Argument>& arguments, int pixels = 1,
              std::size_t pictures = 1) const {
    queue.launch(kernel, {groups_for(size_.width, width_), groups_for(size_.height, pixels * height_), pictures},
                 {static_cast<std::size_t>(width_), static_cast<std::size_t>(height_), 1}, arguments);
  }

 private:
  Size size_;
  int width_, height_;
};

}  // namespace vergence::gpu

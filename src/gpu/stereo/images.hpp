// SPDX-License-Identifier: Apache-2.0
// Pictures and maps that callers keep on the device: used where they lie, or moved to and from a place without gaps.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "backend/stereo.hpp"
#include "gpu/grid.hpp"
#include "gpu/program.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::gpu {

/// Kernels are compiled for the first frame that needs them.
class Images {
 public:
  Images(const StereoPlan& plan, Programs& programs)
      : plan_(plan), programs_(programs), grid_(plan.size, programs.device().properties()) {}

  /// A number for the captured graphs of frames with these images, from 1 on, or 0 where there are none; -1 for one set
  /// of images more than are remembered. Compiles what they need.
  int key(const backend::StereoPair& pair, const backend::StereoTargets& targets);

  /// Error(invalid_argument) where the picture holds a value above the plan's max_value. Waits for the device.
  void check_values(Queue& queue, const char* what, const DeviceImage& picture);

  /// The picture as kernels take it: where it lies, or moved to `own`.
  const Buffer& picture(Queue& queue, const DeviceImage& picture, Buffer& own);

  /// Where kernels write a map that is wanted in `image`, if that is not to be `own`.
  static Buffer& place(const DeviceImage& image, Buffer& own);
  /// Moves what lies in `own`, from byte `offset` on, to an image that was not written where it lies.
  void deliver(Queue& queue, const Buffer& own, std::size_t offset, const DeviceImage& image);

 private:
  /// Of the two pictures, the map, the mask, the confidence and four costs.
  struct Image {
    const void* handle = nullptr;
    std::size_t offset = 0, pitch = 0;
    bool operator==(const Image&) const = default;
  };
  using Set = std::array<Image, 9>;

  const Kernel& compile_copy(std::size_t pixel_bytes);
  /// Of copy_rows, for so many bytes.
  const Kernel*& copy_of(std::size_t pixel_bytes) { return copies_[pixel_bytes / 2]; }

  const StereoPlan& plan_;
  Programs& programs_;
  Grid grid_;
  std::vector<Set> sets_;
  std::array<const Kernel*, 3> copies_{};  ///< Of pixels of 1, 2 and 4 bytes.
  const Kernel* find_large_ = nullptr;
  std::unique_ptr<Buffer> first_;  ///< What it found.
};

}  // namespace vergence::gpu

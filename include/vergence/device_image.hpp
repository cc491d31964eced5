// SPDX-License-Identifier: Apache-2.0
// Pictures and maps that lie in the memory of an OpenCL or CUDA device. Read device.hpp first, image_ref.hpp next.
#pragma once

#include <cstddef>
#include <functional>

#include "vergence/device.hpp"
#include "vergence/image.hpp"

namespace vergence {

/// What a pixel of a DeviceImage is: unsigned (u) and signed (i) integers of 8, 16 or 32 bits.
enum class PixelType { u8, u16, u32, i16, i32 };
/// 1, 2 or 4.
std::size_t bytes_of(PixelType type);

/// Rows in host memory: row y begins at byte y * stride of `data`.
struct HostRows {
  void* data = nullptr;
  std::ptrdiff_t stride = 0;
};

/// A picture or a map in the memory of a device: a small value, whose copies mean the same pixels. Row y begins at byte
/// offset + y * pitch of the memory; bytes between rows are neither read nor written.
///
/// Kernels read and write an image where it lies if its rows have no gaps, if it begins at a multiple of 16 bytes
/// (OpenCL: at the memory's begin, or at a multiple of the device's CL_DEVICE_MEM_BASE_ADDR_ALIGN in memory that is no
/// sub-buffer), and if the memory does not end before the next multiple of 16 bytes: is_direct(). Any other image is
/// moved to or from such a place on the device, which costs one small kernel a frame.
///
/// ```cpp
/// const Device device("cuda:0");
/// const DeviceMemory memory = device.allocate(640 * 480);
/// const DeviceImage picture(memory, PixelType::u8, {640, 480});
/// const std::vector<std::uint8_t> pixels(640 * 480);
/// memory.write(pixels.data(), pixels.size());
/// ```
class DeviceImage {
 public:
  /// "Not given", or "not wanted".
  DeviceImage() = default;
  /// Throws Error(invalid_argument), naming value and limit, where the size is not at least 1x1, where pitch (bytes
  /// from row to row; 0 = no gaps) or offset is no multiple of the pixel's size or the pitch is shorter than a row, or
  /// where the memory ends before the last row does.
  DeviceImage(const DeviceMemory& memory, PixelType type, Size size, std::size_t pitch = 0, std::size_t offset = 0);

  bool empty() const { return memory_.empty(); }
  const DeviceMemory& memory() const { return memory_; }
  PixelType type() const { return type_; }
  Size size() const { return size_; }
  std::size_t pitch() const { return pitch_; }
  std::size_t offset() const { return offset_; }
  /// Copies the pixels to host memory, row y to byte y * stride of `to`; done when it returns. Work of other queues or
  /// streams on them must have ended. Any number of threads may read at once, and their copies overlap on the link.
  /// Throws Error(invalid_argument) where the stride is shorter than a row or the image is empty, and Error(device).
  void read(void* to, std::ptrdiff_t stride) const;
  /// As read(), to rows that `place` names once it is this copy's turn; it is called once, by the calling thread. Of
  /// one open device two copies have their turn at a time: one is under way, the next one waits for the link. So
  /// frames in flight need few places in host memory (RecentPlaces). What `place` throws is passed on, and nothing is
  /// copied.
  void read_in_turn(const std::function<HostRows()>& place) const;
  bool is_direct() const { return !direct_.empty(); }
  /// The image's bytes alone, as kernels take them; empty where they cannot.
  const DeviceMemory& direct() const { return direct_; }

 private:
  std::size_t row_bytes() const;
  void check_stride(std::ptrdiff_t stride) const;

  DeviceMemory memory_;
  PixelType type_ = PixelType::u8;
  Size size_;
  std::size_t pitch_ = 0, offset_ = 0;
  DeviceMemory direct_;
};

}  // namespace vergence

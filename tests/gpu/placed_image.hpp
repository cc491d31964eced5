// SPDX-License-Identifier: Apache-2.0
// Images in device memory with gaps between rows and guard bytes around, for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "vergence/device.hpp"
#include "vergence/device_image.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

inline constexpr std::uint8_t guard_value = 0xA5;

template <class T>
constexpr PixelType type_of() {
  if (std::is_same_v<T, std::uint8_t>) return PixelType::u8;
  if (std::is_same_v<T, std::uint16_t>) return PixelType::u16;
  if (std::is_same_v<T, std::uint32_t>) return PixelType::u32;
  return std::is_same_v<T, std::int16_t> ? PixelType::i16 : PixelType::i32;
}

/// How an image lies in memory: bytes before it, after each row and after the last.
struct Layout {
  std::size_t before, gap, after;
};

/// An image in memory of its own; bytes around it hold the guard value.
template <class T>
struct Placed {
  Placed(const Device& device, Size size, const Layout& layout)
      : image_size(size),
        pitch(static_cast<std::size_t>(size.width) * sizeof(T) + layout.gap),
        offset(layout.before),
        host(layout.before + pitch * static_cast<std::size_t>(size.height) - layout.gap + layout.after, guard_value),
        memory(device.allocate(host.size())) {
    memory.write(host.data(), host.size());
    image = DeviceImage(memory, type_of<T>(), size, pitch, offset);
  }
  Placed(const Device& device, const Image<T>& from, const Layout& layout) : Placed(device, from.size(), layout) {
    for (int y = 0; y < from.height(); ++y) std::memcpy(row(y), from.row(y), row_bytes());
    memory.write(host.data(), host.size());
  }
  std::uint8_t* row(int y) { return host.data() + offset + static_cast<std::size_t>(y) * pitch; }
  std::size_t row_bytes() const { return static_cast<std::size_t>(image_size.width) * sizeof(T); }

  /// The image; says in `where` whether bytes around it have changed.
  Image<T> read(std::string& where) {
    memory.read(host.data(), host.size());
    Image<T> result(image_size);
    for (int y = 0; y < image_size.height; ++y) {
      std::memcpy(result.row(y), row(y), row_bytes());
      std::memset(row(y), guard_value, row_bytes());
    }
    for (std::size_t i = 0; i < host.size(); ++i)
      if (host[i] != guard_value) where += "guard byte " + std::to_string(i) + " was written; ";
    return result;
  }

  Size image_size;
  std::size_t pitch, offset;
  std::vector<std::uint8_t> host;
  DeviceMemory memory;
  DeviceImage image;
};

}  // namespace vergence::test

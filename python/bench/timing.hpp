// SPDX-License-Identifier: Apache-2.0
// What the C++ halves of calls.py and device_calls.py have in common.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <vector>

#include "vergence/device_image.hpp"
#include "vergence/image.hpp"

namespace vergence::bench {

/// Prints "NAME MEDIAN BEST", us, of a call times `share`; `between` is done after each and not counted.
template <class Call, class Between>
void time(const char* name, int calls, double share, Call&& call, Between&& between) {
  using Clock = std::chrono::steady_clock;
  constexpr int warm_up = 10;
  std::vector<double> times;
  for (int i = 0; i < calls + warm_up; ++i) {
    const Clock::time_point start = Clock::now();
    call();
    const double time = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    between();
    if (i >= warm_up) times.push_back(time * share);
  }
  std::sort(times.begin(), times.end());
  std::cout << fmt::format("{} {:.2f} {:.2f}\n", name, times[times.size() / 2], times.front());
}

/// The pictures of both scripts: noise, the right one 5 px to the left.
inline Image<std::uint8_t> picture(Size size, int shift) {
  Image<std::uint8_t> image(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const std::uint32_t place = static_cast<std::uint32_t>(y) * 4096U + static_cast<std::uint32_t>(x + shift);
      image(x, y) = static_cast<std::uint8_t>((place * 2654435761U) >> 24);
    }
  return image;
}

inline DeviceMemory uploaded(const Device& device, const Image<std::uint8_t>& image) {
  const auto width = static_cast<std::size_t>(image.size().width);
  const DeviceMemory memory = device.allocate(width * static_cast<std::size_t>(image.size().height));
  for (int y = 0; y < image.size().height; ++y) memory.write(image.row(y), width, static_cast<std::size_t>(y) * width);
  return memory;
}

}  // namespace vergence::bench

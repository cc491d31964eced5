// SPDX-License-Identifier: Apache-2.0
// What calls.py measures, in C++: times of StereoMatcher::compute with maps in host memory, and in the device's own.
// Usage: python_calls DEVICE WIDTH HEIGHT DISPARITIES PRESET CALLS; prints "host MEDIAN BEST" and "device MEDIAN BEST",
// us.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "vergence/device_image.hpp"
#include "vergence/stereo.hpp"

namespace {

using namespace vergence;  // NOLINT(google-build-using-namespace): a program

template <class Call>
void time(const char* name, int calls, Call&& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int i = 0; i < calls + 3; ++i) {
    const Clock::time_point start = Clock::now();
    call();
    if (i >= 3) times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  std::cout << fmt::format("{} {:.2f} {:.2f}\n", name, times[times.size() / 2], times.front());
}

// The pictures of calls.py: noise, the right one 5 px to the left.
Image<std::uint8_t> picture(Size size, int shift) {
  Image<std::uint8_t> image(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const std::uint32_t place = static_cast<std::uint32_t>(y) * 4096U + static_cast<std::uint32_t>(x + shift);
      image(x, y) = static_cast<std::uint8_t>((place * 2654435761U) >> 24);
    }
  return image;
}

void run(char** argv) {
  const Device device(argv[1]);
  const Size size{std::atoi(argv[2]), std::atoi(argv[3])};
  StereoOptions options = stereo_preset(argv[5]).options;
  options.disparities = std::atoi(argv[4]);
  const int calls = std::atoi(argv[6]);
  StereoMatcher matcher(device, size, options);
  const Image<std::uint8_t> left = picture(size, 0), right = picture(size, 5);
  Image<std::int16_t> map(size);
  time("host", calls, [&] { matcher.compute({left, right}, {.disparity = map}); });
  if (device.kind() != "cuda" && device.kind() != "opencl") return;
  const auto width = static_cast<std::size_t>(size.width), pixels = width * static_cast<std::size_t>(size.height);
  const DeviceMemory a = device.allocate(pixels), b = device.allocate(pixels), c = device.allocate(2 * pixels);
  for (int y = 0; y < size.height; ++y) {
    a.write(left.row(y), width, static_cast<std::size_t>(y) * width);
    b.write(right.row(y), width, static_cast<std::size_t>(y) * width);
  }
  const DeviceImage left_image(a, PixelType::u8, size), right_image(b, PixelType::u8, size);
  const DeviceImage map_image(c, PixelType::i16, size);
  time("device", calls, [&] { matcher.compute({left_image, right_image}, {.disparity = map_image}); });
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 7) {
    std::cerr << "usage: python_calls DEVICE WIDTH HEIGHT DISPARITIES PRESET CALLS\n";
    return 2;
  }
  run(argv);
  return 0;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}

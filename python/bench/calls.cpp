// SPDX-License-Identifier: Apache-2.0
// What calls.py measures, in C++: times of StereoMatcher::compute with maps in host memory, and in the device's own.
// Usage: python_calls DEVICE WIDTH HEIGHT DISPARITIES PRESET CALLS; prints "host MEDIAN BEST" and "device MEDIAN BEST",
// us.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "timing.hpp"
#include "vergence/device_image.hpp"
#include "vergence/stereo.hpp"

namespace {

using namespace vergence;         // NOLINT(google-build-using-namespace): a program
using namespace vergence::bench;  // NOLINT(google-build-using-namespace)

void run(char** argv) {
  const Device device(argv[1]);
  const Size size{std::atoi(argv[2]), std::atoi(argv[3])};
  StereoOptions options = stereo_preset(argv[5]).options;
  options.disparities = std::atoi(argv[4]);
  const int calls = std::atoi(argv[6]);
  StereoMatcher matcher(device, size, options);
  const Image<std::uint8_t> left = picture(size, 0), right = picture(size, 5);
  Image<std::int16_t> map(size);
  time(
      "host", calls, 1,
      [&] {
        matcher.compute({left, right}, {.disparity = map});
      },
      [] {});
  if (device.kind() != "cuda" && device.kind() != "opencl") return;
  const auto pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  const DeviceMemory a = uploaded(device, left), b = uploaded(device, right), c = device.allocate(2 * pixels);
  const DeviceImage left_image(a, PixelType::u8, size), right_image(b, PixelType::u8, size);
  const DeviceImage map_image(c, PixelType::i16, size);
  time(
      "device", calls, 1,
      [&] {
        matcher.compute({left_image, right_image}, {.disparity = map_image});
      },
      [] {});
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

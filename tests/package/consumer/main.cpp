// SPDX-License-Identifier: Apache-2.0
// A program on the installed core: matches a shifted pair on each device and expects the shift.
#include <vergence/stereo.hpp>
#include <vergence/version.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

int main() {
  constexpr int width = 64;
  constexpr int height = 24;
  constexpr int shift = 5;
  vergence::Image<std::uint8_t> left(width, height);
  vergence::Image<std::uint8_t> right(width, height, std::uint8_t{0});
  std::uint32_t noise = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      noise = noise * 1664525u + 1013904223u;
      left(x, y) = static_cast<std::uint8_t>(noise >> 24);
      if (x >= shift) right(x - shift, y) = left(x, y);
    }
  for (const char* device : {"reference", "cpu"}) {
    vergence::StereoOptions options;
    options.disparities = 16;
    options.subpixel = false;
    vergence::StereoMatcher matcher(vergence::Device(device), left.size(), options);
    vergence::Image<std::int16_t> disparity(left.size());
    matcher.compute({left, right}, {.disparity = disparity});
    const int found = disparity(width / 2, height / 2);
    if (found != 16 * shift) {
      std::printf("%s: %d/16 px, not %d px\n", device, found, shift);
      return 1;
    }
  }
  std::printf("Vergence %s\n", VERGENCE_VERSION);
  return 0;
}

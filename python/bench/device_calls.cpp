// SPDX-License-Identifier: Apache-2.0
// What device_calls.py measures, in C++: StereoMatcher on pictures and maps in a CUDA device's memory, waited for or in
// the order of the legacy default stream.
// Usage: python_device_calls DEVICE WIDTH HEIGHT DISPARITIES PRESET CALLS; prints lines "NAME MEDIAN BEST", us.
#include <algorithm>
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
  const auto pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  const DeviceMemory a = uploaded(device, picture(size, 0)), b = uploaded(device, picture(size, 5)),
                     c = device.allocate(2 * pixels);
  const StereoInput pair{DeviceImage(a, PixelType::u8, size), DeviceImage(b, PixelType::u8, size)};
  const StereoOutput maps{.disparity = DeviceImage(c, PixelType::i16, size)};
  const auto ordered = [&] {
    const DeviceEvent before = device.record(nullptr);
    matcher.submit(pair, maps, {&before, 1}).make_wait(nullptr);
  };
  const auto wait = [&] { device.record(nullptr).wait(); };
  const auto nothing = [] {};
  time(
      "compute", calls, 1, [&] { matcher.compute(pair, maps); }, nothing);
  time(
      "ordered", calls, 1, [&] { ordered(), wait(); }, nothing);
  constexpr int in_a_row = 50;
  time(
      "row", std::max(calls / in_a_row, 5), 1.0 / in_a_row,
      [&] {
        for (int i = 0; i < in_a_row; ++i) ordered();
        wait();
      },
      nothing);
  // What the pieces take until they return.
  time("returns", calls, 1, ordered, wait);
  time(
      "submit", calls, 1, [&] { matcher.submit(pair, maps); }, wait);
  DeviceEvent event;
  time(
      "record", calls, 1, [&] { event = device.record(nullptr); }, nothing);
  time(
      "make_wait", calls, 1, [&] { event.make_wait(nullptr); }, wait);
  time(
      "is_done", calls, 1, [&] { static_cast<void>(event.is_done()); }, nothing);
  time(
      "wrap", calls, 1, [&] { static_cast<void>(DeviceImage(device.wrap(a.handle()), PixelType::u8, size)); }, nothing);
  time("wait", calls, 1, wait, nothing);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 7) {
    std::cerr << "usage: python_device_calls DEVICE WIDTH HEIGHT DISPARITIES PRESET CALLS\n";
    return 2;
  }
  run(argv);
  return 0;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}

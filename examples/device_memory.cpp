// SPDX-License-Identifier: Apache-2.0
// Stereo on pictures that already lie in a GPU's memory, with the map left there: what a camera driver, a rectification
// or a network on the same device would hand over. Compares the map with that of the device `cpu`.
#include <vergence/device_image.hpp>
#include <vergence/io.hpp>
#include <vergence/stereo.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "usage: device_memory DEVICE LEFT RIGHT\n";
    return 2;
  }
  const vergence::Device device(argv[1]);  // "opencl", "cuda:0", ...
  const vergence::GreyPicture left = vergence::read_grey(argv[2]);
  const vergence::GreyPicture right = vergence::read_grey(argv[3]);
  const vergence::Size size = left.size();
  const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);

  // With CUDA, device.wrap(pointer) takes what cudaMalloc gave; with OpenCL, a cl_mem that was made in
  // device.native().context. Here, memory is made and filled by Vergence: both pictures in one piece, then the map.
  const std::size_t pitch = (width + 127) / 128 * 128, picture = pitch * height;
  const vergence::DeviceMemory memory = device.allocate(2 * picture + 2 * width * height);
  for (std::size_t y = 0; y < height; ++y) {
    memory.write(left.u8.row(static_cast<int>(y)), width, y * pitch);
    memory.write(right.u8.row(static_cast<int>(y)), width, picture + y * pitch);
  }
  const vergence::DeviceImage left_image(memory, vergence::PixelType::u8, size, pitch);
  const vergence::DeviceImage right_image(memory, vergence::PixelType::u8, size, pitch, picture);
  const vergence::DeviceImage map(memory, vergence::PixelType::i16, size, 0, 2 * picture);

  vergence::StereoOptions options = vergence::stereo_preset("quality").options;
  options.disparities = 32;
  vergence::StereoMatcher matcher(device, size, options);
  // What the program does with a stream of its own, device.record(stream) tells the call to wait for, and the event
  // that submit() gives can make that stream wait: event.make_wait(stream). Here the host waits, as compute() does.
  matcher.submit({left_image, right_image}, {.disparity = map}).wait();

  vergence::Image<std::int16_t> result(size), expected(size);
  for (std::size_t y = 0; y < height; ++y)
    memory.read(result.row(static_cast<int>(y)), 2 * width, 2 * picture + 2 * y * width);
  vergence::StereoMatcher(vergence::Device("cpu"), size, options).compute({left.u8, right.u8}, {.disparity = expected});
  for (int y = 0; y < size.height; ++y)
    if (std::memcmp(result.row(y), expected.row(y), 2 * width) != 0) {
      std::cerr << "error: row " << y << " differs\n";
      return 1;
    }
  std::cout << device.name() << ": the bytes of cpu, without a picture or a map in host memory\n";
  return 0;
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}

// SPDX-License-Identifier: Apache-2.0
// Blur, half size and gradients on every GPU device: the bits of the reference, for floats and bytes, all borders,
// sizes about the filters' reach, any stride.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "imgproc/picture_oracle.hpp"

namespace vergence {
namespace {

Image<float> floats(Size size, std::uint64_t seed) { return test::float_noise(size, seed); }
Image<std::uint8_t> bytes(Size size, std::uint64_t seed) { return test::noise<std::uint8_t>(size, seed, 255); }

/// run(filter, in, out, border) gives the reference's bits, and nothing is written beside `out`.
template <class P, class T, class Run>
void expect_equal(const Image<P>& picture, bool halves, const Run& run, const test::GpuDevice& gpu) {
  const Size size = picture.size();
  test::GuardedMap<P> in(size, 2);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) in.view()(x, y) = picture(x, y);
  PictureFilter reference(Device("reference"), size),
      filter(Device(gpu::make_device(gpu.name, "opencl", gpu.device)), size);
  for (const FilterBorder border : test::borders()) {
    const Size out = halves ? reference.half_size() : size;
    test::GuardedMap<T> expected(out, 1), got(out, 3);
    run(reference, in.readable(), expected.view(), border);
    run(filter, in.readable(), got.view(), border);
    ASSERT_EQ(test::bit_difference<T>(expected.view(), got.view()), "")
        << gpu.name << ", " << size.width << "x" << size.height << ", border " << static_cast<int>(border);
    ASSERT_TRUE(got.guards_hold()) << gpu.name;
  }
}

template <class Test>
void for_all_sizes(const Test& test) {
  std::string reasons;
  const std::vector<test::GpuDevice> devices = test::gpu_devices(reasons);
  if (devices.empty()) GTEST_SKIP() << reasons;
  for (const test::GpuDevice& gpu : devices)
    for (const Size size : test::filter_sizes()) {
      test(size, gpu);
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(GpuPictureFilter, Blur) {
  const auto blur = [](PictureFilter& filter, auto in, auto out, FilterBorder border) { filter.blur(in, out, border); };
  for_all_sizes([&](Size size, const test::GpuDevice& gpu) {
    expect_equal<float, float>(floats(size, 3), false, blur, gpu);
    expect_equal<std::uint8_t, std::uint8_t>(bytes(size, 4), false, blur, gpu);
  });
}

TEST(GpuPictureFilter, Half) {
  const auto half = [](PictureFilter& filter, auto in, auto out, FilterBorder border) { filter.half(in, out, border); };
  for_all_sizes([&](Size size, const test::GpuDevice& gpu) {
    expect_equal<float, float>(floats(size, 5), true, half, gpu);
    expect_equal<std::uint8_t, std::uint8_t>(bytes(size, 6), true, half, gpu);
  });
}

TEST(GpuPictureFilter, Gradients) {
  const auto across = [](PictureFilter& filter, auto in, auto out, FilterBorder border) {
    filter.sobel(in, out, {}, border);
  };
  const auto down = [](PictureFilter& filter, auto in, auto out, FilterBorder border) {
    filter.scharr(in, {}, out, border);
  };
  for_all_sizes([&](Size size, const test::GpuDevice& gpu) {
    expect_equal<float, float>(floats(size, 7), false, across, gpu);
    expect_equal<float, float>(floats(size, 8), false, down, gpu);
    expect_equal<std::uint8_t, std::int16_t>(bytes(size, 9), false, across, gpu);
    expect_equal<std::uint8_t, std::int16_t>(bytes(size, 10), false, down, gpu);
  });
}

TEST(GpuPictureFilter, BothGradientsAtOnce) {
  const Size size{67, 65};
  const Image<float> picture = floats(size, 11);
  Image<float> dx(size), dy(size), expected_dx(size), expected_dy(size);
  PictureFilter(Device("reference"), size).scharr(picture, expected_dx.view(), expected_dy.view());
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    PictureFilter(Device(gpu::make_device(gpu.name, "opencl", gpu.device)), size).scharr(picture, dx.view(), dy.view());
    EXPECT_EQ(test::bit_difference<float>(expected_dx, dx), "") << gpu.name;
    EXPECT_EQ(test::bit_difference<float>(expected_dy, dy), "") << gpu.name;
  }
}

}  // namespace
}  // namespace vergence

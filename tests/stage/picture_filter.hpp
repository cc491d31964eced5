// SPDX-License-Identifier: Apache-2.0
// Blur, half size and gradients of a backend against the reference: the same bits for floats and bytes, all borders,
// sizes about the filters' reach, any stride. SUITE names the tests (see stage/README.md).
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "imgproc/picture_oracle.hpp"
#include "support/filter_maps.hpp"
#include "vergence/filter.hpp"

namespace vergence::test {
namespace {

/// Skips, with the reasons, where the backend has no device.
class SUITE : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    if (devices_under_test(0, reasons).empty()) GTEST_SKIP() << reasons;
  }
};

/// Sizes about the filters' reach, vectors of all lengths, and bands of rows.
constexpr Size filter_sizes[] = {{1, 1}, {2, 1},  {1, 2},  {3, 3},   {4, 2},   {5, 5},    {2, 9},
                                 {9, 4}, {17, 7}, {33, 6}, {64, 70}, {67, 65}, {131, 40}, {200, 150}};

/// Every second one has a few pixels whose sums are too large or no number: processors, compilers and GPUs give
/// different NaNs for them.
Image<float> draw(Size size, std::uint64_t seed, float /*type*/) {
  using Limits = std::numeric_limits<float>;
  Image<float> picture = float_noise(size, seed);
  const float odd[] = {Limits::infinity(),
                       -Limits::infinity(),
                       Limits::max(),
                       -Limits::max(),
                       Limits::quiet_NaN(),
                       -Limits::quiet_NaN(),
                       std::bit_cast<float>(0x7f812345),
                       std::bit_cast<float>(0xffffffffU)};
  const Image<std::uint8_t> place = noise<std::uint8_t>(size, seed + 1, 255);
  for (int y = 0; y < size.height && seed % 2 == 1; ++y)
    for (int x = 0; x < size.width; ++x)
      if (place(x, y) < 16) picture(x, y) = odd[place(x, y) % 8];
  return picture;
}
Image<std::uint8_t> draw(Size size, std::uint64_t seed, std::uint8_t /*type*/) {
  return noise<std::uint8_t>(size, seed, 255);
}

/// run(filter, in, out, border) gives the reference's bits on every device, and nothing is written beside `out`.
template <class P, class T, class Run>
void expect_equal(Size size, std::uint64_t seed, bool halves, const Run& run) {
  const Image<P> picture = draw(size, seed, P{});
  FilteredMap<P> in(size, static_cast<int>(seed % 4));
  copy_map<P>(picture, in.view());
  PictureFilter reference(Device("reference"), size);
  const Size out = halves ? reference.half_size() : size;
  std::string reasons;
  for (const Device& device : devices_under_test(seed, reasons)) {
    PictureFilter filter(device, size);
    for (const FilterBorder border : borders()) {
      FilteredMap<T> expected(out, 1), got(out, 3);
      run(reference, in.readable(), expected.view(), border);
      run(filter, in.readable(), got.view(), border);
      ASSERT_EQ(bit_difference<T>(expected.view(), got.view()), "")
          << device.description() << ", " << size.width << "x" << size.height << ", seed " << seed << ", border "
          << static_cast<int>(border);
      ASSERT_TRUE(got.guards_hold()) << device.description();
      ASSERT_TRUE(in.guards_hold()) << device.description();
    }
  }
}

template <class P, class T, class Run>
void expect_equal_for_all_sizes(bool halves, const Run& run) {
  std::uint64_t seed = 1;
  for (const Size size : filter_sizes) {
    expect_equal<P, T>(size, ++seed, halves, run);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_F(SUITE, Blur) {
  const auto blur = [](PictureFilter& filter, auto in, auto out, FilterBorder border) { filter.blur(in, out, border); };
  expect_equal_for_all_sizes<float, float>(false, blur);
  expect_equal_for_all_sizes<std::uint8_t, std::uint8_t>(false, blur);
}

TEST_F(SUITE, Half) {
  const auto half = [](PictureFilter& filter, auto in, auto out, FilterBorder border) { filter.half(in, out, border); };
  expect_equal_for_all_sizes<float, float>(true, half);
  expect_equal_for_all_sizes<std::uint8_t, std::uint8_t>(true, half);
}

/// dx or dy alone.
TEST_F(SUITE, Gradients) {
  const auto across = [](PictureFilter& filter, auto in, auto out, FilterBorder border) {
    filter.sobel(in, out, {}, border);
  };
  const auto down = [](PictureFilter& filter, auto in, auto out, FilterBorder border) {
    filter.scharr(in, {}, out, border);
  };
  expect_equal_for_all_sizes<float, float>(false, across);
  expect_equal_for_all_sizes<float, float>(false, down);
  expect_equal_for_all_sizes<std::uint8_t, std::int16_t>(false, across);
  expect_equal_for_all_sizes<std::uint8_t, std::int16_t>(false, down);
}

/// Both; one of them is compared.
TEST_F(SUITE, BothGradientsAtOnce) {
  const auto across = [](PictureFilter& filter, auto in, auto out, FilterBorder border) {
    Image<std::remove_reference_t<decltype(out(0, 0))>> other(filter.size());
    filter.scharr(in, out, other, border);
  };
  const auto down = [](PictureFilter& filter, auto in, auto out, FilterBorder border) {
    Image<std::remove_reference_t<decltype(out(0, 0))>> other(filter.size());
    filter.sobel(in, other, out, border);
  };
  expect_equal_for_all_sizes<std::uint8_t, std::int16_t>(false, across);
  expect_equal_for_all_sizes<std::uint8_t, std::int16_t>(false, down);
  expect_equal<float, float>({67, 65}, 11, false, across);
  expect_equal<float, float>({67, 65}, 11, false, down);
}

/// Larger than caches hold: the CPU writes such pictures past them.
TEST_F(SUITE, LargePictures) {
  const Size size{1031, 1100};
  const Image<float> picture = float_noise(size, 9);
  Image<float> expected(size), got(size);
  PictureFilter(Device("reference"), size).blur(picture, expected);
  std::string reasons;
  for (const Device& device : devices_under_test(1, reasons)) {
    got.fill(-1);
    PictureFilter(device, size).blur(picture, got);
    EXPECT_EQ(bit_difference<float>(expected, got), "") << device.description();
  }
}

}  // namespace
}  // namespace vergence::test

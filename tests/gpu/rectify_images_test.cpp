// SPDX-License-Identifier: Apache-2.0
// Rectification from and to device memory gives the bytes of host memory, on every GPU device; rectified pictures that
// stay there are matched as those in host memory are.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/placed_image.hpp"
#include "stage/gpu_devices.hpp"
#include "support/maps.hpp"
#include "vergence/rectify.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

constexpr Size raw_size{61, 43};

StereoRig drawn_rig() {
  StereoRig rig;
  rig.left = {raw_size, 50, 51, 31, 20, LensModel::pinhole, {-0.1, 0.02}};
  rig.right = {raw_size, 52, 50, 29, 22, LensModel::pinhole, {-0.12, 0.01}};
  rig.translation = {-0.1, 0.001, 0};
  return rig;
}

template <class P>
Image<P> raw_picture(std::uint64_t seed) {
  return noise<P>(raw_size, seed, sizeof(P) == 1 ? 255U : 65535U);
}

template <class P>
void expect_same(const Device& device, const Layout& in, const Layout& out) {
  StereoRectifier rectifier(device, drawn_rig(), {.size = {57, 40}});
  const Image<P> left = raw_picture<P>(1), right = raw_picture<P>(2);
  Image<P> left_out(rectifier.size()), right_out(rectifier.size());
  rectifier.rectify(left, right, left_out, right_out);
  Placed<P> left_in(device, left, in), right_in(device, right, in);
  Placed<P> first(device, rectifier.size(), out), second(device, rectifier.size(), out),
      third(device, rectifier.size(), out);
  rectifier.rectify(left_in.image, right, first.image, second.image);
  rectifier.rectify_right(right_in.image, third.image);
  Image<P> mixed(rectifier.size());
  rectifier.rectify_left(left_in.image, mixed);
  std::string where;
  EXPECT_EQ(values_of(first.read(where)), values_of(left_out));
  EXPECT_EQ(values_of(second.read(where)), values_of(right_out));
  EXPECT_EQ(values_of(third.read(where)), values_of(right_out));
  EXPECT_EQ(values_of(mixed), values_of(left_out));
  EXPECT_EQ(values_of(left_in.read(where)), values_of(left));
  EXPECT_EQ(where, "");
}

class RectifyImages : public ::testing::Test {
 protected:
  void SetUp() override {
    devices = devices_under_test(0, reasons);
    if (devices.empty()) GTEST_SKIP() << reasons;
  }
  std::string reasons;
  std::vector<Device> devices;
};

TEST_F(RectifyImages, GiveTheBytesOfHostMemory) {
  for (const Device& device : devices)
    for (const Layout& layout : {Layout{0, 0, 16}, Layout{6, 10, 3}, Layout{64, 2, 64}}) {
      SCOPED_TRACE(device.description() + ", offset " + std::to_string(layout.before));
      expect_same<std::uint8_t>(device, layout, {16, 4, 16});
      expect_same<std::uint16_t>(device, layout, {0, 0, 16});
    }
}

TEST_F(RectifyImages, StayOnTheDeviceForTheMatcher) {
  for (const Device& device : devices) {
    StereoRectifier rectifier(device, drawn_rig());
    const SourceMasks masks{rectifier.left_mask(), rectifier.right_mask()};
    StereoMatcher matcher(device, rectifier.size(), {.disparities = 16, .fill = StereoFill::nearest}, masks);
    const Image<std::uint8_t> raw = raw_picture<std::uint8_t>(1);
    Image<std::uint8_t> left(rectifier.size()), right(rectifier.size());
    Image<std::int16_t> expected(rectifier.size()), got(rectifier.size());
    rectifier.rectify(raw, raw, left, right);
    StereoMatcher(Device("reference"), rectifier.size(), matcher.options(), masks)
        .compute({left, right}, {.disparity = expected});
    Placed<std::uint8_t> left_there(device, rectifier.size(), {0, 0, 16}),
        right_there(device, rectifier.size(), {0, 0, 16});
    rectifier.rectify(raw, raw, left_there.image, right_there.image);
    matcher.compute({left_there.image, right_there.image}, {.disparity = got});
    EXPECT_EQ(values_of(got), values_of(expected)) << device.description();
  }
}

TEST_F(RectifyImages, ThoseThatDoNotFitAreRefused) {
  const Device& device = devices.front();
  StereoRectifier rectifier(device, drawn_rig());
  const Image<std::uint8_t> raw = raw_picture<std::uint8_t>(1);
  Image<std::uint8_t> out(rectifier.size());
  Placed<std::uint8_t> small(device, Size{60, 43}, {0, 0, 16}), fits(device, rectifier.size(), {0, 0, 16});
  Placed<std::uint16_t> words(device, rectifier.size(), {0, 0, 16});
  EXPECT_ERROR(rectifier.rectify_left(small.image, out), ErrorCode::invalid_argument,
               "the left picture is 60x43: it must have the rectifier's size, 61x43");
  EXPECT_ERROR(rectifier.rectify_left(raw, words.image), ErrorCode::invalid_argument,
               "the rectified left picture has pixels of type u16: u8 is needed");
  EXPECT_ERROR(rectifier.rectify(raw, raw, fits.image, fits.image), ErrorCode::invalid_argument, "overlap");
  StereoRectifier host(Device("cpu"), drawn_rig());
  EXPECT_ERROR(host.rectify_left(raw, fits.image), ErrorCode::invalid_argument, "give ImageViews");
}

}  // namespace
}  // namespace vergence::test

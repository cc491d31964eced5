// SPDX-License-Identifier: Apache-2.0
// Frames that exceed a GPU's memory give the bytes of the reference, in bands of rows: on a device with so little.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/failing_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "support/maps.hpp"
#include "vergence/device_image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

class GpuBands : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    for (const GpuDevice& gpu : gpu_devices(reasons)) workshops_.push_back(std::make_shared<Workshop>(gpu.device));
    if (workshops_.empty()) GTEST_SKIP() << reasons;
  }
  /// The machine's devices, with less memory, in all or in one piece.
  std::vector<Device> devices(std::uint64_t memory, std::uint64_t largest_buffer) {
    std::vector<Device> all;
    for (const auto& workshop : workshops_) {
      auto one = std::make_shared<FailingDevice>(workshop, faults_);
      one->set_properties([&](gpu::Properties& p) {
        p.global_memory = memory;
        p.largest_buffer = largest_buffer;
      });
      all.push_back(backend::handle(gpu::make_device("small:0", "opencl", std::move(one))));
    }
    return all;
  }
  template <class P>
  void expect_bytes_of_reference(const Device& device, Size size, const StereoOptions& options, unsigned largest,
                                 const SourceMasks& masks = {}) {
    const Image<P> left = noise<P>(size, 11, largest), right = shifted(left, 3);
    struct Maps {
      explicit Maps(Size s) : map(s), mask(s), confidence(s), cost(s), second(s), before(s), after(s) {}
      StereoOutput output() {
        return {.disparity = map,
                .mask = mask,
                .confidence = confidence,
                .cost = cost,
                .second_cost = second,
                .cost_before = before,
                .cost_after = after};
      }
      Image<std::int16_t> map;
      Image<std::uint8_t> mask, confidence;
      Image<std::uint32_t> cost, second, before, after;
    } expected(size), got(size);
    StereoMatcher(Device("reference"), size, options, masks).compute({left, right}, expected.output());
    StereoMatcher matcher(device, size, options, masks);
    matcher.measure(true);
    if (!masks.left.empty()) matcher.compute({left, right}, got.output());  // the masks of the last band are there then
    matcher.compute({left, right}, got.output());
    EXPECT_GT(matcher.band_rows(), 0);
    EXPECT_LT(matcher.band_rows(), size.height);
    EXPECT_GT(matcher.times()->kernel_ms, 0);
    EXPECT_EQ(values_of(expected.map), values_of(got.map));
    EXPECT_EQ(values_of(expected.mask), values_of(got.mask));
    EXPECT_EQ(values_of(expected.confidence), values_of(got.confidence));
    EXPECT_EQ(values_of(expected.cost), values_of(got.cost));
    EXPECT_EQ(values_of(expected.second), values_of(got.second));
    EXPECT_EQ(values_of(expected.before), values_of(got.before));
    EXPECT_EQ(values_of(expected.after), values_of(got.after));
  }

  std::vector<std::shared_ptr<Workshop>> workshops_;
  SharedFaults faults_ = std::make_shared<Faults>();
};

TEST_F(GpuBands, OfPicturesThatExceedAMebibyte) {
  const StereoOptions options{.window = {7, 5},
                              .disparities = 12,
                              .uniqueness_ratio = 5,
                              .left_right = 1,
                              .speckle_size = 20,
                              .median = 3,
                              .fill = StereoFill::nearest,
                              .roi = Rect{5, 9, 200, 211}};
  for (const Device& device : devices(1 << 20, 1 << 20))
    expect_bytes_of_reference<std::uint8_t>(device, {211, 230}, options, 255);
  EXPECT_EQ(faults_->living(), 0);
}

/// A wedge shows nothing: other pixels of each band do, and none of the last ones.
TEST_F(GpuBands, HaveTheirPartsOfMasks) {
  const Size size{333, 211};
  Image<std::uint8_t> left(size, 1), right(size, 1);
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < y / 2; ++x) left(x, y) = right(size.width - 1 - x, y) = 0;
  StereoOptions options;
  options.disparities = 16;
  options.window = {5, 5};
  for (const Device& device : devices(1 << 20, 1 << 20))
    expect_bytes_of_reference<std::uint8_t>(device, size, options, 255, {left, right});
}

TEST_F(GpuBands, OfPicturesThatExceedTheLargestBuffer) {
  const StereoOptions options{.cost = StereoCost::census_5x5,
                              .window = {5, 5},
                              .disparities = 9,
                              .border = StereoBorder::invalid,
                              .prefilter = StereoPrefilter::xsobel_opencv,
                              .texture_threshold = 300,
                              .left_right = -1,
                              .fill = StereoFill::background,
                              .depth = Depth::u16};
  for (const Device& device : devices(1 << 30, 100 << 10))
    expect_bytes_of_reference<std::uint16_t>(device, {150, 171}, options, 65535);
}

StereoOptions paths_options() {
  StereoOptions options;
  options.aggregate = StereoAggregate::sgm;
  options.cost = StereoCost::census_symmetric_9x7;
  options.disparities = 12;
  options.p1 = 5;
  options.p2 = 60;
  options.speckle_size = 0;
  return options;
}

/// Paths cross all rows.
TEST_F(GpuBands, AreNoneUnderSgm) {
  // 8 paths, 16 places, 211 x 230 pixels: 6211840 bytes.
  for (const Device& device : devices(1 << 20, 1 << 20))
    for (const char* const part :
         {"device small:0 has too little memory for sgm, whose paths cross the whole picture of 211x230",
          "take 6211840 bytes in one piece", "25 rows of this width would fit", "device cpu"})
      EXPECT_ERROR(StereoMatcher(device, {211, 230}, paths_options()), ErrorCode::out_of_memory, part);
  StereoOptions many = paths_options();
  many.disparities = 100;
  for (const Device& device : devices(1 << 30, 900'000))
    for (const char* const part : {"gives at most 900000", "48 disparities, or 10 rows of this width, would fit"})
      EXPECT_ERROR(StereoMatcher(device, {100, 20}, many), ErrorCode::out_of_memory, part);
  EXPECT_EQ(faults_->living(), 0);
}

TEST_F(GpuBands, UnderSgmAFrameThatDoesNotFitLosesNothing) {
  const Size size{64, 48};
  const Image<std::uint8_t> left = noise<std::uint8_t>(size, 5, 255), right = shifted(left, 3);
  Image<std::int16_t> before(size), after(size);
  Image<std::uint32_t> cost(size);
  std::size_t taken = 0;
  for (const Device& device : devices(1 << 30, 1 << 30)) {
    StereoMatcher matcher(device, size, paths_options());
    taken = std::max(taken, faults_->allocated);
  }
  for (const Device& device : devices(taken + 40'000, 1 << 30)) {
    StereoMatcher matcher(device, size, paths_options());
    matcher.compute({left, right}, {.disparity = before});
    EXPECT_ERROR(matcher.compute({left, right}, {.disparity = after, .cost = cost}), ErrorCode::out_of_memory,
                 "too little memory for sgm");
    matcher.compute({left, right}, {.disparity = after});
    EXPECT_EQ(values_of(before), values_of(after));
    EXPECT_EQ(matcher.band_rows(), 0);
  }
}

TEST_F(GpuBands, TakeNoImagesInDeviceMemory) {
  const Size size{128, 96};
  for (const Device& device : devices(80 << 10, 80 << 10)) {
    const DeviceMemory memory = device.allocate(4 * 128 * 96);
    const DeviceImage left(memory, PixelType::u8, size), right(memory, PixelType::u8, size, 0, 128 * 96);
    const DeviceImage map(memory, PixelType::i16, size, 0, 2 * 128 * 96);
    StereoMatcher matcher(device, size, {.window = {3, 3}, .disparities = 4, .left_right = -1, .speckle_size = 0});
    ASSERT_GT(matcher.band_rows(), 0);
    EXPECT_ERROR(matcher.compute({left, right}, {.disparity = map}), ErrorCode::unsupported,
                 "device small:0 has too little memory for whole pictures of 128x96");
    const Image<std::uint8_t> picture = noise<std::uint8_t>(size, 1, 255);
    EXPECT_ERROR(matcher.enqueue({picture, picture}, {.disparity = map}), ErrorCode::unsupported,
                 "give pictures and maps as ImageViews");
  }
}

}  // namespace
}  // namespace vergence::test

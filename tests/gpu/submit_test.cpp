// SPDX-License-Identifier: Apache-2.0
// Frames that nobody waits for on the host: on every GPU device the bytes of those that are waited for, in any mixture;
// what they work on is kept as long; and what cannot be is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/placed_image.hpp"
#include "support/maps.hpp"
#include "vergence/device_image.hpp"
#include "vergence/rectify.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

const Size submitted_size{48, 20};
const StereoOptions submitted_options{
    .window = {3, 3}, .disparities = 4, .left_right = -1, .speckle_size = 0, .median = 3};

class SubmittedFrames : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    for (const GpuDevice& gpu : gpu_devices(reasons))
      devices.push_back(
          backend::handle(gpu::make_device(gpu.name, gpu.name.substr(0, gpu.name.find(':')), gpu.device)));
    if (devices.empty()) GTEST_SKIP() << reasons;
  }
  std::vector<Device> devices;
};

/// A pair on the device, its maps there, and what they must hold.
struct SubmittedFrame {
  SubmittedFrame(const Device& device, int number, StereoMatcher& reference)
      : left(noise<std::uint8_t>(submitted_size, static_cast<std::uint64_t>(number), 255)),
        right(shifted(left, number % 4)),
        l(device, left, layouts[number % 2]),
        r(device, right, layouts[number % 2]),
        map(device, submitted_size, layouts[number % 2]),
        other(device, submitted_size, layouts[number % 2]) {
    reference.compute({left, right}, {.disparity = expected, .other_disparity = expected_other});
  }
  void expect_equal(bool with_other, const std::string& where) {
    std::string damage;
    EXPECT_EQ(values_of(map.read(damage)), values_of(expected)) << where;
    if (with_other) {
      EXPECT_EQ(values_of(other.read(damage)), values_of(expected_other)) << where;
    }
    EXPECT_EQ(damage, "") << where;
  }
  static constexpr Layout layouts[] = {{0, 0, 64}, {4, 20, 0}};
  Image<std::uint8_t> left, right;
  Placed<std::uint8_t> l, r;
  Placed<std::int16_t> map, other;
  Image<std::int16_t> expected{submitted_size}, expected_other{submitted_size};
};

TEST_F(SubmittedFrames, GiveTheBytesOfThoseThatAreWaitedFor) {
  StereoMatcher reference(Device("reference"), submitted_size, submitted_options);
  for (const Device& device : devices) {
    StereoMatcher matcher(device, submitted_size, submitted_options);
    std::vector<std::unique_ptr<SubmittedFrame>> frames;
    std::vector<DeviceEvent> done;
    std::vector<PendingStereo> pending;
    for (int i = 0; i < 12; ++i) {
      frames.push_back(std::make_unique<SubmittedFrame>(device, i, reference));
      SubmittedFrame& f = *frames.back();
      StereoOutput maps{.disparity = f.map.image};
      if (i % 3 == 1) maps.other_disparity = f.other.image;
      if (i == 5) {
        matcher.compute({f.l.image, f.r.image}, maps);
      } else if (i >= 7 && i < 9) {
        pending.push_back(matcher.enqueue({f.left, f.right}, maps));
      } else if (i % 2 == 0) {
        done.push_back(matcher.submit({f.left, f.right}, maps));  // pictures of the host may change at once
        f.left = Image<std::uint8_t>(submitted_size, std::uint8_t{0});
        f.right = Image<std::uint8_t>(submitted_size, std::uint8_t{0});
      } else {
        done.push_back(matcher.submit({f.l.image, f.r.image}, maps, done));
      }
    }
    for (PendingStereo& one : pending) one.wait();
    for (const DeviceEvent& one : done) one.wait();
    for (std::size_t i = 0; i < frames.size(); ++i)
      frames[i]->expect_equal(i % 3 == 1, device.name() + ", frame " + std::to_string(i));
  }
}

TEST_F(SubmittedFrames, KeepWhatTheyWorkOn) {
  StereoMatcher reference(Device("reference"), submitted_size, submitted_options);
  for (const Device& device : devices) {
    std::weak_ptr<backend::Memory> memory;
    DeviceEvent done;
    {
      StereoMatcher matcher(device, submitted_size, submitted_options);
      std::optional<SubmittedFrame> frame(std::in_place, device, 1, reference);
      memory = backend::of(frame->map.memory);
      done = matcher.submit({frame->l.image, frame->r.image}, {.disparity = frame->map.image});
      frame.reset();
      EXPECT_FALSE(memory.expired());
      done.wait();
      SubmittedFrame next(device, 2, reference);
      const DeviceEvent later = matcher.submit({next.l.image, next.r.image}, {.disparity = next.map.image});
      EXPECT_TRUE(memory.expired()) << "the frame is done";
      memory = backend::of(next.map.memory);
    }
    EXPECT_TRUE(memory.expired()) << "the matcher is gone";
  }
}

TEST_F(SubmittedFrames, ThatCannotBeAreRefused) {
  StereoMatcher reference(Device("reference"), submitted_size, submitted_options);
  for (const Device& device : devices) {
    SubmittedFrame f(device, 1, reference);
    StereoMatcher matcher(device, submitted_size, submitted_options),
        on_cpu(Device("cpu"), submitted_size, submitted_options);
    Image<std::int16_t> host(submitted_size);
    const auto error = ErrorCode::invalid_argument;
    EXPECT_ERROR(matcher.submit({f.l.image, f.r.image}, {.disparity = host}), error,
                 "the disparity map lies in host memory, which is not written without waiting for it");
    EXPECT_ERROR(matcher.submit({f.l.image, f.r.image}, {.disparity = f.map.image, .other_disparity = host}), error,
                 "other_disparity lies in host memory");
    EXPECT_ERROR(on_cpu.submit({f.left, f.right}, {.disparity = host}), error, "lies in host memory");
    EXPECT_ERROR(on_cpu.submit({f.l.image, f.r.image}, {.disparity = f.map.image}), error, "give ImageViews");
  }
}

TEST_F(SubmittedFrames, OfARectifierToo) {
  StereoRig rig;
  rig.left = rig.right = {submitted_size, 60, 60, 23.5, 9.5, LensModel::pinhole, {-0.1}};
  rig.translation = {-0.12, 0, 0};
  const Image<std::uint8_t> raw = noise<std::uint8_t>(submitted_size, 4, 255),
                            other = noise<std::uint8_t>(submitted_size, 5, 255);
  StereoRectifier reference(Device("reference"), rig, {.alpha = 0});
  Image<std::uint8_t> left(reference.size()), right(reference.size());
  reference.rectify(raw, other, left, right);
  for (const Device& device : devices) {
    StereoRectifier rectifier(device, rig, {.alpha = 0});
    const Placed<std::uint8_t> a(device, raw, {0, 0, 16}), b(device, other, {3, 5, 16});
    Placed<std::uint8_t> c(device, left.size(), {0, 0, 16}), d(device, left.size(), {1, 7, 0}),
        e(device, left.size(), {0, 3, 0}), f(device, left.size(), {2, 0, 9});
    std::vector<DeviceEvent> done;
    done.push_back(rectifier.submit(a.image, b.image, c.image, d.image));
    done.push_back(rectifier.submit_left(raw, e.image, done));
    done.push_back(rectifier.submit_right(b.image, f.image, done));
    for (const DeviceEvent& one : done) one.wait();
    std::string damage;
    EXPECT_EQ(values_of(c.read(damage)), values_of(left)) << device.name();
    EXPECT_EQ(values_of(d.read(damage)), values_of(right)) << device.name();
    EXPECT_EQ(values_of(e.read(damage)), values_of(left)) << device.name();
    EXPECT_EQ(values_of(f.read(damage)), values_of(right)) << device.name();
    EXPECT_EQ(damage, "");
    EXPECT_ERROR(rectifier.submit(a.image, b.image, c.image, right), ErrorCode::invalid_argument,
                 "the rectified right picture lies in host memory");
    EXPECT_ERROR(rectifier.submit_left(a.image, left), ErrorCode::invalid_argument, "lies in host memory");
  }
}

TEST(DeviceEvents, AreNotForDevicesInHostMemory) {
  const DeviceEvent none;
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.is_done());
  EXPECT_EQ(none.handle(), nullptr);
  none.wait();
  none.make_wait(nullptr);
  for (const char* const name : {"cpu", "reference"}) {
    EXPECT_ERROR(Device(name).record(nullptr), ErrorCode::unsupported, name);
    EXPECT_ERROR(Device(name).wrap_event(nullptr), ErrorCode::unsupported, "has no events");
  }
}

}  // namespace
}  // namespace vergence::test

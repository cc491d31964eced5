// SPDX-License-Identifier: Apache-2.0
// Events between a matcher and a program's own OpenCL queues: a queue that is held up by the program shows who waits
// for what.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/devices.hpp"
#include "gpu/in_child.hpp"
#include "gpu/opencl/driver.hpp"
#include "support/maps.hpp"
#include "vergence/device_image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

using gpu::opencl::calls;
using gpu::opencl::EventHandle;
using gpu::opencl::QueueHandle;

constexpr std::size_t event_test_map = 2048;  ///< In bytes; the pictures lie before it.
const Size event_test_size{32, 20};
const StereoOptions event_test_options{.window = {3, 3}, .disparities = 4, .left_right = -1, .speckle_size = 0};

class OpenClEvents : public testing::Test {
 protected:
  void SetUp() override {
    const gpu::Found found = gpu::opencl::find().front();
    if (!found.available) GTEST_SKIP() << found.reason;
    device = std::make_unique<Device>(found.name);
    queue = make_queue(*device);
    memory = device->allocate(2 * event_test_map);
    left_image = DeviceImage(memory, PixelType::u8, event_test_size);
    right_image = DeviceImage(memory, PixelType::u8, event_test_size, 0, 1024);
    map_image = DeviceImage(memory, PixelType::i16, event_test_size, 0, event_test_map);
    matcher = std::make_unique<StereoMatcher>(*device, event_test_size, event_test_options);
    for (int y = 0; y < event_test_size.height; ++y) {
      memory.write(left.row(y), 32, static_cast<std::size_t>(32 * y));
      memory.write(right.row(y), 32, static_cast<std::size_t>(1024 + 32 * y));
    }
    const std::vector<std::int16_t> nothing(640, 77);
    memory.write(nothing.data(), 1280, event_test_map);
    StereoMatcher(Device("reference"), event_test_size, event_test_options)
        .compute({left, right}, {.disparity = expected});
  }
  static QueueHandle make_queue(const Device& of) {
    cl_int code = CL_SUCCESS;
    QueueHandle made(calls().CreateCommandQueue(static_cast<cl_context>(of.native().context),
                                                static_cast<cl_device_id>(of.native().device), 0, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  /// An event that comes when the test says so.
  EventHandle make_gate() const {
    cl_int code = CL_SUCCESS;
    const auto create = function<decltype(&clCreateUserEvent)>("clCreateUserEvent");
    EventHandle made(create(static_cast<cl_context>(device->native().context), &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  static void open(const EventHandle& gate) {
    EXPECT_EQ(function<decltype(&clSetUserEventStatus)>("clSetUserEventStatus")(gate.get(), CL_COMPLETE), CL_SUCCESS);
  }
  template <class Function>
  static Function function(const char* name) {
    static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function>(dlsym(library, name));
  }
  DeviceEvent submit(std::span<const DeviceEvent> after = {}) {
    return matcher->submit({left_image, right_image}, {.disparity = map_image}, after);
  }
  std::vector<std::int64_t> map() const {
    std::vector<std::int16_t> values(640);
    memory.read(values.data(), 1280, event_test_map);
    return {values.begin(), values.end()};
  }

  const Image<std::uint8_t> left = noise<std::uint8_t>(event_test_size, 3, 255), right = shifted(left, 2);
  Image<std::int16_t> expected{event_test_size};
  std::unique_ptr<Device> device;
  QueueHandle queue;
  DeviceMemory memory;
  DeviceImage left_image, right_image, map_image;
  std::unique_ptr<StereoMatcher> matcher;
};

TEST_F(OpenClEvents, AFrameWaitsForAProgramsQueue) {
  const EventHandle gate = make_gate();
  cl_event held = gate.get();
  ASSERT_EQ(calls().EnqueueBarrierWithWaitList(queue.get(), 1, &held, nullptr), CL_SUCCESS);
  const DeviceEvent before = device->record(queue.get());
  const DeviceEvent none;
  const std::vector<DeviceEvent> after{none, before};
  const DeviceEvent done = submit(after);
  EXPECT_FALSE(before.is_done());
  EXPECT_FALSE(done.is_done());
  EXPECT_NE(done.handle(), nullptr);
  open(gate);
  done.wait();
  EXPECT_TRUE(before.is_done());
  EXPECT_TRUE(done.is_done());
  EXPECT_EQ(map(), values_of(expected));
}

TEST_F(OpenClEvents, FramesThatAreWaitedForWaitToo) {
  const EventHandle gate = make_gate();
  const DeviceEvent before = device->wrap_event(gate.get());
  PendingStereo pending = matcher->enqueue({left_image, right_image}, {.disparity = map_image}, {&before, 1});
  EXPECT_EQ(map(), std::vector<std::int64_t>(640, 77));
  open(gate);
  pending.wait();
  EXPECT_EQ(map(), values_of(expected));
  const std::vector<std::int16_t> nothing(640, 77);
  memory.write(nothing.data(), 1280, event_test_map);
  matcher->compute({left_image, right_image}, {.disparity = map_image}, {&before, 1});  // it has come
  EXPECT_EQ(map(), values_of(expected));
}

TEST_F(OpenClEvents, AProgramsQueueWaitsForAFrame) {
  const EventHandle gate = make_gate();
  const DeviceEvent before = device->wrap_event(gate.get());
  const DeviceEvent done = submit({&before, 1});
  done.make_wait(queue.get());
  std::vector<std::int16_t> read(640, 55);
  ASSERT_EQ(calls().EnqueueReadBuffer(queue.get(), static_cast<cl_mem>(memory.handle()), CL_FALSE, event_test_map, 1280,
                                      read.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_FALSE(done.is_done());
  open(gate);
  ASSERT_EQ(calls().Finish(queue.get()), CL_SUCCESS);
  EXPECT_EQ(std::vector<std::int64_t>(read.begin(), read.end()), values_of(expected));
}

TEST_F(OpenClEvents, OfAProgramAreRetained) {
  DeviceEvent event;
  {
    const EventHandle gate = make_gate();
    event = device->wrap_event(gate.get());
    EXPECT_EQ(event.handle(), gate.get());
    open(gate);
  }
  EXPECT_TRUE(event.is_done());
  event.wait();
}

TEST_F(OpenClEvents, OutliveTheirDevice) {
  const DeviceEvent done = submit();
  matcher.reset();
  left_image = right_image = map_image = {};
  memory = {};
  queue = {};
  device.reset();
  done.wait();
  EXPECT_TRUE(done.is_done());
}

/// The work after an event that failed cannot be done.
/// What a caller gives away is kept until the device is done with it, also while later frames begin.
TEST_F(OpenClEvents, AFrameKeepsWhatItWorksOn) {
  const EventHandle gate = make_gate();
  const DeviceEvent before = device->wrap_event(gate.get());
  DeviceMemory own = device->allocate(event_test_map);
  const std::weak_ptr<backend::Memory> kept = backend::of(own);
  matcher->submit({left_image, right_image}, {.disparity = DeviceImage(own, PixelType::i16, event_test_size)},
                  {&before, 1});
  own = {};
  const DeviceEvent next = submit();  // lets go of what is done
  EXPECT_FALSE(kept.expired()) << "the first frame has not begun";
  open(gate);
  next.wait();
}

TEST_F(OpenClEvents, AFailureBeforeThemIsAnError) {
  const EventHandle gate = make_gate();
  const DeviceEvent before = device->wrap_event(gate.get());
  function<decltype(&clSetUserEventStatus)>("clSetUserEventStatus")(gate.get(), -5);
  EXPECT_ERROR(before.is_done(), ErrorCode::device, "CL_OUT_OF_RESOURCES");
  EXPECT_ERROR(before.wait(), ErrorCode::device, "an event on ");
}

/// A child does not call the driver, whose threads are gone: it leaves to its parent what that has made.
TEST_F(OpenClEvents, AForkedChildCallsNoDriver) {
  DeviceEvent done = submit();
  in_child([&] {
    EXPECT_ERROR(done.wait(), ErrorCode::device, "was forked after the driver had been used");
    EXPECT_ERROR(submit(), ErrorCode::device, "was forked");
    EXPECT_ERROR(map(), ErrorCode::device, "was forked");
    EXPECT_ERROR(Device("opencl:0"), ErrorCode::device, "was forked");
    done = {};
    matcher.reset();
    left_image = right_image = map_image = {};
    memory = {};
    queue = {};
    device.reset();
  });
  done.wait();
  EXPECT_EQ(map(), values_of(expected));
}

TEST_F(OpenClEvents, ThatCannotBeAreRefused) {
  const auto error = ErrorCode::invalid_argument;
  const Device again(device->name());
  const QueueHandle foreign = make_queue(again);
  EXPECT_ERROR(device->record(nullptr), error, "give a cl_command_queue");
  EXPECT_ERROR(device->record(foreign.get()), error, "made in another context");
  const DeviceEvent here = device->record(queue.get()), there = again.record(foreign.get());
  EXPECT_ERROR(here.make_wait(nullptr), error, "give a cl_command_queue");
  EXPECT_ERROR(here.make_wait(foreign.get()), error, "made in another context");
  EXPECT_ERROR(device->wrap_event(nullptr), error, "give a cl_event");
  EXPECT_ERROR(device->wrap_event(there.handle()), error, "made in another context");
  EXPECT_ERROR(submit({&there, 1}), error, "an event to wait for is one of device opencl:0");
  EXPECT_EQ(map(), std::vector<std::int64_t>(640, 77)) << "nothing was done";
}

}  // namespace
}  // namespace vergence::test

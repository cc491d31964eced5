// SPDX-License-Identifier: Apache-2.0
// CUDA's queue beyond single commands: captured graphs, downloads that arrive later, pinned memory. With a device, or
// with the stand-in of fake_cuda.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/cuda/driver.hpp"
#include "gpu/cuda_kernels.hpp"
#include "gpu/devices.hpp"
#include "gpu/replaced.hpp"

namespace vergence::gpu {
namespace {

class CudaQueue : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Found> found = cuda::find();
    if (!found.front().available) GTEST_SKIP() << found.front().reason;
    device = cuda::open(0);
    queue = device->make_queue();
  }
  static Rows bytes(std::size_t count) { return {0, count, static_cast<std::ptrdiff_t>(count), count, 1}; }
  std::vector<std::uint8_t> read(const Buffer& buffer) {
    std::vector<std::uint8_t> values(buffer.bytes());
    queue->download(buffer, bytes(values.size()), values.data());
    return values;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<Queue> queue;
};

TEST_F(CudaQueue, CapturedGraphsRunAgainAsTheyWere) {
  if (!cuda::calls().graphs) GTEST_SKIP() << "this driver captures no graphs";
  const std::unique_ptr<Buffer> a = device->allocate(100), b = device->allocate(50);
  const auto work = [&](int key, std::uint8_t value) {
    queue->begin_capture(key);
    queue->fill(*a, value);
    queue->fill(*b, static_cast<std::uint8_t>(value + 1));
    queue->end_capture();
  };
  work(1, 10);
  EXPECT_EQ(read(*a), std::vector<std::uint8_t>(100, 10));
  work(2, 20);
  EXPECT_EQ(read(*b), std::vector<std::uint8_t>(50, 21));
  work(1, 99);  // the value is left out: key 1 stands for 10
  EXPECT_EQ(read(*a), std::vector<std::uint8_t>(100, 10));
  EXPECT_EQ(read(*b), std::vector<std::uint8_t>(50, 11));
  queue->fill(*a, 7);  // outside: at once
  EXPECT_EQ(read(*a), std::vector<std::uint8_t>(100, 7));
}

TEST_F(CudaQueue, CapturedGraphsKeepStructures) {
  if (!cuda::calls().graphs) GTEST_SKIP() << "this driver captures no graphs";
  const std::unique_ptr<Buffer> data = device->allocate(8);
  const std::unique_ptr<Kernel> scale = device->load(device->compile(test::cuda_kernels))->kernel("scale");
  const auto work = [&](test::ScaleArguments numbers) {
    queue->begin_capture(1);
    queue->fill(*data, 0);
    queue->launch(*scale, {1}, {32}, std::vector<Argument>{*data, numbers});
    queue->end_capture();
  };
  for (int again = 0; again < 2; ++again) {
    work({1, again == 0 ? 2 : 1, {3, 4}, 16});  // the second time these numbers are those of the first
    EXPECT_EQ(read(*data), (std::vector<std::uint8_t>{19, 0, 0, 0, 20, 0, 0, 0}));
  }
}

TEST_F(CudaQueue, TimedCommandsAreNotCaptured) {
  const std::unique_ptr<Buffer> a = device->allocate(100);
  queue->measure(true);
  for (const std::uint8_t value : std::vector<std::uint8_t>{1, 2}) {
    queue->begin_capture(1);
    queue->fill(*a, value);
    queue->end_capture();
    EXPECT_EQ(read(*a), std::vector<std::uint8_t>(100, value));
  }
  EXPECT_GT(queue->timing().download, 0);
}

TEST_F(CudaQueue, ACaptureThatIsGivenUpLeavesNothing) {
  const std::unique_ptr<Buffer> a = device->allocate(100);
  queue->begin_capture(1);
  queue->fill(*a, 1);
  queue->begin_capture(1);  // as after an exception
  queue->fill(*a, 2);
  queue->end_capture();
  EXPECT_EQ(read(*a), std::vector<std::uint8_t>(100, 2));
}

TEST_F(CudaQueue, StartedDownloadsArriveWhenCollected) {
  const std::unique_ptr<Buffer> a = device->allocate(96), b = device->allocate(7);
  for (int round = 0; round < 3; ++round) {  // their memory is used again
    std::vector<std::uint8_t> first(4 * 30, 0xEE), second(7, 0xEE);
    queue->fill(*a, static_cast<std::uint8_t>(round));
    queue->start_download(*a, {0, 24, 30, 24, 4}, first.data());  // rows with gaps
    queue->fill(*b, static_cast<std::uint8_t>(50 + round));
    queue->start_download(*b, bytes(7), second.data());
    queue->fill(*a, 99);
    queue->collect();
    for (std::size_t i = 0; i < first.size(); ++i) ASSERT_EQ(first[i], i % 30 < 24 ? round : 0xEE) << i;
    EXPECT_EQ(second, std::vector<std::uint8_t>(7, static_cast<std::uint8_t>(50 + round)));
  }
  queue->collect();  // nothing is under way
}

TEST_F(CudaQueue, PinnedMemoryIsReadAndWrittenWhereItLies) {
  constexpr std::size_t size = 1 << 16;
  std::vector<std::uint8_t> in(size), out(size);
  for (std::size_t i = 0; i < size; ++i) in[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  const std::unique_ptr<Buffer> a = device->allocate(size);
  {
    const std::shared_ptr<void> pin_in = device->pin(in.data(), size), pin_out = device->pin(out.data(), size);
    EXPECT_EQ(pin_in.get(), in.data());
    queue->upload(*a, bytes(size), in.data());
    queue->start_download(*a, bytes(size), out.data());
    queue->collect();
    EXPECT_EQ(out, in);
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    queue->download(*a, bytes(size), out.data());
    EXPECT_EQ(out, in);
    EXPECT_THROW((void)device->pin(in.data(), size), std::exception) << "pinned twice";
  }
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  queue->upload(*a, bytes(size), in.data());  // pinned no more
  queue->download(*a, bytes(size), out.data());
  EXPECT_EQ(out, in);
}

/// All threads that push a context write to it.
TEST_F(CudaQueue, AContextIsPushedOnceForAllCallsOfAFrame) {
  static cuda::Result (*push)(cuda::ContextObject) = nullptr;
  static int pushed = 0;
  cuda::Calls& calls = cuda::changeable_calls();
  push = calls.CtxPushCurrent;
  const test::Replaced counting(
      calls.CtxPushCurrent, +[](cuda::ContextObject context) -> cuda::Result {
        ++pushed;
        return push(context);
      });
  const std::unique_ptr<Buffer> a = device->allocate(100);
  const auto frame = [&](std::uint8_t value) {
    pushed = 0;
    queue->fill(*a, value);
    EXPECT_EQ(read(*a), std::vector<std::uint8_t>(100, value));
  };
  frame(1);
  EXPECT_EQ(pushed, 2);
  ASSERT_TRUE(device->enter());
  frame(2);
  device->leave();
  EXPECT_EQ(pushed, 0);
  frame(3);
  EXPECT_EQ(pushed, 2) << "as before it was entered";
}

}  // namespace
}  // namespace vergence::gpu

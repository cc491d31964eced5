// SPDX-License-Identifier: Apache-2.0
// Events between our queues and a caller's CUDA streams: who waits for what, and which streams are refused. With a
// device, or with the stand-in of fake_cuda, which does nothing before somebody waits for it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "gpu/cuda/driver.hpp"
#include "gpu/devices.hpp"
#include "gpu/in_child.hpp"
#include "gpu/replaced.hpp"

namespace vergence::gpu {
namespace {

using cuda::calls;
using cuda::StreamObject;
using FilledBytes = std::vector<std::uint8_t>;

constexpr std::size_t filled_bytes = 64;

class CudaEvents : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Found> found = cuda::find();
    if (!found.front().available) GTEST_SKIP() << found.front().reason;
    device = cuda::open(0);
    queue = device->make_queue();
    buffer = device->allocate(filled_bytes);
    ASSERT_EQ(calls().CtxPushCurrent(context()), cuda::success);
    ASSERT_EQ(calls().StreamCreate(&theirs, cuda::stream_non_blocking), cuda::success);
    pinned = device->pin(copied.data(), copied.size());
  }
  void TearDown() override {
    if (device == nullptr) return;
    calls().StreamSynchronize(theirs);
    calls().StreamSynchronize(nullptr);
    calls().StreamDestroy(theirs);
    cuda::ContextObject popped = nullptr;
    calls().CtxPopCurrent(&popped);
  }
  cuda::ContextObject context() const { return static_cast<cuda::ContextObject>(device->native().context); }
  cuda::DevicePointer pointer() const { return reinterpret_cast<cuda::DevicePointer>(buffer->handle()); }
  /// What a program does on streams of its own.
  void fill(StreamObject stream, std::uint8_t value) const {
    ASSERT_EQ(calls().MemsetD8Async(pointer(), value, filled_bytes, stream), cuda::success);
  }
  FilledBytes copy(StreamObject stream) {
    EXPECT_EQ(calls().MemcpyDtoHAsync(copied.data(), pointer(), filled_bytes, stream), cuda::success);
    EXPECT_EQ(calls().StreamSynchronize(stream), cuda::success);
    return copied;
  }
  FilledBytes read() {
    FilledBytes values(filled_bytes);
    queue->download(*buffer, {0, filled_bytes, static_cast<std::ptrdiff_t>(filled_bytes), filled_bytes, 1},
                    values.data());
    return values;
  }
  /// After all that our queue was given so far.
  std::unique_ptr<Event> set() {
    std::unique_ptr<Event> event = device->new_event();
    queue->set(*event);
    return event;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<Queue> queue;
  std::unique_ptr<Buffer> buffer;
  StreamObject theirs = nullptr;
  FilledBytes copied = FilledBytes(filled_bytes);
  std::shared_ptr<void> pinned;
};

TEST_F(CudaEvents, AQueueWaitsForACallersStream) {
  fill(theirs, 9);
  const std::unique_ptr<Event> before = device->record(theirs);
  EXPECT_NE(before->handle(), nullptr);
  queue->wait_for(*before);
  EXPECT_EQ(read(), FilledBytes(filled_bytes, 9));
}

TEST_F(CudaEvents, ACallersStreamWaitsForAQueue) {
  queue->fill(*buffer, 5);
  set()->make_wait(theirs);  // the event may go
  EXPECT_EQ(copy(theirs), FilledBytes(filled_bytes, 5));
}

TEST_F(CudaEvents, DefaultStreamsAreStreamsToo) {
  for (const std::uintptr_t name : {0U, 1U}) {  // null; CU_STREAM_LEGACY
    const auto stream = reinterpret_cast<StreamObject>(name);
    fill(stream, static_cast<std::uint8_t>(20 + name));
    queue->wait_for(*device->record(stream));
    EXPECT_EQ(read(), FilledBytes(filled_bytes, static_cast<std::uint8_t>(20 + name)));
    queue->fill(*buffer, static_cast<std::uint8_t>(30 + name));
    set()->make_wait(stream);
    EXPECT_EQ(copy(stream), FilledBytes(filled_bytes, static_cast<std::uint8_t>(30 + name)));
  }
}

TEST_F(CudaEvents, ComeWhenTheirWorkIsDone) {
  EXPECT_TRUE(device->new_event()->is_done()) << "never set";
  fill(theirs, 3);
  const std::unique_ptr<Event> event = device->record(theirs);
  if (device->properties().device == "Fake GPU") {
    EXPECT_FALSE(event->is_done()) << "nobody has waited";
  }
  event->wait();
  EXPECT_TRUE(event->is_done());
}

/// An event is recorded again once its handle is gone; who waits for its first record is not held up by the second.
TEST_F(CudaEvents, AreUsedAgain) {
  void* first = nullptr;
  {
    fill(theirs, 7);
    const std::unique_ptr<Event> event = device->record(theirs);
    first = event->handle();
    queue->wait_for(*event);
  }
  const std::unique_ptr<Event> again = device->record(nullptr);
  EXPECT_EQ(again->handle(), first);
  EXPECT_NE(device->record(nullptr)->handle(), first) << "in use";
  EXPECT_EQ(read(), FilledBytes(filled_bytes, 7));
}

TEST_F(CudaEvents, OfACallerAreWaitedFor) {
  EXPECT_ERROR(device->wrap_event(nullptr), ErrorCode::invalid_argument, "give a CUevent");
  cuda::EventObject event = nullptr;
  ASSERT_EQ(calls().EventCreate(&event, cuda::event_without_timing), cuda::success);
  fill(theirs, 11);
  ASSERT_EQ(calls().EventRecord(event, theirs), cuda::success);
  queue->wait_for(*device->wrap_event(event));
  EXPECT_EQ(calls().EventDestroy(event), cuda::success) << "it was the caller's";
  EXPECT_EQ(read(), FilledBytes(filled_bytes, 11));
}

TEST_F(CudaEvents, OutliveQueueAndDevice) {
  queue->fill(*buffer, 1);
  const std::unique_ptr<Event> event = set();
  queue.reset();
  buffer.reset();
  pinned.reset();
  calls().StreamDestroy(theirs);
  theirs = nullptr;
  device.reset();
  EXPECT_TRUE(event->is_done());
  event->wait();
  cuda::ContextObject popped = nullptr;
  calls().CtxPopCurrent(&popped);
}

TEST_F(CudaEvents, AStreamThatIsCapturedIsRefused) {
  if (!calls().graphs) GTEST_SKIP() << "this driver captures no graphs";
  const std::unique_ptr<Event> event = set();
  ASSERT_EQ(calls().StreamBeginCapture(theirs, cuda::capture_of_this_thread), cuda::success);
  EXPECT_ERROR(device->record(theirs), ErrorCode::invalid_argument, "being captured as a graph");
  EXPECT_ERROR(event->make_wait(theirs), ErrorCode::invalid_argument, "being captured as a graph");
  cuda::GraphObject graph = nullptr;
  ASSERT_EQ(calls().StreamEndCapture(theirs, &graph), cuda::success);
  calls().GraphDestroy(graph);
  EXPECT_NO_THROW(event->make_wait(theirs));
}

/// A child does not call the driver: it leaves to its parent what that has made.
TEST_F(CudaEvents, AForkedChildCallsNoDriver) {
  queue->fill(*buffer, 6);
  std::unique_ptr<Event> event = set();
  test::in_child([&] {
    EXPECT_EQ(calls().StreamSynchronize(theirs), cuda::uninitialised);
    EXPECT_ERROR(device->record(theirs), ErrorCode::device, "was forked after the driver had been used");
    EXPECT_ERROR(event->wait(), ErrorCode::device, "was forked");
    EXPECT_ERROR(read(), ErrorCode::device, "was forked");
    EXPECT_FALSE(cuda::find().front().available);
    EXPECT_NE(cuda::find().front().reason.find("was forked"), std::string::npos);
    event.reset();
    buffer.reset();
    queue.reset();
    pinned.reset();
    device.reset();
  });
  EXPECT_EQ(read(), FilledBytes(filled_bytes, 6));
}

cuda::Result answer_of_stream = cuda::success;
cuda::Result other_context(StreamObject, cuda::ContextObject* context) {
  *context = nullptr;
  return answer_of_stream;
}

TEST_F(CudaEvents, AStreamOfAnotherContextIsRefused) {
  const std::unique_ptr<Event> event = set();
  const test::Replaced<decltype(cuda::Calls::StreamGetCtx)> replaced(cuda::changeable_calls().StreamGetCtx,
                                                                     other_context);
  answer_of_stream = cuda::success;
  EXPECT_ERROR(device->record(theirs), ErrorCode::invalid_argument, "belongs to another context");
  EXPECT_ERROR(event->make_wait(theirs), ErrorCode::invalid_argument, "belongs to another context");
  answer_of_stream = cuda::invalid_handle;
  EXPECT_ERROR(device->record(theirs), ErrorCode::invalid_argument, "the driver does not know it");
  answer_of_stream = 719;  // the device is lost
  EXPECT_ERROR(device->record(theirs), ErrorCode::device, "asking for a stream's context");
}

}  // namespace
}  // namespace vergence::gpu

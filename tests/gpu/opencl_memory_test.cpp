// SPDX-License-Identifier: Apache-2.0
// OpenCL memory that others have made: taken where it is the context's and may be read, refused by name elsewhere.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/devices.hpp"
#include "gpu/opencl/driver.hpp"
#include "support/maps.hpp"
#include "vergence/device_image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

using gpu::opencl::calls;
using gpu::opencl::MemoryHandle;

const StereoOptions few{.window = {3, 3}, .disparities = 4, .left_right = -1, .speckle_size = 0};

class OpenClMemory : public testing::Test {
 protected:
  void SetUp() override {
    const gpu::Found found = gpu::opencl::find().front();
    if (!found.available) GTEST_SKIP() << found.reason;
    device = std::make_unique<Device>(found.name);
    context = static_cast<cl_context>(device->native().context);
  }
  MemoryHandle buffer(cl_mem_flags flags, std::size_t bytes = 4096) const {
    cl_int code = CL_SUCCESS;
    MemoryHandle memory(calls().CreateBuffer(context, flags, bytes, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return memory;
  }
  static MemoryHandle part(const MemoryHandle& of, std::size_t offset, std::size_t bytes) {
    const cl_buffer_region region{offset, bytes};
    cl_int code = CL_SUCCESS;
    MemoryHandle memory(calls().CreateSubBuffer(of.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return memory;
  }
  std::unique_ptr<Device> device;
  cl_context context = nullptr;
};

TEST_F(OpenClMemory, OfTheHostIsMappedWithoutALoss) {
  constexpr std::size_t bytes = 5000, whole = 8192;
  const std::shared_ptr<gpu::Device> open = gpu::opencl::open(0);
  const auto queue = open->make_queue();
  const std::unique_ptr<void, void (*)(void*)> own(std::aligned_alloc(4096, whole), std::free);
  for (void* const memory : {static_cast<void*>(nullptr), own.get()}) {
    const auto buffer = open->allocate_on_host(memory, bytes);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(buffer->bytes(), bytes);
    auto* const written = static_cast<std::uint8_t*>(queue->map(*buffer, true));
    if (memory != nullptr) {
      EXPECT_EQ(written, memory);
    }
    for (std::size_t i = 0; i < bytes; ++i) written[i] = static_cast<std::uint8_t>(i % 251);
    queue->unmap(*buffer, written);
    std::vector<std::uint8_t> got(bytes);
    queue->download(*buffer, {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, got.data());
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(got[i], i % 251) << i;
    queue->fill(*buffer, 7);
    const auto* const read = static_cast<const std::uint8_t*>(queue->map(*buffer, false));
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(read[i], 7) << i;
    queue->unmap(*buffer, const_cast<std::uint8_t*>(read));
    queue->finish();
  }
}

TEST_F(OpenClMemory, NativeNamesContextAndDevice) {
  const NativeDevice native = device->native();
  EXPECT_NE(native.context, nullptr);
  EXPECT_NE(native.device, nullptr);
  EXPECT_EQ(native.ordinal, -1);
  std::string name(1000, '\0');
  ASSERT_EQ(calls().GetDeviceInfo(static_cast<cl_device_id>(native.device), CL_DEVICE_NAME, name.size(), name.data(),
                                  nullptr),
            CL_SUCCESS);
  EXPECT_NE(device->description().find(name.c_str()), std::string::npos);
}

/// A program with a queue and memory of its own in the device's context.
TEST_F(OpenClMemory, OfAProgramsOwnQueueIsReadAndWritten) {
  const Size size{32, 20};
  const Image<std::uint8_t> left = noise<std::uint8_t>(size, 3, 255), right = shifted(left, 2);
  Image<std::int16_t> expected(size);
  StereoMatcher(Device("reference"), size, few).compute({left, right}, {.disparity = expected});

  cl_int code = CL_SUCCESS;
  const gpu::opencl::QueueHandle queue(
      calls().CreateCommandQueue(context, static_cast<cl_device_id>(device->native().device), 0, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const MemoryHandle pictures = buffer(CL_MEM_READ_ONLY, 2048), map = buffer(CL_MEM_READ_WRITE, 2048);
  std::vector<std::uint8_t> pixels(2 * 640);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      pixels[static_cast<std::size_t>(32 * y + x)] = left(x, y);
      pixels[static_cast<std::size_t>(640 + 32 * y + x)] = right(x, y);
    }
  ASSERT_EQ(calls().EnqueueWriteBuffer(queue.get(), pictures.get(), CL_TRUE, 0, pixels.size(), pixels.data(), 0,
                                       nullptr, nullptr),
            CL_SUCCESS);
  StereoMatcher matcher(*device, size, few);
  const DeviceMemory in = device->wrap(pictures.get()), out = device->wrap(map.get());
  EXPECT_EQ(in.bytes(), 2048U);
  EXPECT_EQ(in.handle(), pictures.get());
  const DeviceImage result(out, PixelType::i16, size);
  matcher.compute({DeviceImage(in, PixelType::u8, size), DeviceImage(in, PixelType::u8, size, 0, 640)},
                  {.disparity = result});
  Image<std::int16_t> got(size);
  for (int y = 0; y < size.height; ++y) out.read(got.row(y), 64, static_cast<std::size_t>(64 * y));
  EXPECT_EQ(values_of(got), values_of(expected));
  EXPECT_ERROR(matcher.compute({left, right}, {.disparity = DeviceImage(in, PixelType::i16, size)}),
               ErrorCode::invalid_argument, "CL_MEM_READ_ONLY");
}

TEST_F(OpenClMemory, IsRetained) {
  DeviceMemory memory;
  {
    const MemoryHandle own = buffer(CL_MEM_READ_WRITE);
    memory = device->wrap(own.get());
  }
  const std::uint32_t value = 0x12345678;
  std::uint32_t back = 0;
  memory.write(&value, 4, 4092);
  memory.read(&back, 4, 4092);
  EXPECT_EQ(back, value);
}

TEST_F(OpenClMemory, SubBuffersMeetInTheirParent) {
  const MemoryHandle whole = buffer(CL_MEM_READ_WRITE, 8192);
  const MemoryHandle first = part(whole, 0, 4096), second = part(whole, 4096, 4096), both = part(whole, 0, 8192);
  const Size size{32, 20};
  StereoMatcher matcher(*device, size, few);
  const auto image = [&](const MemoryHandle& memory, PixelType type, std::size_t offset) {
    return DeviceImage(device->wrap(memory.get()), type, size, 0, offset);
  };
  const DeviceImage picture = image(first, PixelType::u8, 0), map = image(second, PixelType::i16, 0);
  EXPECT_TRUE(map.is_direct());
  EXPECT_FALSE(image(second, PixelType::i16, 1024).is_direct()) << "no part of a part";
  matcher.compute({picture, picture}, {.disparity = map});
  matcher.compute({picture, picture}, {.disparity = image(second, PixelType::i16, 1024)});
  EXPECT_NO_THROW(matcher.compute({picture, picture}, {.disparity = image(whole, PixelType::i16, 4096)}));
  EXPECT_ERROR(matcher.compute({picture, picture}, {.disparity = image(whole, PixelType::i16, 512)}),
               ErrorCode::invalid_argument, "the disparity map overlaps the left picture");
  EXPECT_ERROR(matcher.compute({picture, image(both, PixelType::u8, 4096)}, {.disparity = map}),
               ErrorCode::invalid_argument, "the disparity map overlaps the right picture");
}

TEST_F(OpenClMemory, OfAnotherContextOrOnlyWrittenIsRefused) {
  const MemoryHandle write_only = buffer(CL_MEM_WRITE_ONLY);
  EXPECT_ERROR(device->wrap(write_only.get()), ErrorCode::invalid_argument, "CL_MEM_WRITE_ONLY");
  const Device again(device->name());
  const DeviceMemory theirs = again.allocate(4096);
  EXPECT_ERROR(device->wrap(theirs.handle()), ErrorCode::invalid_argument, "made in another context");
  const Size size{16, 8};
  StereoMatcher matcher(*device, size, few);
  const DeviceImage picture(theirs, PixelType::u8, size);
  EXPECT_ERROR(matcher.compute({picture, picture}, {.disparity = DeviceImage(theirs, PixelType::i16, size, 0, 1024)}),
               ErrorCode::invalid_argument, "make both with the same vergence::Device");
}

}  // namespace
}  // namespace vergence::test

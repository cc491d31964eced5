// SPDX-License-Identifier: Apache-2.0
// CUDA memory that others have made, and parts of it. With a device, or with the stand-in of fake_cuda.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "gpu/cuda/driver.hpp"
#include "gpu/devices.hpp"

namespace vergence::gpu {
namespace {

class CudaMemory : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Found> found = cuda::find();
    if (!found.front().available) GTEST_SKIP() << found.front().reason;
    device = cuda::open(0);
    queue = device->make_queue();
  }
  static Rows bytes(std::size_t offset, std::size_t count) {
    return {offset, count, static_cast<std::ptrdiff_t>(count), count, 1};
  }
  static void* moved(void* pointer, std::size_t by) { return static_cast<std::uint8_t*>(pointer) + by; }

  std::shared_ptr<Device> device;
  std::unique_ptr<Queue> queue;
};

TEST_F(CudaMemory, ReachesFromThePointerToTheEndOfItsAllocation) {
  const std::unique_ptr<Buffer> own = device->allocate(1008);  // and room to read on
  queue->fill(*own, 0x11);
  const std::unique_ptr<Buffer> whole = device->wrap(own->handle());
  EXPECT_GE(whole->bytes(), 1008U);
  EXPECT_EQ(whole->handle(), own->handle());
  const std::unique_ptr<Buffer> later = device->wrap(moved(own->handle(), 100));
  EXPECT_EQ(later->bytes(), whole->bytes() - 100);
  EXPECT_EQ(later->place().start, own->place().start + 100);
  EXPECT_EQ(later->place().block, own->place().block);
  const std::vector<std::uint8_t> in(20, 0x77);
  queue->upload(*later, bytes(5, 20), in.data());
  std::vector<std::uint8_t> out(140);
  queue->download(*own, bytes(0, 140), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i >= 105 && i < 125 ? 0x77 : 0x11) << i;
}

TEST_F(CudaMemory, PartsBeginAtMultiplesOfSixteenAndMayBeReadToOne) {
  const std::unique_ptr<Buffer> own = device->allocate(1008);
  ASSERT_NE(device->part(*own, 0, 1008), nullptr);
  ASSERT_NE(device->part(*own, 32, 100), nullptr);
  EXPECT_EQ(device->part(*own, 32, 100)->bytes(), 100U);
  EXPECT_EQ(device->part(*own, 32, 100)->handle(), moved(own->handle(), 32));
  EXPECT_EQ(device->part(*own, 8, 100), nullptr);
  EXPECT_EQ(device->part(*own, 992, 17), nullptr);
  EXPECT_NE(device->part(*own, 992, 16), nullptr);
  const std::unique_ptr<Buffer> odd = device->wrap(moved(own->handle(), 8));
  EXPECT_EQ(device->part(*odd, 0, 100), nullptr);
  EXPECT_NE(device->part(*odd, 8, 100), nullptr);
  EXPECT_EQ(device->part(*odd, 8, odd->bytes()), nullptr);
}

TEST_F(CudaMemory, WrappedIsNotFreedHere) {
  const std::unique_ptr<Buffer> own = device->allocate(64);
  device->wrap(own->handle()).reset();
  device->part(*own, 0, 16).reset();
  queue->fill(*own, 3);
  queue->finish();
}

TEST_F(CudaMemory, ThatIsNoneIsRefused) {
  std::vector<std::uint8_t> host(64);
  EXPECT_ERROR(device->wrap(nullptr), ErrorCode::invalid_argument, "null pointer");
  EXPECT_ERROR(device->wrap(host.data()), ErrorCode::invalid_argument, "the driver does not know it");
  const std::shared_ptr<void> pinned = device->pin(host.data(), host.size());
  EXPECT_ERROR(device->wrap(host.data()), ErrorCode::invalid_argument, "given as ImageViews");
}

TEST_F(CudaMemory, NativeNamesContextAndOrdinal) {
  EXPECT_NE(device->native().context, nullptr);
  EXPECT_EQ(device->native().ordinal, 0);
  EXPECT_EQ(device->native().context, cuda::open(0)->native().context) << "the primary one";
}

}  // namespace
}  // namespace vergence::gpu

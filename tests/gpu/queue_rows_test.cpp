// SPDX-License-Identifier: Apache-2.0
// Rows to a device and back, few and many, with any distance from row to row on either side: nothing beside them
// changes, and the caller's memory is free at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "gpu/gpu_devices.hpp"

namespace vergence {
namespace {

struct Shape {
  std::size_t offset, pitch, host_pitch, row_bytes, count;
};
constexpr Shape shapes[] = {
    {0, 7, 7, 7, 1},  // one row
    {16, 900000, 900000, 900000, 1},
    {0, 1024, 1024, 1024, 1000},         // packed on both sides
    {64, 1024, 1500, 1024, 999},         // packed on the device
    {96, 2048, 1000, 1000, 1021},        // packed in host memory
    {32, 320, 333, 311, 3000},           // nowhere, through pinned memory
    {32, 512, 500, 490, 3000},           // nowhere, more than goes through it
    {32, 64, 70, 33, 5},                 // few
    {16, 5000001, 5000001, 5000001, 1},  // one row that several threads copy
    {0, 1920, 1920, 1920, 2161},         // in parts, and several threads copy each
    {32, 2048, 2100, 1999, 1031},
    {64, 700007, 700007, 700001, 5},  // fewer rows than parts would be worth
};

void run(const test::GpuDevice& gpu, const Shape& shape, bool measured) {
  const std::string what =
      gpu.name + ", " + std::to_string(shape.count) + " rows of " + std::to_string(shape.row_bytes) + " bytes, seed 5";
  const gpu::Rows rows{shape.offset, shape.pitch, static_cast<std::ptrdiff_t>(shape.host_pitch), shape.row_bytes,
                       shape.count};
  const std::size_t on_device = shape.offset + shape.pitch * shape.count + 64, on_host = shape.host_pitch * shape.count;
  constexpr std::uint8_t guard = 0xA5;
  Random random(5);
  std::vector<std::uint8_t> sent(on_host), expected(on_device, guard), all(on_device), got(on_host, guard);
  for (std::uint8_t& byte : sent) byte = static_cast<std::uint8_t>(random.within(0, 255));
  for (std::size_t y = 0; y < shape.count; ++y)
    std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>(y * shape.host_pitch), shape.row_bytes,
                expected.begin() + static_cast<std::ptrdiff_t>(shape.offset + y * shape.pitch));
  std::vector<std::uint8_t> back(on_host, guard);
  for (std::size_t y = 0; y < shape.count; ++y)
    std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>(y * shape.host_pitch), shape.row_bytes,
                back.begin() + static_cast<std::ptrdiff_t>(y * shape.host_pitch));

  const std::unique_ptr<gpu::Queue> queue = gpu.device->make_queue();
  const std::unique_ptr<gpu::Buffer> buffer = gpu.device->allocate(on_device);
  queue->measure(measured);
  queue->fill(*buffer, guard);
  queue->upload(*buffer, rows, sent.data());
  std::fill(sent.begin(), sent.end(), std::uint8_t{0});
  queue->download(*buffer, {0, on_device, static_cast<std::ptrdiff_t>(on_device), on_device, 1}, all.data());
  EXPECT_TRUE(all == expected) << what << ", first difference at "
                               << std::mismatch(all.begin(), all.end(), expected.begin()).first - all.begin();
  queue->download(*buffer, rows, got.data());
  EXPECT_TRUE(got == back) << what << ", down: first difference at "
                           << std::mismatch(got.begin(), got.end(), back.begin()).first - got.begin();
  std::fill(got.begin(), got.end(), guard);
  queue->start_download(*buffer, rows, got.data());
  queue->collect();
  EXPECT_TRUE(got == back) << what << ", collected";
  if (measured) {
    const gpu::Timing timing = queue->timing();
    EXPECT_GT(timing.upload, 0.0) << what;
    EXPECT_GT(timing.download, 0.0) << what;
  }
}

TEST(GpuQueueRows, ArriveWholeAndAlone) {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons))
    for (const Shape& shape : shapes)
      for (const bool measured : {false, true}) run(gpu, shape, measured);
}

/// Pinned memory that a device gives: rows go straight from and to it, in parts of it too, with and without gaps.
TEST(GpuQueueRows, GoStraightToPinnedMemory) {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    constexpr std::size_t bytes = 200000, row = 100, gap = 130, count = 40;
    const std::shared_ptr<std::byte> given = gpu.device->pinned_memory(2 * bytes);
    if (given == nullptr) continue;
    std::byte *const sent = given.get(), *const got = given.get() + bytes;
    for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<std::byte>(i * 7 % 251);
    const std::unique_ptr<gpu::Queue> queue = gpu.device->make_queue();
    const std::unique_ptr<gpu::Buffer> buffer = gpu.device->allocate(bytes);
    const gpu::Rows whole{0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1};
    for (const bool measured : {false, true}) {
      queue->measure(measured);
      std::fill(got, got + bytes, std::byte{0});
      queue->upload(*buffer, whole, sent);
      queue->download(*buffer, whole, got);
      EXPECT_TRUE(std::equal(sent, sent + bytes, got)) << gpu.name;
      std::fill(got, got + bytes, std::byte{0});
      queue->start_download(*buffer, whole, got);
      queue->collect();
      EXPECT_TRUE(std::equal(sent, sent + bytes, got)) << gpu.name << ", collected";
      const gpu::Rows gaps{0, gap, static_cast<std::ptrdiff_t>(gap), row, count};
      queue->upload(*buffer, gaps, sent + 1);
      std::fill(got, got + bytes, std::byte{0});
      queue->download(*buffer, gaps, got);
      for (std::size_t y = 0; y < count; ++y)
        EXPECT_TRUE(std::equal(sent + 1 + y * gap, sent + 1 + y * gap + row, got + y * gap))
            << gpu.name << ", row " << y;
    }
  }
}

}  // namespace
}  // namespace vergence

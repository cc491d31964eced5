// SPDX-License-Identifier: Apache-2.0
// The bit probe on GPUs: every device passes, every kind of wrong bit is noticed and refused by name, and a passed
// probe is remembered, but nothing that is not whole.
#include "gpu/bit_probe.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "core/expect_error.hpp"
#include "gpu/failing_device.hpp"
#include "gpu/gpu_devices.hpp"

namespace vergence::test {
namespace {

class GpuBitProbe : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    devices_ = gpu_devices(reasons);
    if (devices_.empty()) GTEST_SKIP() << reasons;
    workshop_ = std::make_shared<Workshop>(devices_.front().device);
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("vergence-probe-{}", getpid());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<GpuDevice> devices_;
  std::shared_ptr<Workshop> workshop_;
  std::filesystem::path folder_;
};

TEST_F(GpuBitProbe, PassesOnEveryDevice) {
  for (const GpuDevice& gpu : devices_) EXPECT_EQ(gpu::run_bit_probe(*gpu.device), "") << gpu.name;
}

TEST_F(GpuBitProbe, RunsWithoutDoubles) {
  const auto faults = std::make_shared<Faults>();
  FailingDevice device(workshop_, faults);
  device.set_properties([](gpu::Properties& p) { p.has_doubles = false; });
  EXPECT_EQ(gpu::run_bit_probe(device), "");
  EXPECT_EQ(faults->downloads, 6);
}

TEST_F(GpuBitProbe, NoticesEachWrongResult) {
  const char* const expected[] = {"integer arithmetic",
                                  "packed 16-bit differences",
                                  "local memory",
                                  "atomic",
                                  "packed 16-bit sum",
                                  "of floats",
                                  "double",
                                  "definitions in double"};
  const int downloads = devices_.front().device->properties().has_doubles ? 8 : 6;
  for (int n = 1; n <= downloads; ++n) {
    const auto faults = std::make_shared<Faults>();
    faults->corrupt_download = n;
    FailingDevice device(workshop_, faults);
    const std::string failure = gpu::run_bit_probe(device);
    EXPECT_EQ(failure.find("bit probe failed: "), 0U) << failure;
    EXPECT_NE(failure.find(expected[n - 1]), std::string::npos) << n << ": " << failure;
    EXPECT_EQ(faults->living(), 0);
  }
}

TEST_F(GpuBitProbe, ADeviceThatFailsIsRefusedByName) {
  const gpu::DiskCache cache(folder_);
  const auto faults = std::make_shared<Faults>();
  faults->corrupt_download = 2;
  FailingDevice device(workshop_, faults);
  const auto& p = device.properties();
  EXPECT_ERROR(gpu::require_bit_probe(device, "opencl:7", cache), ErrorCode::device, "opencl:7");
  faults->downloads = 0;
  EXPECT_ERROR(gpu::require_bit_probe(device, "opencl:7", cache), ErrorCode::device, p.device);
  EXPECT_NE(gpu::remembered_bit_probe(device.dialect(), p, cache).find("packed"), std::string::npos);
  // It is asked again, and taken once it is right.
  EXPECT_NO_THROW(gpu::require_bit_probe(device, "opencl:7", cache));
  EXPECT_EQ(gpu::remembered_bit_probe(device.dialect(), p, cache), "passed");
}

TEST_F(GpuBitProbe, IsRememberedByDeviceAndDriver) {
  const gpu::DiskCache cache(folder_);
  const auto faults = std::make_shared<Faults>();
  FailingDevice device(workshop_, faults);
  gpu::require_bit_probe(device, "opencl:0", cache);
  const int calls = faults->calls;
  EXPECT_GT(calls, 10);
  const int again = calls - 1;  // it is compiled once
  gpu::require_bit_probe(device, "opencl:0", cache);
  EXPECT_EQ(faults->calls, calls) << "it was remembered";

  device.set_properties([](gpu::Properties& p) { p.driver += "+1"; });
  gpu::require_bit_probe(device, "opencl:0", cache);
  EXPECT_EQ(faults->calls, calls + again) << "another driver is asked";

  for (const auto& file : std::filesystem::directory_iterator(folder_))  // one bit more in each
    std::ofstream(file.path(), std::ios::binary | std::ios::app) << 'x';
  gpu::require_bit_probe(device, "opencl:0", cache);
  EXPECT_EQ(faults->calls, calls + 2 * again) << "a broken file is no proof";

  gpu::require_bit_probe(device, "opencl:0", gpu::DiskCache(std::filesystem::path()));
  EXPECT_EQ(faults->calls, calls + 3 * again) << "without a folder nothing is remembered";
}

TEST_F(GpuBitProbe, AnErrorOfTheDeviceNamesIt) {
  const auto faults = std::make_shared<Faults>();
  faults->fail_at = 3;
  FailingDevice device(workshop_, faults);
  EXPECT_ERROR(gpu::require_bit_probe(device, "cuda:3", gpu::DiskCache(folder_)), ErrorCode::device, "cuda:3");
  EXPECT_EQ(faults->living(), 0);
  EXPECT_EQ(gpu::remembered_bit_probe(device.dialect(), device.properties(), gpu::DiskCache(folder_)), "");
}

}  // namespace
}  // namespace vergence::test

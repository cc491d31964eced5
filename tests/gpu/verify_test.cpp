// SPDX-License-Identifier: Apache-2.0
// Whole frames through the public matcher on every GPU device: all stages, all optional maps, both views.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "vergence/device.hpp"
#include "vergence/verify.hpp"

namespace vergence {
namespace {

/// Proves all devices on `cases` seeded cases from `seed` on; false where there is none.
bool verify_all(std::uint64_t seed, int cases, std::string& reasons) {
  bool any = false;
  for (const DeviceInfo& info : Device::list()) {
    if (info.kind != "opencl" && info.kind != "cuda") continue;
    if (!info.available) {
      reasons += info.name + ": " + info.reason + "\n";
      continue;
    }
    any = true;
    const VerifyReport report = verify(Device(info.name), seed, cases);
    EXPECT_EQ(report.differences, 0) << info.name << ", seeds from " << seed << ": " << report.first;
    EXPECT_EQ(report.cases, cases);
  }
  return any;
}

class GpuVerify : public testing::TestWithParam<int> {};

TEST_P(GpuVerify, AFrameEqualsReference) {
  std::string reasons;
  if (!verify_all(static_cast<std::uint64_t>(90000 + GetParam()), 1, reasons)) GTEST_SKIP() << reasons;
}
// One seed whose kernels compile fast: the tests of each stage have seeds of their own.
INSTANTIATE_TEST_SUITE_P(Seed, GpuVerify, testing::Values(2), testing::PrintToStringParamName());

/// On machines with a GPU: as many as VERGENCE_GPU_CASES says.
TEST(GpuVerifyMany, FramesEqualReference) {
  const char* const cases = std::getenv("VERGENCE_GPU_CASES");
  if (cases == nullptr) GTEST_SKIP() << "VERGENCE_GPU_CASES is not set: GpuVerify runs a few";
  std::string reasons;
  if (!verify_all(95001, std::atoi(cases), reasons)) GTEST_SKIP() << reasons;
}

}  // namespace
}  // namespace vergence

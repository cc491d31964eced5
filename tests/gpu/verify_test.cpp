// SPDX-License-Identifier: Apache-2.0
// Whole frames through the public matcher on every GPU device: all stages, all optional maps, both views.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "vergence/device.hpp"

namespace vergence {
namespace {

TEST(GpuVerify, FramesEqualReference) {
  const char* const more = std::getenv("VERGENCE_GPU_CASES");
  const int cases = more != nullptr ? std::atoi(more) : 4;
  int devices = 0;
  std::string reasons;
  for (const DeviceInfo& info : Device::list()) {
    if (info.kind != "opencl" && info.kind != "cuda") continue;
    if (!info.available) {
      reasons += info.name + ": " + info.reason + "\n";
      continue;
    }
    ++devices;
    constexpr std::uint64_t seed = 90001;
    const VerifyReport report = verify(Device(info.name), seed, cases);
    EXPECT_EQ(report.differences, 0) << info.name << ", seeds from " << seed << ": " << report.first;
    EXPECT_EQ(report.cases, cases);
  }
  if (devices == 0) GTEST_SKIP() << reasons;
}

}  // namespace
}  // namespace vergence

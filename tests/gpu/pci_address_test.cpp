// SPDX-License-Identifier: Apache-2.0
// Where GPUs say that they are on the PCI bus: by either OpenCL extension, and by CUDA, with answers put in their
// mouth.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <string>

#include "gpu/cuda/driver.hpp"
#include "gpu/devices.hpp"
#include "gpu/opencl/driver.hpp"
#include "vergence/device.hpp"

namespace vergence::gpu {
namespace {

constexpr cl_device_info bus_info_khr = 0x410F, bus_nv = 0x4008, slot_nv = 0x4009, domain_nv = 0x400A;

decltype(opencl::Calls::GetDeviceInfo) real = nullptr;
std::map<cl_device_info, std::array<cl_uint, 4>> answers;

cl_int answer(cl_device_id device, cl_device_info what, std::size_t bytes, void* value, std::size_t* size) {
  if (what != bus_info_khr && (what < bus_nv || what > domain_nv)) return real(device, what, bytes, value, size);
  if (answers.count(what) == 0) return CL_INVALID_VALUE;
  if (bytes != (what == bus_info_khr ? 16U : 4U)) return CL_INVALID_VALUE;
  std::memcpy(value, answers[what].data(), bytes);
  return CL_SUCCESS;
}

std::string opencl_address() { return opencl::find().front().properties.pci_address; }

TEST(GpuPciAddress, OpenClByEitherExtension) {
  if (!opencl::find().front().available) GTEST_SKIP() << opencl::find().front().reason;
  auto& place = opencl::changeable_calls().GetDeviceInfo;
  real = place;
  place = answer;
  answers.clear();
  EXPECT_EQ(opencl_address(), "");
  EXPECT_TRUE(opencl::find().front().available) << "it is no reason to refuse a device";
  answers[bus_nv] = {0xC3};
  EXPECT_EQ(opencl_address(), "");
  answers[slot_nv] = {0x1F << 3 | 2};
  EXPECT_EQ(opencl_address(), "0000:c3:1f.2");
  answers[domain_nv] = {0xA};
  EXPECT_EQ(opencl_address(), "000a:c3:1f.2");
  answers[bus_info_khr] = {1, 0x17, 3, 4};
  EXPECT_EQ(opencl_address(), "0001:17:03.4");
  EXPECT_EQ(vergence::Device("opencl:0").pci_address(), "0001:17:03.4");
  place = real;
}

TEST(GpuPciAddress, OthersHaveNone) {
  EXPECT_EQ(vergence::Device("cpu").pci_address(), "");
  EXPECT_EQ(vergence::Device("reference").pci_address(), "");
}

TEST(CudaPciAddress, IsThatOfTheDriver) {
  const Found found = cuda::find().front();
  if (!found.available) GTEST_SKIP() << found.reason;
  EXPECT_EQ(found.properties.pci_address.size(), std::string("0000:17:00.0").size());
  if (found.properties.device == "Fake GPU") {
    EXPECT_EQ(found.properties.pci_address, "0001:17:02.0");
  }
}

}  // namespace
}  // namespace vergence::gpu

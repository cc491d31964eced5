// SPDX-License-Identifier: Apache-2.0
// What a GPU device cannot do is refused by name, with the reason and the cure; what it only does otherwise, because it
// has little local memory or small work-groups, gives the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/cuda/driver.hpp"
#include "gpu/each_call_fails.hpp"
#include "gpu/opencl/driver.hpp"
#include "gpu/replaced.hpp"
#include "support/maps.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

using OpenClInfo = decltype(gpu::opencl::Calls::GetDeviceInfo);
OpenClInfo opencl_answer = nullptr;
cl_device_info denied = 0;
cl_int deny_one(cl_device_id device, cl_device_info what, std::size_t bytes, void* value, std::size_t* size) {
  const cl_int code = opencl_answer(device, what, bytes, value, size);
  if (what != denied || value == nullptr) return code;
  if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE)
    *static_cast<std::size_t*>(value) = 32;
  else if (what == CL_DEVICE_LOCAL_MEM_SIZE)
    *static_cast<cl_ulong*>(value) = 4096;
  else
    *static_cast<cl_bool*>(value) = CL_FALSE;
  return code;
}

TEST(GpuRefusals, OpenClDevicesThatLackWhatIsNeeded) {
  if (!gpu::opencl::find().front().available) GTEST_SKIP() << gpu::opencl::find().front().reason;
  const Replaced<OpenClInfo> replaced(gpu::opencl::changeable_calls().GetDeviceInfo, deny_one);
  opencl_answer = replaced.before();
  struct Case {
    cl_device_info what;
    const char* reason;
  };
  for (const Case& one : {Case{CL_DEVICE_AVAILABLE, "not available"}, Case{CL_DEVICE_COMPILER_AVAILABLE, "no compiler"},
                          Case{CL_DEVICE_ENDIAN_LITTLE, "big-endian"},
                          Case{CL_DEVICE_MAX_WORK_GROUP_SIZE, "at most 32 work-items, 64 are needed"},
                          Case{CL_DEVICE_LOCAL_MEM_SIZE, " bytes of local memory, 8192 are needed"}}) {
    denied = one.what;
    const gpu::Found found = gpu::opencl::find().front();
    EXPECT_FALSE(found.available);
    EXPECT_NE(found.reason.find(one.reason), std::string::npos) << found.reason;
    EXPECT_ERROR(gpu::opencl::open(0), ErrorCode::device, "opencl:0");
    EXPECT_ERROR(gpu::opencl::open(0), ErrorCode::device, one.reason);
    EXPECT_ERROR(Device("opencl:0"), ErrorCode::device, one.reason);
    for (const DeviceInfo& info : Device::list()) {
      EXPECT_TRUE(info.name != "opencl:0" || info.reason == found.reason) << info.reason;
    }
  }
}

cl_int say_nvidia(cl_device_id device, cl_device_info what, std::size_t bytes, void* value, std::size_t* size) {
  static constexpr char vendor[] = "NVIDIA Corporation";
  if (what != CL_DEVICE_VENDOR) {
    const cl_int code = opencl_answer(device, what, bytes, value, size);
    if (what == CL_DEVICE_LOCAL_MEM_SIZE && value != nullptr) *static_cast<cl_ulong*>(value) = 49152;
    return code;
  }
  if (size != nullptr) *size = sizeof(vendor);
  if (value != nullptr) std::memcpy(value, vendor, std::min(bytes, sizeof(vendor)));
  return CL_SUCCESS;
}

/// Its driver refuses to launch a kernel with all the local memory that it states: 4 bytes of it are its own.
TEST(GpuRefusals, LocalMemoryOfNvidiasOpenCl) {
  if (!gpu::opencl::find().front().available) GTEST_SKIP() << gpu::opencl::find().front().reason;
  const Replaced<OpenClInfo> replaced(gpu::opencl::changeable_calls().GetDeviceInfo, say_nvidia);
  opencl_answer = replaced.before();
  const gpu::Found found = gpu::opencl::find().front();
  EXPECT_TRUE(found.properties.is_nvidia);
  EXPECT_EQ(found.properties.local_memory, 49148u);
}

using CudaInfo = decltype(gpu::cuda::Calls::DeviceGetAttribute);
CudaInfo cuda_answer = nullptr;
gpu::cuda::Result prohibit(int* value, int what, gpu::cuda::DeviceOrdinal device) {
  const gpu::cuda::Result code = cuda_answer(value, what, device);
  if (what == gpu::cuda::compute_mode) *value = gpu::cuda::compute_mode_prohibited;
  return code;
}

TEST(CudaRefusals, AProhibitedDevice) {
  if (!gpu::cuda::find().front().available) GTEST_SKIP() << gpu::cuda::find().front().reason;
  const Replaced<CudaInfo> replaced(gpu::cuda::changeable_calls().DeviceGetAttribute, prohibit);
  cuda_answer = replaced.before();
  EXPECT_NE(gpu::cuda::find().front().reason.find("prohibited"), std::string::npos);
  EXPECT_ERROR(gpu::cuda::open(0), ErrorCode::device, "cuda:0");
  EXPECT_ERROR(gpu::cuda::open(0), ErrorCode::device, "nvidia-smi -c 0");
}

TEST(GpuRefusals, NamesThatMeanNoDevice) {
  const bool opencl = gpu::opencl::find().front().available, cuda = gpu::cuda::find().front().available;
  if (opencl) {
    EXPECT_ERROR(Device("opencl:1000"), ErrorCode::device, "there is no device opencl:1000: opencl:0 to opencl:");
    EXPECT_ERROR(Device("opencl:-1"), ErrorCode::device, "opencl:-1");
    EXPECT_ERROR(Device("opencl:no such thing"), ErrorCode::not_found, "no such thing");
    EXPECT_ERROR(Device("opencl:no such thing"), ErrorCode::not_found, gpu::opencl::find().front().properties.device);
  }
  if (!cuda) {
    EXPECT_ERROR(Device("cuda"), ErrorCode::device, gpu::cuda::find().front().reason);
    EXPECT_ERROR(Device("cuda:0"), ErrorCode::device, gpu::cuda::find().front().reason);
  }
}

/// Matchers on a device that seems smaller than it is.
class SmallGpu : public FailingDeviceTest {
 protected:
  template <class Change>
  Device device(const Change& change) {
    return make_device(faults_, "small:0", change);
  }
  void expect_same(const Device& small) {
    const Size size{137, 23};
    const StereoOptions options{
        .window = {5, 3}, .disparities = 6, .speckle_size = 6, .median = 3, .fill = StereoFill::nearest};
    const Image<std::uint8_t> left = noise<std::uint8_t>(size, 9, 255), right = shifted(left, 3);
    Image<std::int16_t> expected(size), got(size);
    StereoMatcher(Device("reference"), size, options).compute({left, right}, {.disparity = expected});
    StereoMatcher(small, size, options).compute({left, right}, {.disparity = got});
    EXPECT_EQ(values_of(expected), values_of(got));
  }

  SharedFaults faults_ = std::make_shared<Faults>();
};

TEST_F(SmallGpu, AFrameThatDoesNotFitNamesSizeDisparitiesAndDevice) {
  const Device small = device([](gpu::Properties& p) { p.largest_buffer = 5000; });
  const auto make = [&] { const StereoMatcher matcher(small, {640, 48}, {.disparities = 17}); };
  EXPECT_ERROR(
      make(), ErrorCode::out_of_memory,
      "device small:0 has too little memory for pictures of 640x48 with 17 disparities, not even for bands of 10 rows");
  EXPECT_ERROR(make(), ErrorCode::out_of_memory, "allocating 6400 bytes");
  EXPECT_EQ(faults_->living(), 0);
}

// Processors have a matcher without groups, match_rows.cl: here they pass for GPUs.
TEST_F(SmallGpu, WorkGroupsOfAnySizeGiveTheSameBytes) {
  expect_same(device([](gpu::Properties& p) { p.largest_group = 100, p.is_cpu = false; }));
}

TEST_F(SmallGpu, WithoutLocalMemoryForColumnsTheBytesAreTheSame) {
  expect_same(device([](gpu::Properties& p) { p.local_memory = 512, p.is_cpu = false; }));
}

}  // namespace
}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// Device: names, options, the environment variable; never another device than the one asked for.
#include "vergence/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace vergence {
namespace {

constexpr const char* variable = "VERGENCE_DEVICE";

/// Sets or clears the variable and puts back what was there.
class VariableGuard {
 public:
  explicit VariableGuard(const char* value) {
    if (const char* old = std::getenv(variable)) old_ = old;
    set(value);
  }
  ~VariableGuard() { set(old_ ? old_->c_str() : nullptr); }
  VariableGuard(const VariableGuard&) = delete;
  VariableGuard& operator=(const VariableGuard&) = delete;

 private:
  static void set(const char* value) {
    if (value != nullptr)
      setenv(variable, value, 1);
    else
      unsetenv(variable);
  }
  std::optional<std::string> old_;
};

TEST(Device, ListsEveryDeviceOnceAndSaysWhyOneIsMissing) {
  const auto devices = Device::list();
  ASSERT_GE(devices.size(), 2u);
  for (const DeviceInfo& info : devices) {
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.kind.empty());
    EXPECT_FALSE(info.description.empty());
    EXPECT_EQ(info.available, info.reason.empty()) << info.name;
    for (const DeviceInfo& other : devices) EXPECT_TRUE(&info == &other || info.name != other.name);
  }
}

TEST(Device, OpensWhatIsListed) {
  for (const DeviceInfo& info : Device::list()) {
    if (!info.available) continue;
    const Device device(info.name);
    EXPECT_EQ(device.name(), info.name);
    EXPECT_EQ(device.kind(), info.kind);
    EXPECT_FALSE(device.description().empty());
  }
}

TEST(Device, EmptyNameMeansTheVariableThenCpu) {
  {
    const VariableGuard guard("reference");
    EXPECT_EQ(Device().name(), "reference");
    EXPECT_EQ(Device("cpu").name(), "cpu") << "a name wins over the variable";
  }
  const VariableGuard guard(nullptr);
  EXPECT_EQ(Device().name(), "cpu");
  const VariableGuard empty("");
  EXPECT_EQ(Device().name(), "cpu");
}

TEST(Device, UnknownNamesAreRefusedWithTheKnownOnes) {
  EXPECT_ERROR(Device("gpu"), ErrorCode::not_found, "'gpu'");
  EXPECT_ERROR(Device("gpu"), ErrorCode::not_found, "cpu, opencl, cuda, reference");
  EXPECT_ERROR(Device("CPU"), ErrorCode::not_found, "'CPU'");
  const VariableGuard guard("nonsense");
  EXPECT_ERROR(Device(), ErrorCode::not_found, "'nonsense' (from the environment variable VERGENCE_DEVICE)");
}

TEST(Device, OptionsAreHonouredOrRefused) {
  EXPECT_ERROR(Device("cpu", {.threads = -1, .simd = {}}), ErrorCode::invalid_argument, "threads is -1");
  EXPECT_ERROR(Device("cpu", {.threads = 1025, .simd = {}}), ErrorCode::invalid_argument, "1024");
  EXPECT_ERROR(Device("cpu", {.threads = 0, .simd = "MMX"}), ErrorCode::not_found, "simd is 'MMX'");
  EXPECT_ERROR(Device("reference", {.threads = 2, .simd = {}}), ErrorCode::unsupported, "threads is 2");
  EXPECT_ERROR(Device("reference", {.threads = 0, .simd = "AVX2"}), ErrorCode::unsupported, "simd is 'AVX2'");
  EXPECT_ERROR(Device("reference", {.kernel_cache = false}), ErrorCode::unsupported, "kernel_cache");
  EXPECT_ERROR(Device("cpu", {.kernel_cache = false}), ErrorCode::unsupported, "kernel_cache");
  EXPECT_EQ(Device("reference", {.threads = 1, .simd = {}}).name(), "reference");
  EXPECT_NE(Device("cpu", {.threads = 3, .simd = {}}).description().find("3 threads"), std::string::npos);
}

TEST(Device, EverySimdTargetCanBeForced) {
  const auto targets = Device::simd_targets();
  ASSERT_FALSE(targets.empty());
  for (const std::string& target : targets)
    EXPECT_EQ(Device("cpu", {.threads = 1, .simd = target}).description().rfind(target + " of ", 0), 0u) << target;
}

#if defined(__x86_64__)
/// A thread that flushes subnormals computes other bits: the probe runs where the device is opened, and refuses.
TEST(Device, IsRefusedWhereSubnormalsAreFlushed) {
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8000u);  // FTZ
  EXPECT_ERROR(Device("cpu"), ErrorCode::device, "subnormal");
  EXPECT_ERROR(Device("reference"), ErrorCode::device, "subnormal");
  for (const DeviceInfo& info : Device::list()) {
    if (info.kind != "cpu" && info.kind != "reference") continue;
    EXPECT_FALSE(info.available);
    EXPECT_NE(info.reason.find("subnormal"), std::string::npos) << info.reason;
  }
  _mm_setcsr(saved);
  EXPECT_NO_THROW(Device("cpu"));
}
#endif

TEST(Device, CopiesShareTheDevice) {
  const Device a("reference");
  const Device b = a;  // NOLINT(performance-unnecessary-copy-initialization): the copy is the point
  EXPECT_EQ(&backend::of(a), &backend::of(b));
}

}  // namespace
}  // namespace vergence

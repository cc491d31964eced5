// SPDX-License-Identifier: Apache-2.0
// Codes that a device keeps: who asks for the same program later, or beside, compiles nothing; and they are not kept
// for ever.
#include "gpu/kernel_codes.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gpu/compiling_device.hpp"
#include "gpu/program.hpp"

namespace vergence {
namespace {

using Code = gpu::KernelCodes::Code;

Code code_of(std::size_t bytes, unsigned char value) { return {bytes, std::byte{value}}; }

TEST(KernelCodes, AreKeptByText) {
  gpu::KernelCodes codes;
  EXPECT_EQ(codes.find("a"), nullptr);
  codes.keep("a", code_of(3, 1));
  codes.keep("b", code_of(3, 2));
  ASSERT_NE(codes.find("a"), nullptr);
  EXPECT_EQ(*codes.find("a"), code_of(3, 1));
  EXPECT_EQ(*codes.find("b"), code_of(3, 2));
}

TEST(KernelCodes, AreForgottenWhereTheyTakeTooMuch) {
  gpu::KernelCodes codes(100);
  codes.keep("a", code_of(49, 1));
  codes.keep("b", code_of(49, 2));
  codes.keep("b", code_of(49, 2));  // counts once
  const auto held = codes.find("a");
  ASSERT_NE(held, nullptr);
  codes.keep("c", code_of(1, 3));
  EXPECT_EQ(codes.find("a"), nullptr);
  EXPECT_EQ(codes.find("b"), nullptr);
  ASSERT_NE(codes.find("c"), nullptr);
  EXPECT_EQ(held->size(), 49U);  // whoever uses it may go on
  codes.keep("d", code_of(100, 4));
  EXPECT_EQ(codes.find("d"), nullptr);
}

class CountingDevice final : public test::CompilingDevice {
 public:
  CountingDevice() : test::CompilingDevice(gpu::Dialect::cuda) {}
  std::vector<std::byte> compile(const std::string& /*text*/) override {
    return code_of(8, static_cast<unsigned char>(++compiled));
  }
};

TEST(KernelCodes, AreCompiledOnceForAllOfADevice) {
  const auto use = [](const std::shared_ptr<CountingDevice>& device, int group) {
    gpu::Programs programs(device);
    programs.kernel("bit_probe.cl", gpu::Defines().set("GROUP", group).set("DOUBLES", 0), "probe_integers");
  };
  const auto device = std::make_shared<CountingDevice>();
  use(device, 64);
  use(device, 64);
  EXPECT_EQ(device->compiled, 1);
  use(device, 32);
  EXPECT_EQ(device->compiled, 2);
  const auto other = std::make_shared<CountingDevice>();
  use(other, 64);
  EXPECT_EQ(other->compiled, 1);
}

}  // namespace
}  // namespace vergence

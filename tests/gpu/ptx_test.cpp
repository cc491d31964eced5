// SPDX-License-Identifier: Apache-2.0
// Kernels whose registers are limited after the fact, in what NVIDIA's OpenCL hands out as their machine code.
#include "gpu/opencl/ptx.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace vergence::gpu::opencl {
namespace {

std::string limited(std::string_view text, int registers) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());  // NOLINT: bytes are characters
  const std::vector<std::byte> out = limit_registers({bytes, bytes + text.size()}, registers);
  return {reinterpret_cast<const char*>(out.data()), out.size()};  // NOLINT: likewise
}

constexpr std::string_view two_kernels =
    "//\n.version 9.0\n.target sm_90\n\n.entry first(\n)\n.reqntid 256, 1, 1\n{\n\tret;\n}\n"
    ".entry second(\n)\n.reqntid 64, 4, 1\n{\n\tret;\n}\n.entry third()\n{\n\tret;\n}\n";

TEST(Ptx, EachKernelGetsTheGroupsThatItsRegistersAllow) {
  EXPECT_EQ(limited(two_kernels, 128),
            "//\n.version 9.0\n.target sm_90\n\n.entry first(\n)\n.reqntid 256, 1, 1\n.minnctapersm 2\n{\n\tret;\n}\n"
            ".entry second(\n)\n.reqntid 64, 4, 1\n.minnctapersm 2\n{\n\tret;\n}\n.entry third()\n{\n\tret;\n}\n");
  EXPECT_NE(limited(two_kernels, 104).find(".reqntid 256, 1, 1\n.minnctapersm 2\n"), std::string::npos);  // 2.46
  EXPECT_NE(limited(two_kernels, 40).find(".reqntid 64, 4, 1\n.minnctapersm 6\n"), std::string::npos);    // 6.4
}

TEST(Ptx, TheByteBehindTheTextStays) {
  const std::string with_zero = std::string(two_kernels) + '\0';
  EXPECT_EQ(limited(with_zero, 128).back(), '\0');
}

TEST(Ptx, WhatAsksForNothingStays) {
  EXPECT_EQ(limited(two_kernels, 0), two_kernels);
  EXPECT_EQ(limited(two_kernels, 300), two_kernels);  // no group would fit: the compiler shall say so
  const std::string machine_code(
      "\x7f"
      "ELF\0\n.reqntid 256, 1, 1\n",
      24);
  EXPECT_EQ(limited(machine_code, 128), machine_code);
  EXPECT_EQ(limited("", 128), "");
  EXPECT_EQ(limited("//\n.version 9.0\n.entry a\n.reqntid", 128), "//\n.version 9.0\n.entry a\n.reqntid");
}

}  // namespace
}  // namespace vergence::gpu::opencl

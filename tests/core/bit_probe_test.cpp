// SPDX-License-Identifier: Apache-2.0
// The bit probe passes on this machine on every target, and notices each fault it is there for.
#include "core/bit_probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cpu/bit_probe.hpp"
#include "cpu/context.hpp"

namespace vergence {
namespace {

using testing::HasSubstr;

TEST(BitProbe, PassesInPlainCode) { EXPECT_EQ(probe_failure(scalar_probe()), ""); }

TEST(BitProbe, PassesOnEverySimdTarget) {
  ASSERT_FALSE(cpu::simd_targets().empty());
  for (const auto target : cpu::simd_targets())
    EXPECT_EQ(probe_failure(cpu::simd_probe(target)), "") << cpu::simd_name(target);
}

TEST(BitProbe, NoticesFusedProducts) {
  const ProbeInput in = probe_input();
  ProbeOutput out = scalar_probe();
  for (std::size_t i = 0; i < in.a.size(); ++i) out.product_sum[i] = std::fma(in.a[i], in.b[i], in.c[i]);
  EXPECT_THAT(probe_failure(out), HasSubstr("a * b + c"));
}

TEST(BitProbe, NoticesInexactDivision) {
  const ProbeInput in = probe_input();
  ProbeOutput out = scalar_probe();
  for (std::size_t i = 0; i < in.a.size(); ++i) out.quotient[i] = in.numerator[i] * (1.0 / in.denominator[i]);
  EXPECT_THAT(probe_failure(out), HasSubstr("division"));
}

TEST(BitProbe, NoticesInexactRoots) {
  ProbeOutput out = scalar_probe();
  for (double& root : out.root) root = std::nextafter(root, 0.0);
  EXPECT_THAT(probe_failure(out), HasSubstr("square root"));
}

TEST(BitProbe, NoticesFlushedSubnormals) {
  ProbeOutput out = scalar_probe();
  for (double& value : out.small_product)
    if (std::abs(value) < 0x1p-1022) value = 0;
  EXPECT_THAT(probe_failure(out), HasSubstr("subnormal"));
}

TEST(BitProbe, NoticesSaturatedSums) {
  const ProbeInput in = probe_input();
  ProbeOutput out = scalar_probe();
  for (std::size_t i = 0; i < in.left.size(); ++i)
    out.sum[i] = static_cast<std::uint16_t>(std::min(65535, in.left[i] + in.right[i]));
  EXPECT_THAT(probe_failure(out), HasSubstr("16-bit sum"));
}

}  // namespace
}  // namespace vergence

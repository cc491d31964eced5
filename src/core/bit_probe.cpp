// SPDX-License-Identifier: Apache-2.0
// Inputs and results of the bit probe. The results were worked out apart from this code with exact rational arithmetic.
#include "core/bit_probe.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace vergence {
namespace {

using Bits = std::array<std::uint64_t, probe_doubles>;

constexpr Bits a_bits{0x3FF0000000400000, 0x3FFFFFFFFFFFFFFF, 0x400921FB54442D18, 0xC005BF0A8B145769,
                      0x3FF0000020000000, 0x3FB999999999999A, 0x4273333333333333, 0xC01D333333333333};
constexpr Bits b_bits{0x3FEFFFFFFF800000, 0x3FFFFFFFFFFFFFFF, 0x3FD45F306DC9C883, 0x3FD78B56362CEF38,
                      0x3FF0000020000000, 0x4024000000000000, 0x3D75555555555555, 0xC00D99999999999A};
constexpr Bits c_bits{0xBFF0000000000000, 0xC010000000000000, 0xBFF0000000000000, 0x3FF0000000000000,
                      0xBFF0000040000000, 0xBFF0000000000000, 0xBFF9999999999999, 0xC03B028F5C28F5C3};
constexpr Bits numerator_bits{0x4014000000000000, 0x401C000000000000, 0x7E37E43C8800759C, 0x4014000000000000,
                              0x0170000000000000, 0xC036000000000000, 0x7FEFFFFFFFFFFFFF, 0x4024000000000000};
constexpr Bits denominator_bits{0x4048800000000000, 0x403A000000000000, 0x40476D79D909F1F0, 0x3FFFFFFFFFFFFFFF,
                                0x41D8000000000000, 0x4022333333333333, 0x3FF0000000000001, 0x4046000000000000};
constexpr Bits radicand_bits{0x4000000000000000, 0x4008000000000000, 0x3FB999999999999A, 0x7FEFFFFFFFFFFFFF,
                             0x0000000000000003, 0x3FF0000000000001, 0x4202A05F20080000, 0x3FEFFFFFFFFFFFFF};
constexpr Bits small_bits{0x0010000000000000, 0x0018000000000000, 0x0000000000000001, 0x000FFFFFFFFFFFFF,
                          0x1A70000000000000, 0x81723456789ABCDE, 0x0000000000000003, 0x0000000000000001};
constexpr Bits factor_bits{0x3FE0000000000000, 0x3FD0000000000000, 0x4008000000000000, 0x3FE0000000000000,
                           0x23D8000000000000, 0x3CD0000000000000, 0x43B0000000000000, 0x3FE8000000000000};

// Six of these eight differ where product and sum are rounded once instead of twice.
constexpr Bits product_sum_bits{0x0000000000000000, 0xBCD0000000000000, 0x0000000000000000, 0x0000000000000000,
                                0x3D10000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000};
// Five of these differ where the reciprocal is rounded first.
constexpr Bits quotient_bits{0x3FBA1F58D0FAC688, 0x3FD13B13B13B13B1, 0x7DE0511BA21C796A, 0x4004000000000001,
                             0x00000AAAAAAAAAAB, 0xC003573573573574, 0x7FEFFFFFFFFFFFFD, 0x3FCD1745D1745D17};
constexpr Bits root_bits{0x3FF6A09E667F3BCD, 0x3FFBB67AE8584CAA, 0x3FD43D136248490F, 0x5FEFFFFFFFFFFFFF,
                         0x1E6BB67AE8584CAA, 0x3FF0000000000000, 0x40F86A0000053E2D, 0x3FEFFFFFFFFFFFFF};
constexpr Bits small_product_bits{0x0008000000000000, 0x0006000000000000, 0x0000000000000003, 0x0008000000000000,
                                  0x0000000001800000, 0x8000000001234568, 0x00A8000000000000, 0x0000000000000001};

ProbeInput::Doubles doubles(const Bits& bits) {
  ProbeInput::Doubles values{};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const volatile std::uint64_t hidden = bits[i];
    values[i] = std::bit_cast<double>(static_cast<std::uint64_t>(hidden));
  }
  return values;
}

/// Words over the whole range, with sums on both sides of 2^16.
ProbeInput::Words words(std::uint32_t start, std::uint32_t step) {
  ProbeInput::Words values{};
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const volatile std::uint32_t hidden = start + i * step;
    values[i] = static_cast<std::uint16_t>(hidden & 0xFFFFu);
  }
  return values;
}

std::string difference(const char* what, const ProbeInput::Doubles& got, const Bits& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(got[i]);
    if (bits != expected[i])
      return fmt::format("bit probe failed: {} (item {} is {:016x}, must be {:016x})", what, i, bits, expected[i]);
  }
  return {};
}

}  // namespace

ProbeInput probe_input() {
  return {doubles(a_bits),           doubles(b_bits),        doubles(c_bits),     doubles(numerator_bits),
          doubles(denominator_bits), doubles(radicand_bits), doubles(small_bits), doubles(factor_bits),
          words(0xFFFF, 40503),      words(1, 25717)};
}

ProbeOutput scalar_probe() {
  const ProbeInput in = probe_input();
  ProbeOutput out;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    out.product_sum[i] = in.a[i] * in.b[i] + in.c[i];
    out.quotient[i] = in.numerator[i] / in.denominator[i];
    out.root[i] = std::sqrt(in.radicand[i]);
    out.small_product[i] = in.small[i] * in.factor[i];
  }
  for (std::size_t i = 0; i < in.left.size(); ++i) out.sum[i] = static_cast<std::uint16_t>(in.left[i] + in.right[i]);
  return out;
}

std::string probe_failure(const ProbeOutput& output) {
  // Subnormals first: flushing them falsifies quotients and roots too.
  std::string text = difference("subnormal doubles are flushed to zero", output.small_product, small_product_bits);
  if (text.empty())
    text = difference("a * b + c is rounded once instead of twice", output.product_sum, product_sum_bits);
  if (text.empty()) text = difference("double division is not correctly rounded", output.quotient, quotient_bits);
  if (text.empty()) text = difference("double square root is not correctly rounded", output.root, root_bits);
  const ProbeInput in = probe_input();
  for (std::size_t i = 0; text.empty() && i < in.left.size(); ++i) {
    const std::uint32_t expected = (std::uint32_t{in.left[i]} + in.right[i]) % 65536u;
    if (output.sum[i] != expected)
      text = fmt::format("bit probe failed: a packed 16-bit sum is wrong (item {} is {}, must be {})", i, output.sum[i],
                         expected);
  }
  return text;
}

}  // namespace vergence

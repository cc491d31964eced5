// SPDX-License-Identifier: Apache-2.0
// The bit probe: arithmetic whose exact results are known, run on a device when it is opened. It catches what flags and
// pragmas only promise: a * b + c fused into one rounding, divisions and square roots that are not correctly rounded
// (IEEE 754-2019, binary64), subnormals flushed to zero, packed 16-bit sums that do not wrap.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace vergence {

inline constexpr int probe_doubles = 8;
inline constexpr int probe_words = 64;

struct ProbeInput {
  using Doubles = std::array<double, probe_doubles>;
  using Words = std::array<std::uint16_t, probe_words>;
  Doubles a, b, c;                 // product, then sum
  Doubles numerator, denominator;  // quotient
  Doubles radicand;                // square root
  Doubles small, factor;           // product that is subnormal, or has a subnormal factor
  Words left, right;               // sum modulo 2^16
};

struct ProbeOutput {
  ProbeInput::Doubles product_sum{}, quotient{}, root{}, small_product{};
  ProbeInput::Words sum{};
};

/// Read at run time, so that no compiler works the probe out beforehand.
ProbeInput probe_input();

/// The probe in plain C++.
ProbeOutput scalar_probe();

/// Empty where every bit is right, else what is wrong, for an error message.
std::string probe_failure(const ProbeOutput& output);

}  // namespace vergence

// SPDX-License-Identifier: Apache-2.0
// The bit probe on one SIMD target.
#pragma once

#include <cstdint>

#include "core/bit_probe.hpp"

namespace vergence::cpu {

/// `target` is one of simd_targets().
ProbeOutput simd_probe(std::int64_t target);

}  // namespace vergence::cpu

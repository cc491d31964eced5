// SPDX-License-Identifier: Apache-2.0
// The left-right check of one row, fused into the matcher.
#pragma once

#include <cstdint>

#include "cpu/stereo/band.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::cpu {

/// Sets reject[x] where the winner of pixel x, candidate[x], is not the other view's too (within the plan's threshold).
/// `other_x` holds by position (MatchLayout) the pixel that won there, modulo the range of S.
template <class S>
void check_row(const StereoPlan& plan, const MatchLayout& layout, const std::int32_t* candidate, const S* other_x,
               std::uint8_t* reject);

}  // namespace vergence::cpu

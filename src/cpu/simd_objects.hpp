// SPDX-License-Identifier: Apache-2.0
// Which SIMD targets the objects hold that are linked into the program. cmake/simd.cmake writes the definition.
#pragma once

#include <cstdint>

namespace vergence::cpu {

/// The HWY_* bits of the targets whose code is there in every file: all bits, or one target's where the program was
/// built for one machine.
std::int64_t linked_targets();

}  // namespace vergence::cpu

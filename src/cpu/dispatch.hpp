// SPDX-License-Identifier: Apache-2.0
// Picks the variant of a HWY_EXPORTed function for a given target instead of Highway's process-wide choice, so that two
// devices of one process can run different targets. Included by .cpp files only, after hwy/highway.h.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace vergence::cpu {

/// Index in a dispatch table of this translation unit of the best target compiled here that is at most `target`: not
/// every file is worth compiling for every target. Without the atomic store of hwy::ChosenTarget, which would wait at
/// each call until all that was streamed is in memory.
HWY_INLINE std::size_t dispatch_index([[maybe_unused]] std::int64_t target) {
#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)
  return 0;  // a table of one entry
#else
  // The bits from the target's own on are those of the lesser targets. The last entry, of the baseline without vectors,
  // is there for a target below all that were compiled in.
  const std::int64_t entries = HWY_CHOSEN_TARGET_SHIFT(-target) | HWY_CHOSEN_TARGET_MASK_SCALAR;
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<std::uint64_t>(entries & HWY_CHOSEN_TARGET_MASK_TARGETS));
#endif
}

}  // namespace vergence::cpu

/// VERGENCE_DISPATCH(Function, target)(arguments...)
#define VERGENCE_DISPATCH(FUNCTION, TARGET) (*(HWY_DISPATCH_TABLE(FUNCTION)[::vergence::cpu::dispatch_index(TARGET)]))

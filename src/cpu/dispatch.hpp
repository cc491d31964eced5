// SPDX-License-Identifier: Apache-2.0
// Picks the variant of a HWY_EXPORTed function for a given target instead of Highway's process-wide choice, so that two
// devices of one process can run different targets. Included by .cpp files only, after hwy/highway.h.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace vergence::cpu {

/// Index of `target` in a dispatch table of this translation unit.
inline std::size_t dispatch_index([[maybe_unused]] std::int64_t target) {
#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)
  return 0;  // a table of one entry
#else
  hwy::ChosenTarget chosen;
  chosen.Update(target);
  return chosen.GetIndex();
#endif
}

}  // namespace vergence::cpu

/// VERGENCE_DISPATCH(Function, target)(arguments...)
#define VERGENCE_DISPATCH(FUNCTION, TARGET) (*(HWY_DISPATCH_TABLE(FUNCTION)[::vergence::cpu::dispatch_index(TARGET)]))

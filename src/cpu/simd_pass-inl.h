// SPDX-License-Identifier: Apache-2.0
// One pass of hwy/foreach_target.h over a file of SIMD code: nothing where another object holds this target's code.
#if VERGENCE_SIMD_HERE
#include VERGENCE_SIMD_FILE
#else
// The headers of a pass are visible where this toggle changed since the pass before. Highway toggles after each pass,
// which this line takes back for one that included none.
#ifdef HWY_TARGET_TOGGLE
#undef HWY_TARGET_TOGGLE
#else
#define HWY_TARGET_TOGGLE
#endif
#endif

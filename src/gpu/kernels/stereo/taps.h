// SPDX-License-Identifier: Apache-2.0
// How many taps a candidate's window has: settings.h says what its parts beyond the pictures count.
#include "stereo/settings.h"

#define TAPS_DIFFER (OUTSIDE == OUTSIDE_SKIP && !WHOLE_WINDOWS)  // from candidate to candidate of a pixel

// Tap columns of pixel x when its partner is column p.
int tap_columns(int x, int p, int width) {
#if TAPS_DIFFER
  return min(min(RX, x), p) + 1 + min(min(RX, width - 1 - x), width - 1 - p);
#else
  return 1;
#endif
}

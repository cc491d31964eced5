// SPDX-License-Identifier: Apache-2.0
// Both passes at once: an item goes down a column of vectors; the sums across of the rows that it needs again stay in
// registers, and no picture lies between.
#include "stencil-energy/stencil.h"

#define SLIDING_WINDOW stencil_one_pass
#define ROW_AT(p) across(p)
#include "stencil-energy/sliding_window.h"

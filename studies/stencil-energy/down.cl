// SPDX-License-Identifier: Apache-2.0
// Second of two passes: an item goes down a column of vectors, and keeps the rows that it needs again.
#include "stencil-energy/stencil.h"

#define SLIDING_WINDOW stencil_down
#define ROW_AT(p) LOAD_ALIGNED(p)
#include "stencil-energy/sliding_window.h"

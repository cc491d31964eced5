// SPDX-License-Identifier: Apache-2.0
// Hole filling on the device cpu: every SIMD target gives the bytes of the reference.
#include "stage/cpu_filters.hpp"
#define SUITE CpuFill
#define SUITE_OF_MAPS CpuFillMaps
#include "stage/fill.hpp"

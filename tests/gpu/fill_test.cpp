// SPDX-License-Identifier: Apache-2.0
// Hole filling on every GPU device gives the bytes of the reference.
#include "stage/gpu_filters.hpp"
#define SUITE GpuFill
#define SUITE_OF_MAPS GpuFillMaps
#include "stage/fill.hpp"

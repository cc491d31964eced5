// SPDX-License-Identifier: Apache-2.0
// The median filter on the device cpu: every SIMD target gives the bytes of the reference.
#include "stage/cpu_filters.hpp"
#define SUITE CpuMedian
#include "stage/median.hpp"

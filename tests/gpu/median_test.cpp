// SPDX-License-Identifier: Apache-2.0
// The median filter on every GPU device gives the bytes of the reference.
#include "stage/gpu_filters.hpp"
#define SUITE GpuMedian
#include "stage/median.hpp"

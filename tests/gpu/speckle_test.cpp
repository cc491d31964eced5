// SPDX-License-Identifier: Apache-2.0
// The speckle filter on every GPU device gives the bytes of the reference.
#include "stage/gpu_filters.hpp"
#define SUITE GpuSpeckle
#include "stage/speckle.hpp"

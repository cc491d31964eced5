// SPDX-License-Identifier: Apache-2.0
// The stage `source` on every GPU device gives the bytes of the reference.
#include "stage/gpu_filters.hpp"
#define SUITE GpuSource
#include "stage/source.hpp"

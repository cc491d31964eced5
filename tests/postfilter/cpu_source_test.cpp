// SPDX-License-Identifier: Apache-2.0
// The stage `source` on the device cpu gives the bytes of the reference.
#include "stage/cpu_filters.hpp"
#define SUITE CpuSource
#include "stage/source.hpp"

// SPDX-License-Identifier: Apache-2.0
// Rectification on every GPU device gives the bytes of the reference.
#include "stage/gpu_devices.hpp"
#define SUITE GpuRemap
#include "stage/remap.hpp"

// SPDX-License-Identifier: Apache-2.0
// Rectification on the device cpu gives the bytes of the reference.
#include "stage/cpu_devices.hpp"
#define SUITE CpuRemap
#include "stage/remap.hpp"

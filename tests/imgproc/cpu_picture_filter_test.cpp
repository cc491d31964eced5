// SPDX-License-Identifier: Apache-2.0
// Blur, half size and gradients on the device cpu give the bits of the reference.
#include "stage/cpu_devices.hpp"
#define SUITE CpuPictureFilter
#include "stage/picture_filter.hpp"

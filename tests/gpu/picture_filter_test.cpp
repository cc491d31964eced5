// SPDX-License-Identifier: Apache-2.0
// Blur, half size and gradients on every GPU device give the bits of the reference.
#include "stage/gpu_devices.hpp"
#define SUITE GpuPictureFilter
#include "stage/picture_filter.hpp"

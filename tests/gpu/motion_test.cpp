// SPDX-License-Identifier: Apache-2.0
// Motion on every GPU device gives the bytes of the reference. What only GPUs have is in motion_kernels_test.cpp.
#include "stage/gpu_motion.hpp"
#define SUITE GpuMotion
#define SUITE_OF_SEEDS GpuMotionSeeds
#include "stage/motion.hpp"

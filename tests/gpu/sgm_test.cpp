// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on every GPU device gives the bytes of the reference.
#include "stage/gpu_match.hpp"
#include "stage/suite.hpp"
#define SUITE GpuSgm
#define SUITE_OF_SEEDS GpuSgmSeeds
#include "stage/sgm.hpp"

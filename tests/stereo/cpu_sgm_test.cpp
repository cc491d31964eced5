// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on the device cpu gives the bytes of the reference.
#include "stage/cpu_match.hpp"
#include "stage/suite.hpp"
#define SUITE CpuSgm
#define SUITE_OF_SEEDS CpuSgmSeeds
#include "stage/sgm.hpp"

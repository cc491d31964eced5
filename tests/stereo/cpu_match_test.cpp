// SPDX-License-Identifier: Apache-2.0
// The matcher on the device cpu gives the bytes of the reference.
#include "stage/cpu_match.hpp"
#define SUITE CpuMatch
#define SUITE_OF_SEEDS CpuMatchSeeds
#include "stage/match.hpp"

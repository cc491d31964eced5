// SPDX-License-Identifier: Apache-2.0
// Tracks on every GPU device give the points and corners of the reference.
#include "stage/gpu_track.hpp"
#define SUITE GpuTrack
#define SUITE_OF_SEEDS GpuTrackSeeds
#include "stage/track.hpp"

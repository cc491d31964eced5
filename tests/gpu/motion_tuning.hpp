// SPDX-License-Identifier: Apache-2.0
// Launch configurations of motion that seeded tests run in.
#pragma once

#include <cstdint>

#include "gpu/gpu_devices.hpp"
#include "gpu/motion/motion.hpp"

namespace vergence::test {

/// The default with work-groups of a size that the seed says; seed 2 without the serial search.
inline gpu::MotionTuning tuning_of_seed(std::uint64_t seed, const GpuDevice& gpu) {
  constexpr int groups[] = {64, 128, 32};
  gpu::MotionTuning tuning = gpu::default_motion_tuning(gpu.device->properties());
  tuning.group = groups[seed % 3];
  if (seed == 2) tuning.serial = false;
  return tuning;
}

}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// Tracks of every GPU device, for tests: in several launch configurations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gpu_devices.hpp"
#include "gpu/track/track.hpp"
#include "stage/gpu_devices.hpp"

namespace vergence::test {

struct TrackBackend {
  std::string name;
  std::unique_ptr<backend::Track> track;
};

/// Odd seeds in the device's default configuration, even ones with several work-items to a point everywhere, every
/// third with small tiles.
inline std::vector<TrackBackend> track_backends(const TrackPlan& plan, std::uint64_t seed) {
  std::vector<TrackBackend> backends;
  std::string reasons;
  for (const GpuDevice& gpu : gpu_devices(reasons)) {
    gpu::TrackTuning tuning = gpu::default_track_tuning(gpu.device->properties());
    constexpr int lanes[] = {32, 64, 1, 128};
    if (seed % 2 == 0) tuning.lanes = lanes[seed / 2 % 4];
    if (seed % 3 == 0)
      tuning.pass = 1 + static_cast<int>(seed / 3 % 3), tuning.tile_width = 32, tuning.tile_height = 16,
      tuning.threads = 48;
    backends.push_back({gpu.name + ", " + std::to_string(tuning.lanes) + " lanes, pass " + std::to_string(tuning.pass),
                        gpu::make_track(plan, gpu.device, tuning)});
  }
  return backends;
}

/// Whether a seeded case goes through the public class too: where its kernels have been compiled anyway.
inline bool runs_flow(std::uint64_t seed) { return seed % 2 != 0 && seed % 3 != 0; }

/// First and last seed of each test: one seed, because compilers for processors take a second or two for each; and, on
/// machines with a GPU, as many as VERGENCE_GPU_CASES says.
inline std::vector<std::pair<int, int>> track_seeds() {
  std::vector<std::pair<int, int>> seeds{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
  if (const int last = cases_to_run(5, 1'000'000); last > 5) seeds.emplace_back(6, last);
  return seeds;
}

}  // namespace vergence::test

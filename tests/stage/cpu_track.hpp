// SPDX-License-Identifier: Apache-2.0
// Tracks of the device cpu, for tests: every SIMD target with one to three threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "backend/track.hpp"
#include "stage/cpu_devices.hpp"

namespace vergence::test {

struct TrackBackend {
  std::string name;
  std::unique_ptr<backend::Track> track;
};
inline std::vector<TrackBackend> track_backends(const TrackPlan& plan, std::uint64_t seed) {
  std::vector<TrackBackend> backends;
  std::string reasons;
  for (const Device& device : devices_under_test(seed, reasons))
    backends.push_back({device.description(), backend::of(device).make_track(plan)});
  return backends;
}

/// Whether a seeded case goes through the public class too.
inline bool runs_flow(std::uint64_t /*seed*/) { return true; }

/// First and last seed of each test.
inline std::vector<std::pair<int, int>> track_seeds() { return {{1, 125}, {126, 250}}; }

}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// Seeded cases of tracks and filters through `reference` and every SIMD target of `cpu`, without libFuzzer. Where
// VERGENCE_GPU_CASES is set, as many of them run on every OpenCL and CUDA device that has both. Usage:
// track_differential [CASES [SEED [WIDTHxHEIGHT]]]; stops at the first difference, with exit status 1.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "differential.hpp"
#include "track_compare.hpp"

namespace vergence::fuzz {
namespace {

Differential make_track() {
  const char* const text = std::getenv("VERGENCE_GPU_CASES");
  const int gpu_cases = text == nullptr ? 0 : std::atoi(text);
  const auto compare = std::make_shared<const TrackCompare>();
  const auto compare_gpus =
      gpu_cases > 0 ? std::make_shared<const TrackCompare>(TrackCompare::on_gpus()) : std::shared_ptr<TrackCompare>();
  std::string targets = compare->targets();
  if (compare_gpus) targets += ", in the first " + std::to_string(gpu_cases) + " also " + compare_gpus->targets();
  return {targets, [=, left = gpu_cases](std::uint64_t seed, Size largest) mutable {
            const TrackCase track_case = make_track_case(seed, largest);
            const FilterCase filter_case = make_filter_case(seed, largest);
            const int padding = static_cast<int>(seed * 7 % 23);
            const auto differ = [&](const TrackCompare& on) {
              const std::string difference = on.difference(track_case, padding);
              return difference.empty() ? on.difference(filter_case, padding) : difference;
            };
            std::string difference = differ(*compare);
            if (difference.empty() && left-- > 0) difference = differ(*compare_gpus);
            return difference;
          }};
}

}  // namespace
}  // namespace vergence::fuzz

int main(int count, char** arguments) {
  return vergence::fuzz::differential_main(count, arguments, "track_differential", {40, 32},
                                           vergence::fuzz::make_track);
}

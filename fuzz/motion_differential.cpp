// SPDX-License-Identifier: Apache-2.0
// Seeded motion cases through `reference` and every SIMD target of `cpu`, without libFuzzer. Where VERGENCE_GPU_CASES
// is set, as many of them run on every OpenCL and CUDA device too. Usage: motion_differential [CASES [SEED
// [WIDTHxHEIGHT]]]; stops at the first differing byte, and at the first block whose vector is worse than none, with
// exit status 1.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "differential.hpp"
#include "motion_compare.hpp"

namespace vergence::fuzz {
namespace {

Differential make_motion() {
  const char* const text = std::getenv("VERGENCE_GPU_CASES");
  const int gpu_cases = text == nullptr ? 0 : std::atoi(text);
  const auto compare = std::make_shared<const MotionCompare>();
  const auto compare_gpus = gpu_cases > 0 ? std::make_shared<const MotionCompare>(MotionCompare::on_gpus())
                                          : std::shared_ptr<MotionCompare>();
  std::string targets = compare->targets();
  if (compare_gpus) targets += ", in the first " + std::to_string(gpu_cases) + " also " + compare_gpus->targets();
  return {targets, [=, left = gpu_cases](std::uint64_t seed, Size largest) mutable {
            const MotionCase motion_case = make_motion_case(seed, largest);
            const int padding = static_cast<int>(seed * 7 % 23);
            std::string difference = compare->difference(motion_case, padding);
            if (difference.empty() && left-- > 0) difference = compare_gpus->difference(motion_case, padding);
            return difference;
          }};
}

}  // namespace
}  // namespace vergence::fuzz

int main(int count, char** arguments) {
  return vergence::fuzz::differential_main(count, arguments, "motion_differential", {48, 40},
                                           vergence::fuzz::make_motion);
}

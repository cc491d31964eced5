// SPDX-License-Identifier: Apache-2.0
// Seeded stereo cases through `reference` and every SIMD target of `cpu`, without libFuzzer.
// Usage: stereo_differential [CASES [SEED [WIDTHxHEIGHT]]]; stops at the first differing byte with exit status 1.
#include <cstdint>
#include <memory>
#include <string>

#include "differential.hpp"
#include "stereo_compare.hpp"

namespace vergence::fuzz {
namespace {

Differential make_stereo() {
  const auto compare = std::make_shared<const StereoCompare>();
  return {compare->targets(), [compare](std::uint64_t seed, Size largest) {
            const StereoCase stereo_case = make_stereo_case(seed, largest);
            StereoRunOptions options = usual_run(stereo_case);
            options.padding = static_cast<int>(seed * 7 % 23);
            return compare->difference(stereo_case, options);
          }};
}

}  // namespace
}  // namespace vergence::fuzz

int main(int count, char** arguments) {
  return vergence::fuzz::differential_main(count, arguments, "stereo_differential", {48, 32},
                                           vergence::fuzz::make_stereo);
}

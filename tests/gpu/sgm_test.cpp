// SPDX-License-Identifier: Apache-2.0
// Semi-global matching on every GPU device gives the bytes of the reference.
#include <cstdlib>
#include <string>

#include "stage/gpu_match.hpp"
#include "stage/suite.hpp"
#define SUITE GpuSgm
#define SUITE_OF_SEEDS GpuSgmSeeds
#include "stage/sgm.hpp"

namespace vergence::test {
namespace {

/// scripts/run-tests has PoCL compile without optimisation, which users do not. No other test has so many candidates:
/// compiled texts are kept.
TEST(GpuSgmOptimised, EqualsTheReference) {
  constexpr const char* variable = "POCL_EXTRA_BUILD_FLAGS";
  const char* const set = std::getenv(variable);
  const std::string before = set != nullptr ? set : "";
  setenv(variable, "", 1);
  expect_equal(make_paths_case(30'003, {150, 6}, 131, 7));  // teams of several work-items with 16 candidates
  set != nullptr ? setenv(variable, before.c_str(), 1) : unsetenv(variable);
}

}  // namespace
}  // namespace vergence::test

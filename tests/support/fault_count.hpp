// SPDX-License-Identifier: Apache-2.0
// What scripts/test-faults sums up: how often a test let something fail.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace vergence::test {

/// Prints a line, unless the test has failed.
inline void print_faults(const char* kind, int injected, int reported) {
  if (!testing::Test::HasFailure()) fmt::print("faults: {}: injected {}, reported {}\n", kind, injected, reported);
}

}  // namespace vergence::test

// SPDX-License-Identifier: Apache-2.0
// What `stereo` says of a pair that is at fault.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace vergence::cli_test {

/// What stands on standard error: a line at most. With --strict that is an error. The pair is left.pgm and right.pgm.
inline std::string said_of_pair(const Scratch& scratch, bool strict, const std::vector<std::string>& more) {
  std::vector<std::string> words{"stereo", "left.pgm", "right.pgm", "--disparities", "32", "-o", "d.pfm"};
  if (strict) words.emplace_back("--strict");
  words.insert(words.end(), more.begin(), more.end());
  const Result result = scratch.run(words);
  EXPECT_EQ(result.status, strict ? 1 : 0) << result.err;
  EXPECT_LE(lines(result.err), 1u) << result.err;
  return result.err;
}

}  // namespace vergence::cli_test

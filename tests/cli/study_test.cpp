// SPDX-License-Identifier: Apache-2.0
// `vergence study`: says where the studies are.
#include <gtest/gtest.h>

#include <string>

#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

TEST(StudyCommand, SaysWhereTheStudiesAre) {
  const Scratch scratch;
  const Result result = scratch.run({"study", "sad-streaming", "--device", "cuda"});
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("vergence_study"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace vergence::cli_test

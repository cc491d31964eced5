// SPDX-License-Identifier: Apache-2.0
// The program `vergence_study`: what it refuses, and its help.
#include <gtest/gtest.h>

#include <string>

#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

TEST(StudyCommand, RefusesWhatCannotBe) {
  const Scratch scratch;
  const auto expect = [&](const std::vector<std::string>& words, int status, const std::string& part) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  };
  expect({}, 2, "nothing is named");
  expect({"sad-streeming"}, 2, "did you mean sad-streaming");
  expect({"sad-streaming", "--runs", "0"}, 2, "runs is '0'");
  expect({"sad-streaming", "--run", "1"}, 2, "--run");
  expect({"sad-streaming", "--kernels", "global,local"}, 2, "kernels is 'global,local'");
  expect({"sad-streaming", "--device", "cpu"}, 2, "opencl or cuda");
  expect({"sad-streaming", "a.png"}, 2, "1 inputs");
  expect({"sad-streaming", "a.png", "b.png"}, 1, "a.png");
  expect({"ssd-local-memory", "--groups", "32"}, 2, "groups is '32'");
  expect({"motion-cuda", "--rungs", "z,y"}, 2, "rungs is 'z,y'");
  expect({"motion-cuda", "--frames", "0"}, 2, "frames is '0'");
  expect({"motion-cuda", "none.mp4"}, 1, "none.mp4");
}

TEST(StudyCommand, HelpNamesStudiesAndTheirSettings) {
  const Scratch scratch;
  EXPECT_NE(scratch.run({"--help"}).out.find("sad-streaming"), std::string::npos);
  const std::string help = scratch.run({"sad-streaming", "--help"}).out;
  for (const char* option : {"--padding", "--window", "--disparities", "--groups", "--runs", "--device"})
    EXPECT_NE(help.find(option), std::string::npos) << option;
}

}  // namespace
}  // namespace vergence::cli_test

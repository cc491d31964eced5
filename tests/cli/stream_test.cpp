// SPDX-License-Identifier: Apache-2.0
// `stereo` on sequences: numbered names, ranges, unequal lengths, progress, Ctrl-C.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr int width = 40;
constexpr int height = 20;

std::string numbered(const char* stem, int number, const char* end) {
  const std::string digits = std::to_string(number);
  return std::string(stem) + std::string(4 - digits.size(), '0') + digits + end;
}

/// Frames whose disparity is 2, 3, 4, ...; the right stream may be shorter. A pixel of each right frame, which is no
/// partner, is its own, as no camera gives the same twice.
void make_sequence(const Scratch& scratch, int left_frames, int right_frames) {
  for (int i = 0; i < left_frames; ++i) scratch.write(numbered("left_", i, ".pgm"), left_pgm(width, height, 2 + i % 8));
  for (int i = 0; i < right_frames; ++i) {
    std::string right = right_pgm(width, height);
    right[right.size() - 3 * width - 1] = static_cast<char>(i);
    scratch.write(numbered("right_", i, ".pgm"), right);
  }
}

Words stereo(const Words& more) {
  Words arguments{"stereo", "left_%04d.pgm", "right_%04d.pgm", "--disparities", "16", "--subpixel", "off"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Stream, EveryFrameGetsItsOwnFile) {
  const Scratch scratch;
  make_sequence(scratch, 4, 4);
  const Result result = scratch.run(stereo({"-o", "map_%04d.pfm", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["frames"], 4);
  EXPECT_EQ(report["outputs"]["disparity"], "map_%04d.pfm");
  for (int i = 0; i < 4; ++i) {
    const Image<float> map = read_disparity(scratch.path(numbered("map_", i, ".pfm")));
    EXPECT_EQ(map(30, 10), static_cast<float>(2 + i)) << i;
  }
}

/// Where no times are asked for, the next frame is read while one is matched.
TEST(Stream, ReadingAheadChangesNothing) {
  const Scratch scratch;
  make_sequence(scratch, 9, 9);
  const Result timed = scratch.run(stereo({"-o", "timed_%04d.pfm", "--json"}));
  const Result ahead = scratch.run(stereo({"-o", "map_%04d.pfm"}));
  ASSERT_EQ(timed.status, 0) << timed.err;
  ASSERT_EQ(ahead.status, 0) << ahead.err;
  EXPECT_EQ(ahead.err, timed.err);
  EXPECT_NE(ahead.out.find(Json::parse(timed.out)["hash"].get<std::string>()), std::string::npos) << ahead.out;
  EXPECT_NE(ahead.out.find("9 frames (0 .. 8)"), std::string::npos) << ahead.out;
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(scratch.read(numbered("map_", i, ".pfm")), scratch.read(numbered("timed_", i, ".pfm"))) << i;
}

TEST(Stream, RangeKeepsTheNumbersOfTheFrames) {
  const Scratch scratch;
  make_sequence(scratch, 6, 6);
  const Result result = scratch.run(stereo({"-o", "map_%d.pfm", "--frames", "2:3"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(scratch.has("map_2.pfm"));
  EXPECT_TRUE(scratch.has("map_3.pfm"));
  EXPECT_FALSE(scratch.has("map_1.pfm"));
  EXPECT_FALSE(scratch.has("map_4.pfm"));
  EXPECT_EQ(read_disparity(scratch.path("map_3.pfm"))(30, 10), 5.0f);
}

TEST(Stream, ARangeBeyondTheEndEndsWithAWarning) {
  const Scratch scratch;
  make_sequence(scratch, 3, 3);
  const Result result = scratch.run(stereo({"--json", "--frames", ":4"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err.rfind("vergence: warning: ", 0), 0u) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["frames"], 3);
  EXPECT_EQ(report["warnings"].size(), 1u);
}

TEST(Stream, NamesWithoutNumberAreRefused) {
  const Scratch scratch;
  make_sequence(scratch, 2, 2);
  const std::vector<std::string> before = scratch.listing();
  for (const Words& more : {Words{"-o", "map.pfm"}, Words{"--color", "c.png"}, Words{"--truth", "truth.pfm"}}) {
    const Result result = scratch.run(stereo(more));
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_NE(result.err.find(more[1]), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("%04d"), std::string::npos) << result.err;
  }
  EXPECT_EQ(scratch.listing(), before);
}

TEST(Stream, MissingFrameIsAFailureThatKeepsWholeFilesOnly) {
  const Scratch scratch;
  make_sequence(scratch, 4, 4);
  scratch.write("left_0002.pgm", "P5\n40 20\n255\nshort");
  const Result result = scratch.run(stereo({"-o", "map_%04d.pfm"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("left_0002.pgm"), std::string::npos) << result.err;
  EXPECT_EQ(scratch.listing().size(), 8u + 2u);
  EXPECT_EQ(read_disparity(scratch.path("map_0001.pfm"))(30, 10), 3.0f);
}

TEST(Stream, ScoresAreMeansOverItsFrames) {
  const Scratch scratch;
  make_sequence(scratch, 2, 2);
  const Image<float> truth(width, height, 2.0f);  // right for the first frame, 1 px off for the second
  write_pfm(scratch.path("truth_0000.pfm"), truth.view());
  write_pfm(scratch.path("truth_0001.pfm"), truth.view());
  scratch.write("mask_0000.pgm", pgm(width, height, 255, [](int x, int) { return x < 10 ? 0 : 255; }));
  scratch.write("mask_0001.pgm", scratch.read("mask_0000.pgm"));
  const Result result = scratch.run(stereo({"--truth", "truth_%04d.pfm", "--mask", "mask_%04d.pgm", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const Json score = Json::parse(result.out)["scores"]["non_occluded"];
  EXPECT_EQ(score["pixels"], 2 * 30 * height);
  EXPECT_EQ(score["bad"]["0.5"], 50);
  EXPECT_EQ(score["average_error"], 0.5);
}

TEST(Stream, SynthVideoIsMatchedAndScored) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "s", "--size", "96x64", "--frame-count", "2"}).status, 0);
  const Result result = scratch.run({"stereo", "s/left_%04d.png", "s/right_%04d.png", "--truth", "s/disparity_%04d.pfm",
                                     "--mask", "s/mask_%04d.png", "--disparities", "16", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["scores"]["all"]["pixels"], 2 * 96 * 64);
}

TEST(Stream, ProgressIsShownOnATerminalAlone) {
  const Scratch scratch;
  make_sequence(scratch, 40, 40);
  const Result pipe = scratch.run(stereo({}));
  EXPECT_EQ(pipe.status, 0);
  EXPECT_EQ(pipe.err, "");
  RunOptions options;
  options.terminal = true;
  const Result terminal = scratch.run(stereo({}), options);
  EXPECT_EQ(terminal.status, 0);
  EXPECT_NE(terminal.err.find("frames "), std::string::npos) << terminal.err;
  EXPECT_NE(terminal.err.find("/40 ["), std::string::npos) << terminal.err;
  EXPECT_NE(terminal.err.find("/s"), std::string::npos) << terminal.err;
  EXPECT_NE(terminal.err.find(" left"), std::string::npos) << terminal.err;
  ASSERT_GE(terminal.err.size(), 4u);
  EXPECT_EQ(terminal.err.substr(terminal.err.size() - 4), "\r\x1b[K");  // the bar is gone at the end
}

/// Interrupts a long run after its third map exists.
Result interrupt(const Scratch& scratch, int number, bool terminal, const Words& more = {}) {
  make_sequence(scratch, 300, 300);
  RunOptions options;
  options.signal = number;
  options.signal_after = more.empty() ? "map_0002.pfm" : "map_0002.partial.pfm";
  options.terminal = terminal;
  Words arguments{"-o", "map_%04d.pfm", "--device", "reference", "--repeat", "20"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return scratch.run(stereo(arguments), options);
}

TEST(Stream, CtrlCEndsWith130AndLeavesNothingHalfWritten) {
  const Scratch scratch;
  const Result result = interrupt(scratch, SIGINT, false);
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("vergence: interrupted: the files of map_%04d.pfm are whole up to map_", 0), 0u)
      << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  int maps = 0;
  for (const std::string& line : scratch.listing()) {
    if (line.rfind("left_", 0) == 0 || line.rfind("right_", 0) == 0) continue;
    ++maps;
    const std::string name = line.substr(0, line.find(' '));
    EXPECT_EQ(name.rfind("map_", 0), 0u) << name;  // no temporary
    EXPECT_EQ(read_disparity(scratch.path(name)).size(), (Size{width, height}));
  }
  EXPECT_GE(maps, 3);
  EXPECT_LT(maps, 300);
}

/// Maps that wait for the end of a run without warnings go where it does not end.
TEST(Stream, CtrlCLeavesNothingThatStrictHeldBack) {
  const Scratch scratch;
  EXPECT_EQ(interrupt(scratch, SIGINT, false, {"--strict"}).status, 130);
  for (const std::string& line : scratch.listing())
    EXPECT_TRUE(line.rfind("left_", 0) == 0 || line.rfind("right_", 0) == 0) << line;
}

TEST(Stream, CtrlCCleansTheTerminal) {
  const Scratch scratch;
  const Result result = interrupt(scratch, SIGINT, true);
  EXPECT_EQ(result.status, 130);
  const std::size_t told = result.err.find("vergence: interrupted");
  ASSERT_NE(told, std::string::npos) << result.err;
  ASSERT_GE(told, 4u);
  EXPECT_EQ(result.err.substr(told - 4, 4), "\r\x1b[K");
}

TEST(Stream, TerminationEndsWith143) {
  const Scratch scratch;
  EXPECT_EQ(interrupt(scratch, SIGTERM, false).status, 143);
}

}  // namespace
}  // namespace vergence::cli_test

// SPDX-License-Identifier: Apache-2.0
// Messages that show how what was meant is written.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/bad_input.hpp"
#include "cli/motion_clip.hpp"
#include "cli/program.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class Cures : public testing::Test {
 protected:
  void SetUp() override { make_files(scratch); }
  void expect(const Words& words, int status, const Words& parts, const RunOptions& options = {}) const {
    const Result result = scratch.run(words, options);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    for (const std::string& part : parts) EXPECT_TRUE(holds(result.err, part)) << part << " in " << result.err;
  }
  const Scratch scratch;
};

TEST_F(Cures, SettingsWithoutTheirObject) {
  const Words run{"stereo", "left.pgm", "right.pgm", "--settings", "s.json", "-o", "d.pfm"};
  scratch.write("s.json", R"({"comment": 1, "window": "7x3", "disparities": 16})");
  expect(run, 1, {R"(s.json has no object "settings": write {"settings": {"window": "7x3", ...}})"});
  scratch.write("s.json", R"({"preset": "fast"})");
  expect(run, 1, {R"(s.json has no object "settings": give --preset fast instead of "preset")"});
  scratch.write("s.json", R"({"preset": "fast", "disparities": 16})");
  expect(run, 1, {R"(write {"settings": {"disparities": 16, ...}}; give --preset fast instead of "preset")"});
  scratch.write("s.json", R"({"settings": {"preset": "fast"}})");
  expect(run, 1, {"give --preset fast"});
  scratch.write("s.json", R"({"window": {"width": 7}})");
  expect(run, 1, {"make one with `vergence stereo ... --save-settings FILE`"});
  scratch.write("s.json", R"({"Settings": {"window": 7}})");
  expect(run, 1, {R"(s.json has no object "settings": write "Settings" in small letters)"});
  scratch.write("s.json", "[1]");
  expect(run, 1, {"make one with `vergence stereo ... --save-settings FILE`"});
}

TEST_F(Cures, FilesThatAreNamedLikeOptions) {
  scratch.write("-l.pgm", scratch.read("left.pgm"));
  scratch.write("--left.pgm", scratch.read("left.pgm"));
  scratch.write("-clip.mp4", "x");
  expect({"stereo", "-l.pgm", "right.pgm", "-o", "d.pfm"}, 2, {"a file of that name is written ./-l.pgm"});
  expect({"stereo", "--left.pgm", "right.pgm", "-o", "d.pfm"}, 2, {"a file of that name is written ./--left.pgm"});
  expect({"motion", "-clip.mp4", "-o", "v.csv"}, 2, {"a file of that name is written ./-clip.mp4"});
  EXPECT_EQ(scratch.run({"stereo", "./-l.pgm", "right.pgm", "--disparities", "16", "-o", "d.pfm"}).status, 0);
  const Result other = scratch.run({"stereo", "-k.pgm", "right.pgm", "-o", "d.pfm"});
  EXPECT_FALSE(holds(other.err, "./")) << "no such file: " << other.err;
}

TEST_F(Cures, RawVideoOfWhichNothingIsSaid) {
  std::string bytes(3 * 48 * 32, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(100 + i % 48);
  scratch.write("clip.bin", bytes);
  RunOptions piped;
  piped.in_path = "clip.bin";
  for (const char* command : {"motion", "track"}) {
    expect({command, "-", "-o", "v.csv"}, 1, {"raw video needs --size WxH and --format NAME"}, piped);
    expect({command, "clip.bin", "-o", "v.csv"}, 1, {"raw video needs --size WxH and --format NAME"});
  }
}

TEST_F(Cures, VectorsGivenAsTracks) {
  make_clip(scratch, 3);
  for (const char* name : {"v.csv", "v.json", "v.npy"}) {
    ASSERT_EQ(scratch.run({"motion", "clip.y4m", "--range", "2", "-o", name}).status, 0);
    const std::string said = "tracks " + std::string(name) + " holds motion vectors of blocks: give a file that";
    expect({"track", "clip.y4m", "--resume", name, "-o", "t.csv"}, 1, {said});
    expect({"eval-tracks", name, "f_%d.flo"}, 1, {said});
  }
}

#ifndef __SANITIZE_ADDRESS__
TEST_F(Cures, TooFewAddressesForFfmpeg) {
  for (const long megabytes : {60, 100, 150, 200, 250, 300}) {
    RunOptions options;
    options.memory_limit = megabytes << 20;
    const Result result = scratch.run({"stereo", "good.png", "good.png", "--disparities", "4", "-o", "d.pfm"}, options);
    if (result.status == 127 || result.status == 0) continue;  // not even the program's own libraries fit, or all do
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_FALSE(holds(result.err, "install FFmpeg")) << result.err;
  }
}
#endif

}  // namespace
}  // namespace vergence::cli_test

// SPDX-License-Identifier: Apache-2.0
// `synth`: all its files, and that matching them finds what they say.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

TEST(Synth, PairHasTruthMaskAndCalibration) {
  const Scratch scratch;
  const Result made = scratch.run({"synth", "scene", "--size", "160x120", "--seed", "3", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  for (const char* name : {"left.png", "right.png", "disparity.pfm", "disparity_right.pfm", "mask.png",
                           "mask_right.png", "region.png", "calib.txt"})
    EXPECT_TRUE(scratch.has(std::string("scene/") + name)) << name;
  EXPECT_FALSE(scratch.has("scene/flow.flo"));
  const Calibration calibration = read_calibration(scratch.path("scene/calib.txt"));
  const Json report = Json::parse(made.out);
  EXPECT_NEAR(calibration.focal_px, report["focal_px"].get<double>(), 1e-4);
  EXPECT_NEAR(calibration.baseline_m, report["baseline_m"].get<double>(), 1e-6);
  EXPECT_EQ(calibration.size, (Size{160, 120}));
  EXPECT_GT(calibration.disparities, report["max_disparity"].get<double>());
}

TEST(Synth, MatchingThePairFindsItsDisparities) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "320x240"}).status, 0);
  const Result result =
      scratch.run({"stereo", "scene/left.png", "scene/right.png", "--truth", "scene/disparity.pfm", "--mask",
                   "scene/mask.png", "--preset", "quality", "--disparities", "48", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json scores = Json::parse(result.out)["scores"];
  EXPECT_LT(scores["non_occluded"]["bad"]["2"].get<double>(), 20);
  EXPECT_GT(scores["all"]["density"].get<double>(), 99);
}

TEST(Synth, VideoHasFlowBetweenItsFrames) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "64x48", "--frame-count", "3", "--rgb", "--noise", "2"}).status,
            0);
  for (const char* name : {"left_0000.png", "right_0002.png", "disparity_0001.pfm", "mask_0002.png", "flow_0000.flo",
                           "flow_0001.flo", "flow_mask_0001.png", "calib.txt"})
    EXPECT_TRUE(scratch.has(std::string("scene/") + name)) << name;
  EXPECT_FALSE(scratch.has("scene/flow_0002.flo"));
  const Image<Rgb> colours = read_rgb(scratch.path("scene/left_0000.png"));
  bool coloured = false;
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) coloured = coloured || colours(x, y).r != colours(x, y).b;
  EXPECT_TRUE(coloured);
}

/// The words of the line "try", as a shell would split them; quotes are single.
std::vector<std::string> tried(const std::string& report) {
  std::vector<std::string> words;
  std::string word;
  bool within = false;
  for (const char letter : report.substr(report.find("try     vergence ") + 17)) {
    if (letter == '\'') {
      within = !within;
    } else if (!within && (letter == ' ' || letter == '\n')) {
      words.push_back(word);
      word.clear();
    } else {
      word += letter;
    }
  }
  return words;
}

TEST(Synth, TheCommandToTryWorks) {
  const std::pair<const char*, const char*> scenes[] = {{"160x120", ""},   {"16x16", ""}, {"8x8", ""},
                                                        {"3x3", ""},       {"2x1", ""},   {"1x1", ""},
                                                        {"40x20", "1:40"}, {"70x5", ""},  {"64x48", "20:60"}};
  for (const auto& [size, range] : scenes) {
    SCOPED_TRACE(size);
    const Scratch scratch;
    std::vector<std::string> command{"synth", "my scene", "--size", size};
    if (*range != '\0') command.insert(command.end(), {"--disparity-range", range});
    const Result made = scratch.run(command);
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(scratch.run(tried(made.out)).status, 0) << made.out;
  }
}

TEST(Synth, FramesOfAnotherRunAreTold) {
  const Scratch scratch;
  const auto make = [&](const char* frames, const char* first) {
    return scratch.run({"synth", "s", "--size", "64x48", "--frame-count", frames, "--first", first, "--json"});
  };
  EXPECT_EQ(make("5", "0").err, "");
  EXPECT_EQ(make("5", "0").err, "") << "all are written again";
  const Result two = make("2", "0");
  EXPECT_EQ(two.status, 0);
  EXPECT_NE(two.err.find("numbers from 2 to 4"), std::string::npos) << two.err;
  EXPECT_NE(two.err.find("--frames 0:1"), std::string::npos) << two.err;
  EXPECT_EQ(Json::parse(two.out)["warnings"].size(), 1u);
  const Result words = scratch.run({"synth", "s", "--size", "64x48", "--frame-count", "2"});
  const Result match = scratch.run(tried(words.out));
  EXPECT_NE(match.out.find("2 frames (0 .. 1)"), std::string::npos) << match.out << match.err;
}

TEST(Synth, SizesThatNobodyCanReadAreRefusedAtOnce) {
  const Scratch scratch;
  for (const char* size : {"65535x65535", "16384x16384", "65535x5000"}) {
    const Result result = scratch.run({"synth", "s", "--size", size});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("--size is '"), std::string::npos) << result.err;
    EXPECT_FALSE(scratch.has("s"));
  }
}

TEST(Synth, DependsOnTheSeedAlone) {
  const Scratch scratch;
  const std::vector<std::string> size{"--size", "64x48"};
  const auto make = [&](const std::string& name, const std::string& seed, const std::string& threads) {
    EXPECT_EQ(scratch.run({"synth", name, "--size", "64x48", "--seed", seed, "--threads", threads}).status, 0);
    return scratch.read(name + "/left.png");
  };
  const std::string first = make("a", "5", "1");
  EXPECT_EQ(make("b", "5", "2"), first);
  EXPECT_NE(make("c", "6", "1"), first);
}

}  // namespace
}  // namespace vergence::cli_test

// SPDX-License-Identifier: Apache-2.0
// `stereo --disparities auto`: the range that the first frame shows.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class AutoRange : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(scratch.run({"synth", "s", "--size", "160x120"}).status, 0); }

  Json report(const Words& more, const std::string& warned = "") const {
    Words words{"stereo", "s/left.png", "s/right.png", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find(warned), std::string::npos) << result.err;
    EXPECT_EQ(result.err.empty(), warned.empty()) << result.err;
    return result.status == 0 ? Json::parse(result.out) : Json();
  }

  Scratch scratch;
};

TEST_F(AutoRange, HoldsTheScenesDisparities) {
  const Json found = report({"--disparities", "auto"});  // 1.8 .. 13.5 px
  EXPECT_EQ(found["disparities_from"], "auto");
  EXPECT_EQ(found["settings"]["min-disparity"], 0);
  EXPECT_GE(found["settings"]["disparities"], 15);
  EXPECT_LE(found["settings"]["disparities"], 24);
  const Result text = scratch.run({"stereo", "s/left.png", "s/right.png", "--disparities", "auto"});
  EXPECT_NE(text.out.find(" (found in the first frame)"), std::string::npos) << text.out;
}

TEST_F(AutoRange, IsTheSameOnEveryDevice) {
  EXPECT_EQ(report({"--disparities", "auto", "--device", "reference"})["hash"],
            report({"--disparities", "auto", "--device", "cpu"})["hash"]);
}

TEST_F(AutoRange, BeginsWhereItIsTold) {
  const Json low = report({"--disparities", "auto", "--min-disparity", "-4"});
  const Json zero = report({"--disparities", "auto"});
  EXPECT_EQ(low["settings"]["min-disparity"], -4);
  EXPECT_EQ(low["settings"]["disparities"].get<int>(), zero["settings"]["disparities"].get<int>() + 4);
}

TEST_F(AutoRange, FindsNegativeDisparities) {
  Words words{"stereo", "s/right.png", "s/left.png", "--json", "--disparities", "auto", "--min-disparity", "auto"};
  const Json found = Json::parse(scratch.run(words).out);
  EXPECT_EQ(found["disparities_from"], "auto");
  EXPECT_LE(found["settings"]["min-disparity"], -14);
  EXPECT_GE(found["settings"]["min-disparity"], -24);
}

TEST_F(AutoRange, OfACalibrationIsTaken) {
  scratch.write("calib.txt",
                "cam0=[100 0 80; 0 100 60; 0 0 1]\ncam1=[100 0 80; 0 100 60; 0 0 1]\ndoffs=0\nbaseline=100\nwidth=160\n"
                "height=120\nndisp=20\n");
  const Json found = report({"--disparities", "auto", "--calibration", "calib.txt", "--depth", "z.pfm"});
  EXPECT_EQ(found["disparities_from"], "calibration");
  EXPECT_EQ(found["settings"]["disparities"], 20);
}

TEST_F(AutoRange, SaysWhereItCannotBeTold) {
  scratch.write("flat.pgm", pgm(160, 120, 255, [](int, int) { return 7; }));
  const Result flat = scratch.run({"stereo", "flat.pgm", "flat.pgm", "--disparities", "auto"});
  EXPECT_EQ(flat.status, 0);
  EXPECT_NE(flat.err.find("the range of disparities cannot be told from the first frame: 0 .. 63 are searched"),
            std::string::npos)
      << flat.err;
  // Where nobody asked, the preset's number stands, and the report says why.
  const Result usual = scratch.run({"stereo", "flat.pgm", "flat.pgm"});
  EXPECT_EQ(usual.err.find("range of disparities"), std::string::npos) << usual.err;
  EXPECT_NE(usual.out.find("0 .. 63 (the first frame does not tell)"), std::string::npos) << usual.out;
  const Result alone =
      scratch.run({"stereo", "s/left.png", "s/right.png", "--min-disparity", "auto", "--preset", "opencv-bm"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.err.find("give --disparities auto with it"), std::string::npos) << alone.err;
}

TEST_F(AutoRange, IsFoundWhereNobodyGaveANumber) {
  const Json asked = report({"--disparities", "auto"});
  for (const char* const preset : {"fast", "default", "quality", "quality-window"}) {
    const Json usual = report({"--preset", preset});
    EXPECT_EQ(usual["disparities_from"], "auto") << preset;
    EXPECT_EQ(usual["settings"]["disparities"], asked["settings"]["disparities"]) << preset;
  }
  EXPECT_EQ(report({})["hash"], asked["hash"]);
  EXPECT_EQ(report({"--min-disparity", "auto"})["disparities_from"], "auto");
  // Published set-ups, settings files and options keep theirs.
  const std::pair<const char*, int> published[] = {{"sad-2018", 64}, {"ssd-cross-check", 90}, {"opencv-bm", 64}};
  for (const auto& [preset, disparities] : published) {
    const Json own = report({"--preset", preset});
    EXPECT_EQ(own["disparities_from"], "preset") << preset;
    EXPECT_EQ(own["settings"]["disparities"], disparities) << preset;
  }
  scratch.write("s.json", R"({"settings": {"disparities": 40}})");
  EXPECT_EQ(report({"--settings", "s.json"})["settings"]["disparities"], 40);
  EXPECT_EQ(report({"--disparities", "30"})["disparities_from"], "options");
}

TEST_F(AutoRange, OfPhotographsHoldsTheirTruth) {
  const std::string folder = std::string(VERGENCE_TEST_DATA) + "/stereo/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
  for (const auto& [name, last] : {std::pair{"venus", 20}, {"tsukuba", 14}}) {
    const std::string left = folder + name + "/left.png", right = folder + name + "/right.png";
    const Result result = scratch.run({"stereo", left, right, "--disparities", "auto", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const int disparities = Json::parse(result.out)["settings"]["disparities"].get<int>();
    EXPECT_GT(disparities, last) << name;
    EXPECT_LE(disparities, last + 12) << name;
  }
}

/// A stream whose scene comes nearer at frame 20: it is looked at in frames 0, 25, 50, ...
class FollowedRange : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(scratch.run({"synth", "far", "--size", "112x84"}).status, 0);
    ASSERT_EQ(scratch.run({"synth", "near", "--size", "112x84", "--disparity-range", "3:32"}).status, 0);
    for (int i = 0; i < 28; ++i)
      for (const std::string side : {"left", "right"})
        std::filesystem::create_hard_link(scratch.path((i < 20 ? "far/" : "near/") + side + ".png"),
                                          scratch.path(side + "_" + std::to_string(i) + ".png"));
  }
  Json report(const Words& more) const {
    Words words{"stereo", "left_%d.png", "right_%d.png", "--json", "--preset", "fast"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0 ? Json::parse(result.out) : Json();
  }
  Scratch scratch;
};

TEST_F(FollowedRange, ChangesWithTheScene) {
  const Json found = report({"--disparities", "follow"});
  EXPECT_EQ(found["disparities_from"], "follow");
  ASSERT_EQ(found["ranges"].size(), 2u) << found["ranges"].dump();
  const Json first = found["ranges"][0], second = found["ranges"][1];
  EXPECT_EQ(first["frame"], 0);
  EXPECT_LE(first["disparities"].get<int>(), 24);
  EXPECT_EQ(second["frame"], 25);
  EXPECT_EQ(second["min_disparity"], 0);
  EXPECT_GE(second["disparities"].get<int>(), 32);
  EXPECT_LE(second["disparities"].get<int>(), 64);
  const Json still = report({"--disparities", "auto"});
  EXPECT_FALSE(still.contains("ranges"));
  EXPECT_NE(still["hash"], found["hash"]);
  const Result text =
      scratch.run({"stereo", "left_%d.png", "right_%d.png", "--preset", "fast", "--disparities", "follow"});
  EXPECT_NE(text.out.find(" (in the first frame; changed 1 time, from frame 25 on to 0 .. "), std::string::npos)
      << text.out;
}

TEST_F(FollowedRange, IsTheSameOnEveryDevice) {
  const Json cpu = report({"--disparities", "follow", "--device", "cpu"});
  for (const char* devices : {"reference", "cpu,reference"}) {
    const Json other = report({"--disparities", "follow", "--device", devices});
    EXPECT_EQ(other["hash"], cpu["hash"]) << devices;
    EXPECT_EQ(other["ranges"], cpu["ranges"]) << devices;
  }
}

/// What frames 25 and later give is what they give alone with their range.
TEST_F(FollowedRange, MatchesLaterFramesByTheirRange) {
  const Json found = report({"--disparities", "follow", "-o", "a_%d.npy"});
  const int count = found["ranges"][1]["disparities"].get<int>();
  report({"--disparities", std::to_string(count), "--frames", "25:27", "-o", "b_%d.npy"});
  for (const char* number : {"25", "27"})
    EXPECT_EQ(scratch.read(std::string("a_") + number + ".npy"), scratch.read(std::string("b_") + number + ".npy"));
}

TEST_F(FollowedRange, MayBeginBelowZero) {
  const Json found = report({"--disparities", "follow", "--min-disparity", "auto"});
  EXPECT_EQ(found["ranges"].size(), 2u);
  const Result refused =
      scratch.run({"stereo", "left_%d.png", "right_%d.png", "--min-disparity", "auto", "--disparities", "9"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("give --disparities auto with it, or follow"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace vergence::cli_test

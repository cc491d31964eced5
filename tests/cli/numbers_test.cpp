// SPDX-License-Identifier: Apache-2.0
// The numbers of sequences are those in the names of their files: in outputs, ranges, truth, and reports.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/bad_input.hpp"
#include "cli/motion_clip.hpp"
#include "cli/printed_json.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

Json json_of(const Result& result) {
  EXPECT_EQ(result.status, 0) << result.err;
  return result.status == 0 ? Json::parse(result.out) : Json();
}

/// Pairs 5, 6 and 7, whose disparity and truth is the number less 2.
void make_pairs(const Scratch& scratch) {
  for (int i = 5; i <= 7; ++i) {
    scratch.write(fmt::format("l_{:03}.pgm", i), left_pgm(40, 20, i - 2));
    scratch.write(fmt::format("r_{}.pgm", i), right_pgm(40, 20));
    scratch.write(fmt::format("t_{}.pfm", i), flat_pfm(40, 20, static_cast<float>(i - 2)));
    scratch.write(fmt::format("m_{}.pgm", i), pgm(40, 20, 255, [i](int x, int) { return x >= 2 * i ? 255 : 0; }));
  }
}

Words stereo(const Words& more) {
  Words words{"stereo", "l_%03d.pgm", "r_%d.pgm", "--disparities", "16", "--subpixel", "off"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Numbers, StereoKeepsThoseOfItsInputs) {
  const Scratch scratch;
  make_pairs(scratch);
  const Json report =
      json_of(scratch.run(stereo({"-o", "map_%04d.pfm", "--truth", "t_%d.pfm", "--mask", "m_%d.pgm", "--json"})));
  EXPECT_EQ(report["frames"], 3);
  EXPECT_EQ(report["first_frame"], 5);
  // Another number's mask would have another sum.
  EXPECT_EQ(report["scores"]["non_occluded"]["pixels"], 20 * (30 + 28 + 26));
  for (int i = 5; i <= 7; ++i)
    EXPECT_EQ(read_disparity(scratch.path(fmt::format("map_{:04}.pfm", i)))(30, 10), static_cast<float>(i - 2));
  EXPECT_FALSE(scratch.has("map_0000.pfm"));
  // What was written is scored against the truth of its own number, without a word about it.
  const Json scores = json_of(scratch.run({"eval", "map_%04d.pfm", "t_%d.pfm", "--json"}));
  EXPECT_EQ(scores["per_frame"][0]["frame"], 5);
  EXPECT_EQ(scores["scores"]["all"], report["scores"]["all"]);
}

TEST(Numbers, StereoTakesARangeOfThem) {
  const Scratch scratch;
  make_pairs(scratch);
  const Result text = scratch.run(stereo({"-o", "map_%d.pfm", "--frames", "6:", "--truth", "t_%d.pfm"}));
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("2 frames (6 .. 7)"), std::string::npos) << text.out;
  EXPECT_FALSE(scratch.has("map_5.pfm"));
  EXPECT_EQ(read_disparity(scratch.path("map_6.pfm"))(30, 10), 4.0f);
  EXPECT_TRUE(scratch.has("map_7.pfm"));
}

TEST(Numbers, FirstShiftsTheOutputsAlone) {
  const Scratch scratch;
  make_pairs(scratch);
  ASSERT_EQ(scratch.run(stereo({"-o", "map_%d.pfm", "--frames", "6:", "--first", "0", "--truth", "t_%d.pfm"})).status,
            0);
  EXPECT_EQ(read_disparity(scratch.path("map_0.pfm"))(30, 10), 4.0f);
  EXPECT_EQ(read_disparity(scratch.path("map_1.pfm"))(30, 10), 5.0f);
  EXPECT_FALSE(scratch.has("map_2.pfm"));
  EXPECT_EQ(scratch.run(stereo({"--gray", "r_%d.pgm", "--first", "20"})).status, 0);
}

TEST(Numbers, SeveralDevicesKeepThem) {
  const Scratch scratch;
  make_pairs(scratch);
  const Result result = scratch.run(stereo({"-o", "map_%d.pfm", "--truth", "t_%d.pfm", "--device", "cpu,reference"}));
  ASSERT_EQ(result.status, 0) << result.err;
  for (int i = 5; i <= 7; ++i)
    EXPECT_EQ(read_disparity(scratch.path(fmt::format("map_{}.pfm", i)))(30, 10), static_cast<float>(i - 2));
}

/// The clip's pictures 0 .. 3 under the numbers 11 .. 14.
void make_numbered_clip(const Scratch& scratch) {
  make_clip(scratch, 4);
  for (int i = 0; i < 4; ++i)
    std::filesystem::rename(scratch.path(fmt::format("f_000{}.pgm", i)), scratch.path(fmt::format("f_{}.pgm", i + 11)));
}

TEST(Numbers, AFieldHasThatOfItsFrame) {
  const Scratch scratch;
  make_numbered_clip(scratch);
  const Json report = json_of(scratch.run(motion("f_%d.pgm", {"-o", "v_%03d.flo", "--json"})));
  EXPECT_EQ(report["first_frame"], 11);
  EXPECT_EQ(report["per_field"][0]["frame"], 12);
  EXPECT_FALSE(scratch.has("v_011.flo"));
  for (const char* name : {"v_012.flo", "v_013.flo", "v_014.flo"}) EXPECT_TRUE(scratch.has(name)) << name;
  ASSERT_EQ(scratch.run(motion("f_%d.pgm", {"-o", "v.csv", "--frames", "12:13"})).status, 0);
  EXPECT_NE(scratch.read("v.csv").find("\n13,0,0,"), std::string::npos);
  EXPECT_EQ(scratch.read("v.csv").find("\n12,"), std::string::npos);
  ASSERT_EQ(scratch.run(motion("f_%d.pgm", {"-o", "w.csv", "--first", "100"})).status, 0);
  EXPECT_NE(scratch.read("w.csv").find("\n100,0,0,"), std::string::npos);
  EXPECT_NE(scratch.read("w.csv").find("\n102,0,0,"), std::string::npos);
  // A video counts from 0.
  ASSERT_EQ(scratch.run(motion("clip.y4m", {"-o", "u_%d.flo"})).status, 0);
  EXPECT_TRUE(scratch.has("u_1.flo"));
  EXPECT_TRUE(scratch.has("u_3.flo"));
}

TEST(Numbers, TracksHaveThoseOfTheirFrames) {
  const Scratch scratch;
  make_track_clip(scratch, 5);
  for (int i = 4; i >= 0; --i)
    std::filesystem::rename(scratch.path(fmt::format("f_000{}.pgm", i)), scratch.path(fmt::format("f_{}.pgm", i + 7)));
  const Json whole = json_of(scratch.run(track("f_%d.pgm", {"-o", "t.csv", "--json"})));
  EXPECT_EQ(whole["first_frame"], 7);
  EXPECT_NE(scratch.read("t.csv").find("age\n7,0,"), std::string::npos);
  EXPECT_EQ(scratch.read("t.csv").find("\n6,"), std::string::npos);
  EXPECT_NE(scratch.read("t.csv").find("\n11,"), std::string::npos);
  // Going on finds the frame of that number.
  ASSERT_EQ(scratch.run(track("f_%d.pgm", {"-o", "a.csv", "--frames", ":9"})).status, 0);
  const Json second = json_of(scratch.run(track("f_%d.pgm", {"--resume", "a.csv", "-o", "b.csv", "--json"})));
  EXPECT_EQ(scratch.read("b.csv"), scratch.read("t.csv"));
  EXPECT_EQ(second["hash"], whole["hash"]);
  EXPECT_EQ(second["first_frame"], 10);
  EXPECT_EQ(second["resumed"]["frame"], 9);
  // The flow of a number leads from the frame of that number.
  for (int i = 7; i <= 10; ++i)
    write_flo(scratch.path(fmt::format("flow_{}.flo", i)), Image<FlowVector>(track_size, FlowVector{2, -1}).view());
  const Json scores = json_of(scratch.run({"eval-tracks", "t.csv", "flow_%d.flo", "--json"}));
  EXPECT_EQ(scores["pairs"], 4);
  const Json one = json_of(scratch.run({"eval-tracks", "t.csv", "flow_9.flo", "--json"}));
  const Json named = json_of(scratch.run({"eval-tracks", "t.csv", "flow_7.flo", "--frame", "9", "--json"}));
  EXPECT_EQ(one["scores"], named["scores"]);
  const Json part = json_of(scratch.run({"eval-tracks", "t.csv", "flow_%d.flo", "--frames", "8:10", "--json"}));
  EXPECT_EQ(part["pairs"], 2);
  ASSERT_EQ(scratch.run(track("f_%d.pgm", {"-o", "s.csv", "--first", "0"})).status, 0);
  EXPECT_NE(scratch.read("s.csv").find("age\n0,0,"), std::string::npos);
  EXPECT_EQ(scratch.read("s.csv").find("\n5,"), std::string::npos);
}

TEST(Numbers, SynthGivesThem) {
  const Scratch scratch;
  ASSERT_EQ(
      scratch.run({"synth", "s", "--size", "48x32", "--frame-count", "2", "--samples", "1", "--first", "9"}).status, 0);
  for (const char* name : {"s/left_0009.png", "s/right_0010.png", "s/disparity_0010.pfm", "s/flow_0009.flo"})
    EXPECT_TRUE(scratch.has(name)) << name;
  EXPECT_FALSE(scratch.has("s/left_0000.png"));
}

class BadNumbers : public testing::TestWithParam<BadCase> {};

TEST_P(BadNumbers, IsRefused) {
  const Scratch scratch;
  make_pairs(scratch);
  scratch.write("r_4.pgm", right_pgm(40, 20));
  for (const int i : {1, 2, 4}) scratch.write(fmt::format("g_{}.pgm", i), right_pgm(40, 20));
  for (const int i : {1, 2, 4}) scratch.write(fmt::format("p_{}.pfm", i), flat_pfm(40, 20, 1));
  for (int i = 6; i <= 8; ++i) scratch.write(fmt::format("q_{}.pgm", i), right_pgm(40, 20));
  expect_refused(scratch, GetParam());
}

const std::vector<BadCase> number_cases{
    {"lower_right", stereo({}), 1, {"l_004.pgm"}},
    {"other_numbers", {"stereo", "l_%03d.pgm", "q_%d.pgm"}, 1, {"q_5.pgm"}},
    {"right_is_longer", {"stereo", "l_%03d.pgm", "q_%d.pgm", "--frames", "6:"}, 1, {"q_8.pgm", "no partner", "left"}},
    {"frames_outside", stereo({"--frames", "0:2"}), 1, {"l_000.pgm", "5 .. 7"}},
    {"frames_beyond", stereo({"--frames", "9:"}), 2, {"frame 9 is not among its files", "5 .. 7"}},
    {"frames_before", stereo({"--frames", ":3"}), 2, {"frame 3 is not among its files", "5 .. 7"}},
    {"gap", {"track", "g_%d.pgm"}, 1, {"g_3.pgm", "lacks this file", "1 .. 4"}},
    {"gap_motion", {"motion", "g_%d.pgm"}, 1, {"g_3.pgm", "lacks this file"}},
    {"gap_diff", {"diff", "p_%d.pfm", "p_%d.pfm"}, 1, {"p_3.pfm", "does not exist", "number 4"}},
    {"gap_eval", {"eval", "p_%d.pfm", "p_%d.pfm"}, 1, {"p_3.pfm", "does not exist", "number 4"}},
    {"truth", stereo({"--frames", "5:", "--truth", "p_%d.pfm"}), 1, {"p_5.pfm", "frame 5"}},
    {"first_text", stereo({"--frames", "5:", "-o", "o_%d.pfm", "--first", "x"}), 2, {"--first is 'x'"}},
    {"first_without_number", stereo({"--frames", "5:", "--first", "1"}), 2, {"--first needs an output"}},
    {"first_motion", {"motion", "q_%d.pgm", "--first", "1"}, 2, {"--first needs --output"}},
    {"first_npy", {"motion", "q_%d.pgm", "-o", "v.npy", "--first", "1"}, 2, {"--first", "v.npy"}},
    {"first_track", {"track", "q_%d.pgm", "--first", "1"}, 2, {"--first needs --output"}},
    {"first_resume",
     {"track", "q_%d.pgm", "--first", "1", "--resume", "t.csv", "-o", "u.csv"},
     2,
     {"--resume", "--first"}},
    {"first_synth", {"synth", "s", "--first", "1"}, 2, {"--first", "--frame-count"}},
    {"onto_an_unread_input",
     stereo({"--frames", "7:", "--gray", "l_%03d.pgm", "--first", "5"}),
     2,
     {"--gray", "l_005.pgm", "a frame of the input 'l_%03d.pgm'", "another name"}},
    {"onto_an_unread_right_by_another_name",
     stereo({"--frames", "6:", "--gray", "./r_%01d.pgm", "--first", "4"}),
     2,
     {"r_4.pgm", "a frame of the input 'r_%d.pgm'"}},
    {"onto_an_unread_truth",
     stereo({"--frames", "6:", "--truth", "t_%d.pfm", "-o", "t_%d.pfm", "--first", "4"}),
     2,
     {"--output", "t_5.pfm", "a frame of the input 't_%d.pfm'"}},
    {"onto_an_unread_mask",
     stereo({"--frames", "6:", "--truth", "t_%d.pfm", "--mask", "m_%d.pgm", "--validity", "m_%d.pgm", "--first", "4"}),
     2,
     {"--validity", "m_5.pgm", "a frame of the input 'm_%d.pgm'"}},
    {"onto_an_input", stereo({"--frames", "6:", "--gray", "r_%d.pgm", "--first", "5"}), 2, {"--gray", "input"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadNumbers, testing::ValuesIn(number_cases), case_name);

}  // namespace
}  // namespace vergence::cli_test

// SPDX-License-Identifier: Apache-2.0
// `diff` and `eval` on numbered files, whose answers are known beforehand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "vergence/image.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

/// A map of which every pixel is `value`, but `wrong` ones that are 10 more.
void write_map(const Scratch& scratch, const std::string& name, Size size, float value, int wrong) {
  Image<float> map(size, value);
  for (int i = 0; i < wrong; ++i) map(i, 0) += 10;
  write_pfm(scratch.path(name), map.view());
}

/// Maps 8, 9 and 10, of two sizes: no pixel wrong, all invalid, 2 of 40 pixels wrong.
void write_maps(const Scratch& scratch) {
  constexpr float none = std::numeric_limits<float>::infinity();
  for (const int number : {8, 9, 10}) {
    const Size size{10, number == 10 ? 4 : 10};
    write_map(scratch, fmt::format("t_{:03}.pfm", number), size, 20, 0);
    write_map(scratch, fmt::format("m_{}.pfm", number), size, number == 9 ? none : 20.0f, number == 10 ? 2 : 0);
  }
}

TEST(NumberedFiles, ThoseWrittenInAnotherWayAreToldOf) {
  const Scratch scratch;
  write_maps(scratch);
  write_map(scratch, "m_011.pfm", {10, 10}, 20, 0);
  for (const char* command : {"diff", "eval"})
    EXPECT_NE(scratch.run({command, "m_%d.pfm", "t_%03d.pfm"})
                  .err.find("1 file is left out of m_%d.pfm, such as m_011.pfm: write all numbers in one way"),
              std::string::npos)
        << command;
}

TEST(NumberedFiles, DiffComparesNumberByNumber) {
  const Scratch scratch;
  write_maps(scratch);
  const Result text = scratch.run({"diff", "m_%d.pfm", "t_%03d.pfm"});
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out,
            "frame 9: 100 of 100 pixels differ (100.000 %), first x 0 y 0: inf and 20, largest difference inf\n"
            "frame 10: 2 of 40 pixels differ (5.000 %), first x 0 y 0: 30 and 20, largest difference 10\n"
            "2 of 3 frames differ, 102 of 240 pixels differ (42.500 %), largest difference inf\n");
  const Json report = Json::parse(scratch.run({"diff", "m_%d.pfm", "t_%03d.pfm", "--json"}).out);
  EXPECT_EQ(report["equal"], false);
  EXPECT_EQ(report["frames"], 3);
  EXPECT_EQ(report["differing_frames"], 2);
  EXPECT_EQ(report["pixels"], 240);
  EXPECT_EQ(report["differing"], 102);
  EXPECT_EQ(report["largest"], "inf");
  ASSERT_EQ(report["per_frame"].size(), 3u);
  EXPECT_EQ(report["per_frame"][0], (Json{{"frame", 8}, {"pixels", 100}, {"differing", 0}, {"largest", 0}}));
  EXPECT_EQ(report["per_frame"][2]["frame"], 10);
  EXPECT_EQ(report["per_frame"][2]["first"]["a"], 30);
}

TEST(NumberedFiles, DiffOfEqualOnes) {
  const Scratch scratch;
  write_maps(scratch);
  const Result all = scratch.run({"diff", "t_%03d.pfm", "t_%03d.pfm"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(all.out, "equal: all 240 pixels of 3 frames\n");
  const Result one = scratch.run({"diff", "m_%d.pfm", "t_%03d.pfm", "--frames", "8"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(one.out, "equal: all 100 pixels of 1 frame\n");
  const Result beyond = scratch.run({"diff", "t_%03d.pfm", "t_%03d.pfm", "--frames", "9:20"});
  EXPECT_EQ(beyond.status, 0);
  EXPECT_NE(beyond.err.find("warning: frames 9:20 were asked for, but the last files have number 10"),
            std::string::npos)
      << beyond.err;
}

TEST(NumberedFiles, EvalGivesEachAndTheMeans) {
  const Scratch scratch;
  write_maps(scratch);
  const Result json = scratch.run({"eval", "m_%d.pfm", "t_%03d.pfm", "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  const Json report = Json::parse(json.out);
  EXPECT_EQ(report["frames"], 3);
  ASSERT_EQ(report["per_frame"].size(), 3u);
  EXPECT_EQ(report["per_frame"][1]["frame"], 9);
  EXPECT_EQ(report["per_frame"][1]["scores"]["all"]["invalid"], 100);
  EXPECT_TRUE(report["per_frame"][1]["scores"]["all"]["average_error"].is_null());
  EXPECT_EQ(report["per_frame"][2]["size"], (Json{{"width", 10}, {"height", 4}}));
  EXPECT_EQ(report["per_frame"][2]["scores"]["all"]["bad"]["4"], 5);
  // Shares over three frames, errors over the two with a valid pixel: 0 and 2 x 10 / 40.
  const Json& mean = report["scores"]["all"];
  EXPECT_EQ(mean["pixels"], 240);
  EXPECT_EQ(mean["valid_pixels"], 140);
  EXPECT_EQ(mean["bad"]["4"], 1.6667);
  EXPECT_EQ(mean["invalid"], 33.3333);
  EXPECT_EQ(mean["average_error"], 0.25);
  EXPECT_EQ(mean["rms"], std::round(1e4 * std::sqrt(200.0 / 40) / 2) / 1e4);
  const std::string text = scratch.run({"eval", "m_%d.pfm", "t_%03d.pfm"}).out;
  EXPECT_NE(text.find("means over 3 frames"), std::string::npos) << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(text.find("100.00 %  -"), std::string::npos) << text;
}

TEST(NumberedFiles, EvalTakesNumberedMasks) {
  const Scratch scratch;
  write_maps(scratch);
  for (const int number : {8, 10})
    scratch.write(fmt::format("mask_{}.pgm", number),
                  pgm(10, number == 10 ? 4 : 10, 255, [](int x, int) { return x == 0 ? 0 : 255; }));
  const Result one =
      scratch.run({"eval", "m_%d.pfm", "t_%03d.pfm", "--mask", "mask_%d.pgm", "--frames", "10", "--json"});
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(Json::parse(one.out)["scores"]["non_occluded"]["pixels"], 36);
  const Result missing = scratch.run({"eval", "m_%d.pfm", "t_%03d.pfm", "--mask", "mask_%d.pgm", "--json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.err.find("mask_9.pgm"), std::string::npos) << missing.err;
}

class BadNumberedFiles : public testing::TestWithParam<BadCase> {};

TEST_P(BadNumberedFiles, IsRefused) {
  const Scratch scratch;
  write_maps(scratch);
  write_map(scratch, "m_11.pfm", {10, 10}, 20, 0);
  expect_refused(scratch, GetParam());
}

const std::vector<BadCase> cases{
    {"one_of_two", {"diff", "m_%d.pfm", "t_008.pfm"}, 2, {"A 'm_%d.pfm'", "B 't_008.pfm' is one file", "both"}},
    {"truth_is_many", {"eval", "m_8.pfm", "t_%03d.pfm"}, 2, {"TRUTH 't_%03d.pfm'", "DISPARITY 'm_8.pfm' is one file"}},
    {"no_file", {"diff", "m_%d.pfm", "x_%03d.pfm"}, 1, {"B is 'x_%03d.pfm'", "no file such as x_000.pfm"}},
    {"no_partner",
     {"diff", "m_%d.pfm", "t_%03d.pfm"},
     1,
     {"'t_011.pfm' does not exist", "'m_11.pfm' does", "--frames"}},
    {"no_map", {"eval", "t_%03d.pfm", "m_%d.pfm"}, 1, {"'t_011.pfm' does not exist", "'m_11.pfm' does"}},
    {"frames_beyond", {"diff", "m_%d.pfm", "t_%03d.pfm", "--frames", "20:"}, 1, {"--frames", "8 .. 11"}},
    {"frames_order", {"diff", "m_%d.pfm", "t_%03d.pfm", "--frames", "9:8"}, 2, {"9:8"}},
    {"frames_of_one", {"diff", "m_8.pfm", "t_008.pfm", "--frames", "8"}, 2, {"--frames is for numbered files"}},
    {"in_a_directory", {"diff", "d%d/m.pfm", "d%d/t.pfm"}, 2, {"A is 'd%d/m.pfm'", "not in a directory's"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadNumberedFiles, testing::ValuesIn(cases), case_name);

}  // namespace
}  // namespace vergence::cli_test

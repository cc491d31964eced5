// SPDX-License-Identifier: Apache-2.0
// `vergence eval-tracks`: scores worked out by hand, the three formats, numbered truth, real frames, and bad files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

/// Everything moves by (2, -1), as the clip does; the pixel (0, 0) is unknown.
void write_truth(const Scratch& scratch, const std::string& name, Size size = track_size) {
  Image<FlowVector> flow(size, FlowVector{2, -1});
  flow(0, 0) = {2e9F, 2e9F};
  write_flo(scratch.path(name), flow.view());
}

const char* const header = "frame,id,x,y,status,residual,age\n";
/// Frame 7 to 8: exact, off by 0.75, off by 3, lost, unknown, and one that is not told of again.
const char* const hand_worked =
    "7,0,10,20,tracked,0,0\n7,1,30,20,tracked,0,0\n7,2,40.5,30,tracked,0,0\n7,3,50,30,tracked,0,0\n"
    "7,4,0,0,tracked,0,0\n7,5,60,30,tracked,0,0\n"
    "8,0,12,19,tracked,1,1\n8,1,32,19.75,tracked,1,1\n8,2,45.5,29,tracked,1,1\n8,3,50,30,residual,9,0\n"
    "8,4,2,0,tracked,1,1\n8,9,70,30,tracked,0,0\n"
    "9,0,90,90,tracked,1,2\n";

Json json_of(const Result& result) {
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.status == 0 ? Json::parse(result.out) : Json();
}

TEST(EvalTracks, FlowOfTheOppositeSignOrOrderIsTold) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  const auto said = [&](FlowVector vector) {
    const Image<FlowVector> flow(track_size, vector);
    write_flo(scratch.path("flow.flo"), flow.view());
    const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  };
  EXPECT_EQ(said({2, -1}), "");
  EXPECT_NE(said({-2, 1}).find("truth flow.flo seems to have the opposite sign: points are off by 4.4"),
            std::string::npos);
  EXPECT_NE(said({-1, 2}).find("truth flow.flo seems to have x and y exchanged: points are off by 4.2"),
            std::string::npos);
  EXPECT_NE(said({64, -32}).find("truth flow.flo seems to be in 1/32 px"), std::string::npos);
  EXPECT_NE(said({0, 0}).find("truth flow.flo is 0 at all 21 points, which move by 2.24 px"), std::string::npos);
  EXPECT_NE(
      said({5, 5}).find("points are off the truth flow.flo by 6.71 px in the median, so that hardly one follows it"),
      std::string::npos);
}

TEST(EvalTracks, PositionsInPlaceOfFlowAreTold) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  Image<FlowVector> flow(track_size);
  for (int y = 0; y < flow.height(); ++y)
    for (int x = 0; x < flow.width(); ++x) flow(x, y) = {static_cast<float>(x + 2), static_cast<float>(y - 1)};
  write_flo(scratch.path("flow.flo"), flow.view());
  const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_NE(result.err.find("truth flow.flo seems to hold the positions that pixels move to"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("take each pixel's own x and y off its vector"), std::string::npos) << result.err;
}

TEST(EvalTracks, FlowOfAnotherLengthIsTold) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  const auto said = [&](float factor) {
    const Image<FlowVector> flow(track_size, FlowVector{2 * factor, -factor});
    write_flo(scratch.path("flow.flo"), flow.view());
    const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_LE(lines(result.err), 1u) << result.err;
    return result.err;
  };
  for (const float good : {1.0F, 0.9F, 1.1F}) EXPECT_EQ(said(good), "") << good;
  for (const auto& [factor, text] :
       {std::pair{2.0F, "2"}, {3.0F, "3"}, {4.0F, "4"}, {10.0F, "10"}, {0.5F, "0.5"}, {0.1F, "0.1"}})
    EXPECT_NE(said(factor).find(fmt::format("truth flow.flo is {} times as long as what the points move", text)),
              std::string::npos)
        << factor << said(factor);
}

/// The points lie in a part of the flow's picture and move another way, by no ratio.
TEST(EvalTracks, TracksOfACropAreTold) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  const Image<FlowVector> flow(Size{3 * track_size.width, 2 * track_size.height}, FlowVector{5, 5});
  write_flo(scratch.path("flow.flo"), flow.view());
  const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "1"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("and do not follow it: is it the flow of these frames?"), std::string::npos) << result.err;
}

/// Tables of text do not tell the frames' size: points that cannot be of the flow's frames do.
TEST(EvalTracks, FlowOfAnotherSizeIsToldAsSuch) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  const auto said = [&](Size size) {
    const Image<FlowVector> flow(size, FlowVector{-2, 1});
    write_flo(scratch.path("flow.flo"), flow.view());
    const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err.find("seems to have"), std::string::npos) << result.err;
    return result.err;
  };
  EXPECT_NE(said({584, 388}).find("truth flow.flo is 584x388, and the points of t.csv reach ("), std::string::npos);
  EXPECT_NE(said({70, 60}).find("lie outside flow.flo, which is 70x60"), std::string::npos);
}

TEST(EvalTracks, HandWorked) {
  const Scratch scratch;
  write_truth(scratch, "flow.flo");
  scratch.write("t.csv", std::string(header) + hand_worked);
  const Json report = json_of(scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "7", "--json"}));
  EXPECT_EQ(report["frames"], (Json{{"first", 7}, {"last", 9}}));
  EXPECT_EQ(report["pairs"], 1);
  const Json& scores = report["scores"];
  EXPECT_EQ(scores["points"], 5);
  EXPECT_EQ(scores["found"], 3);
  EXPECT_EQ(scores["unknown"], 1);
  EXPECT_EQ(scores["survival"], 60);
  EXPECT_EQ(scores["mean_error"], 1.25);
  EXPECT_EQ(scores["median_error"], 0.75);
  EXPECT_EQ(scores["bad"], (Json{{"0.5", 66.6667}, {"1", 33.3333}, {"2", 33.3333}}));
  EXPECT_EQ(report["lost"]["residual"], 1);
  EXPECT_EQ(report["lost"]["no_reason"], 1);
  // Track 0 was followed over 2 frames, 1, 2 and 4 over 1, the others over none.
  EXPECT_EQ(report["length"], (Json{{"tracks", 7}, {"mean", 0.7143}, {"median", 1}, {"longest", 2}}));
  const Result text = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "7"});
  for (const char* part : {"frames     7 to 9", "1 pair ", "60.00 % were found", "1 residual, 1 without a reason",
                           "mean 1.2500 px, median 0.7500 px", "1 px 33.33 %", "the longest 2"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
}

TEST(EvalTracks, ColumnsAreFoundByName) {
  const Scratch scratch;
  write_truth(scratch, "flow.flo");
  scratch.write("t.csv", "id,status,note,y,x,frame\r\n5,tracked,,20,10,0\r\n5,tracked,-,19,12.5,1\r\n");
  const Json scores = json_of(scratch.run({"eval-tracks", "t.csv", "flow.flo", "--json"}))["scores"];
  EXPECT_EQ(scores["found"], 1);
  EXPECT_EQ(scores["mean_error"], 0.5);
}

TEST(EvalTracks, WhatTheTrackerWroteInEveryFormat) {
  const Scratch scratch;
  make_track_clip(scratch, 5);
  for (int i = 0; i < 4; ++i) write_truth(scratch, fmt::format("flow_{:02}.flo", i + 3));
  std::string first;
  for (const char* name : {"t.csv", "t.json", "t.npy"}) {
    const Json run = json_of(scratch.run(track("clip.y4m", {"-o", name, "--json"})));
    const Json one = json_of(scratch.run({"eval-tracks", name, "flow_03.flo", "--frame", "0", "--json"}));
    EXPECT_EQ(one["pairs"], 1);
    const Json report = json_of(scratch.run({"eval-tracks", name, "flow_%02d.flo", "--truth-first", "3", "--json"}));
    EXPECT_EQ(report["pairs"], 4);
    EXPECT_GT(report["scores"]["points"], 3 * one["scores"]["points"].get<int>());
    EXPECT_LT(report["scores"]["median_error"], 0.05);
    EXPECT_EQ(report["length"]["mean"], run["mean_length"]);
    EXPECT_EQ(report["length"]["longest"], run["longest"]);
    EXPECT_EQ(report["length"]["tracks"], run["started"]);
    const std::string rest = report["scores"].dump() + report["lost"].dump() + report["length"].dump();
    if (first.empty()) first = rest;
    EXPECT_EQ(rest, first) << name;
  }
}

TEST(EvalTracks, OneFileLeadsFromTheFrameThatIsNamed) {
  const Scratch scratch;
  make_track_clip(scratch, 4);
  write_truth(scratch, "flow.flo");
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv", "--frames", "1:"})).status, 0);
  const std::string first = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "1"}).out;
  EXPECT_NE(first, "");
  EXPECT_NE(scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "2"}).out, first);
  // Its name may say it, or that there is no other frame.
  write_truth(scratch, "flow_01.flo");
  EXPECT_EQ(scratch.run({"eval-tracks", "t.csv", "flow_01.flo"}).out, first);
  const Json two = json_of(scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frames", "2:3", "--json"}));
  EXPECT_EQ(two["frames"], (Json{{"first", 2}, {"last", 3}}));
  EXPECT_EQ(two["pairs"], 1);
}

TEST(EvalTracks, TheBuiltInSceneHasItsTruth) {
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"synth", "scene", "--size", "160x120", "--frame-count", "3"}).status, 0);
  ASSERT_EQ(scratch.run({"track", "scene/left_%04d.png", "-o", "t.csv"}).status, 0);
  const Json report = json_of(scratch.run({"eval-tracks", "t.csv", "scene/flow_%04d.flo", "--json"}));
  EXPECT_EQ(report["pairs"], 2);
  EXPECT_GT(report["scores"]["points"], 150);
  EXPECT_LT(report["scores"]["median_error"], 0.2);
  EXPECT_GT(report["scores"]["survival"], 95);
}

TEST(EvalTracks, Rubberwhale) {
  const std::string data = std::string(VERGENCE_TEST_DATA) + "/flow/rubberwhale/";
  if (!std::filesystem::exists(data + "flow10.flo")) GTEST_SKIP() << "no frames with known flow at " << data;
  const Scratch scratch;
  ASSERT_EQ(scratch.run({"track", data + "frame%d.png", "--frames", "10:11", "-o", "t.csv"}).status, 0);
  const Json report = json_of(scratch.run({"eval-tracks", "t.csv", data + "flow10.flo", "--json"}));
  EXPECT_GT(report["scores"]["points"], 450);
  EXPECT_GT(report["scores"]["unknown"], 0);
  EXPECT_LT(report["scores"]["median_error"], 0.06);
  EXPECT_LT(report["scores"]["mean_error"], 0.4);
  EXPECT_GT(report["scores"]["survival"], 99);
  // Computed once more, from the text, at the nearest pixel: such truth is as good as interpolated truth in the median.
  const Image<FlowVector> flow = read_flo(data + "flow10.flo");
  std::istringstream lines(scratch.read("t.csv"));
  std::string line;
  std::getline(lines, line);
  std::map<int, std::pair<double, double>> before;
  std::vector<double> errors;
  while (std::getline(lines, line)) {
    int frame = 0, id = 0;
    double x = 0, y = 0;
    char status[40];
    ASSERT_EQ(std::sscanf(line.c_str(), "%d,%d,%lf,%lf,%39[^,]", &frame, &id, &x, &y, status), 5) << line;
    if (frame == 10) before[id] = {x, y};
    if (frame == 10 || before.count(id) == 0 || std::string(status) != "tracked") continue;
    const auto [px, py] = before[id];
    const FlowVector at = flow(static_cast<int>(px + 0.5), static_cast<int>(py + 0.5));
    if (is_known(at)) errors.push_back(std::hypot(x - px - double{at.u}, y - py - double{at.v}));
  }
  ASSERT_EQ(errors.size(), report["scores"]["found"].get<std::size_t>());
  std::sort(errors.begin(), errors.end());
  EXPECT_NEAR(errors[(errors.size() - 1) / 2], report["scores"]["median_error"].get<double>(), 1e-6);
}

void make_bad_track_tables(const Scratch& scratch) {
  write_truth(scratch, "flow.flo");
  write_truth(scratch, "n_1.flo");
  write_truth(scratch, "n_2.flo", {95, 72});
  for (const char* name : {"g_0.flo", "g_2.flo"}) write_truth(scratch, name);
  write_truth(scratch, "small.flo", {40, 40});
  scratch.write("cut.flo", scratch.read("flow.flo").substr(0, 500));
  write_flo(scratch.path("dark.flo"), Image<FlowVector>(track_size, FlowVector{2e9F, 0}).view());
  const std::string good = "0,0,10,20,tracked,0,0\n1,0,12,19,tracked,0,1\n2,0,14,18,tracked,0,2\n";
  scratch.write("good.csv", header + good);
  std::filesystem::create_directory(scratch.path("folder.csv"));
  scratch.write("far.csv", std::string(header) + "0,0,40,20,tracked,0,0\n1,0,42,19,tracked,0,1\n");
  scratch.write("words.csv", std::string(header) + "0,0,10,20,tracked,0,0\n1,0,twelve,19,tracked,0,1\n");
  scratch.write("nan.csv", std::string(header) + "0,0,nan,20,tracked,0,0\n");
  scratch.write("status.csv", std::string(header) + "0,0,10,20,fine,0,0\n");
  scratch.write("id.csv", std::string(header) + "0,-1,10,20,tracked,0,0\n");
  scratch.write("half.csv", std::string(header) + "0.5,1,10,20,tracked,0,0\n");
  scratch.write("short.csv", std::string(header) + "0,0,10\n");
  scratch.write("twice.csv", std::string(header) + "0,0,10,20,tracked,0,0\n0,0,10,20,tracked,0,0\n");
  scratch.write("order.csv", std::string(header) + "1,0,10,20,tracked,0,0\n0,0,10,20,tracked,0,0\n");
  scratch.write("columns.csv", "frame,id,x,status\n");
  scratch.write("two.csv", "frame,id,x,y,status,x\n0,0,10,20,tracked,11\n");
  scratch.write("header.csv", header);
  scratch.write("empty.csv", "");
  scratch.write("bad.json", "{\"tracks\": [");
  scratch.write("row.json", R"({"columns": ["frame","id","x","y","status"], "tracks": [[0, 0, 1, 2]]})");
  scratch.write("word.json", R"({"columns": ["frame","id","x","y","status"], "tracks": [[0, 0, "1", 2, "tracked"]]})");
  scratch.write("size.json", R"({"size": {"width": 64, "height": 48}, "columns": ["frame","id","x","y","status"],
                                 "tracks": [[0, 0, 10, 20, "tracked"], [1, 0, 12, 19, "tracked"]]})");
  write_npy(scratch.path("map.npy"), Image<float>(6, 5, 1).view());
  Image<float> odd(7, 1, 1);
  odd(4, 0) = 9;
  write_npy(scratch.path("status.npy"), odd.view());
}

TEST(EvalTracks, PointsOutsideTheFlowAreToldOf) {
  const Scratch scratch;
  write_truth(scratch, "small.flo", {40, 40});
  scratch.write("t.csv", std::string(header) + "0,0,10,20,tracked,0,0\n0,1,50,20,tracked,0,0\n0,2,0,0,tracked,0,0\n" +
                             "1,0,12,19,tracked,0,1\n1,1,52,19,tracked,0,1\n1,2,2,0,tracked,0,1\n");
  const Result text = scratch.run({"eval-tracks", "t.csv", "small.flo"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("1 of the latter lie outside the flow"), std::string::npos) << text.out;
  EXPECT_EQ(
      text.err,
      "vergence: warning: 1 of the points of t.csv lie outside small.flo, which is 40x40: is it the flow of these "
      "frames?\n");
  const Json scores = Json::parse(scratch.run({"eval-tracks", "t.csv", "small.flo", "--json"}).out)["scores"];
  EXPECT_EQ(scores["points"], 1);
  EXPECT_EQ(scores["unknown"], 2);
  EXPECT_EQ(scores["outside"], 1);
}

class BadEvalTracks : public testing::TestWithParam<BadCase> {};

TEST_P(BadEvalTracks, IsRefused) {
  const Scratch scratch;
  make_bad_track_tables(scratch);
  expect_refused(scratch, GetParam());
}

std::vector<std::string> eval(const char* tracks, const char* truth = "flow.flo",
                              const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"eval-tracks", tracks, truth};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::vector<BadCase> cases{
    {"no_truth", {"eval-tracks", "good.csv"}, 2, {"TRUTH"}},
    {"tracks_missing", eval("none.csv"), 1, {"none.csv do not exist"}},
    {"tracks_ending", eval("flow.flo"), 2, {"flow.flo", ".csv .json .npy"}},
    {"truth_missing", eval("good.csv", "none.flo"), 1, {"none.flo"}},
    {"truth_cut", eval("good.csv", "cut.flo"), 1, {"cut.flo"}},
    {"truth_is_no_flo", eval("good.csv", "good.csv"), 1, {"good.csv"}},
    {"truth_numbered_missing", eval("good.csv", "m_%d.flo"), 1, {"m_0.flo does not exist", "--truth-first"}},
    {"truth_of_which", eval("good.csv"), 2, {"flow.flo has no number", "--frame"}},
    {"truth_gap", eval("good.csv", "g_%d.flo"), 1, {"g_1.flo does not exist", "number 2 does"}},
    {"frames_text", eval("good.csv", "flow.flo", {"--frames", "x"}), 2, {"frames \"x\""}},
    {"frames_none", eval("good.csv", "flow.flo", {"--frames", "5:"}), 1, {"good.csv have no frame within", "5:"}},
    {"truth_sizes", eval("good.csv", "n_%d.flo", {"--truth-first", "1"}), 1, {"n_2.flo is 95x72", "96x72"}},
    {"truth_nowhere_known",
     eval("good.csv", "dark.flo", {"--frame", "0"}),
     1,
     {"of 1 followed points, none", "dark.flo"}},
    {"all_outside",
     eval("far.csv", "small.flo"),
     1,
     {"nothing to score: 1 of the points of far.csv", "small.flo", "40x40"}},
    {"truth_size", eval("size.json"), 1, {"flow.flo is 96x72", "size.json are 64x48"}},
    {"frame_outside", eval("good.csv", "flow.flo", {"--frame", "2"}), 1, {"from frame 2 to frame 3", "0 to 2"}},
    {"frame_word", eval("good.csv", "flow.flo", {"--frame", "x"}), 2, {"--frame is 'x'"}},
    {"frame_of_many", eval("good.csv", "n_%d.flo", {"--frame", "1"}), 2, {"--truth-first"}},
    {"first_of_one", eval("good.csv", "flow.flo", {"--truth-first", "1"}), 2, {"--frame"}},
    {"word", eval("words.csv"), 1, {"words.csv, line 3: x is 'twelve'"}},
    {"nan", eval("nan.csv"), 1, {"nan.csv, line 2: x is nan"}},
    {"status", eval("status.csv"), 1, {"status.csv, line 2: status is 'fine'"}},
    {"id", eval("id.csv"), 1, {"id.csv, line 2: id is -1"}},
    {"frame_half", eval("half.csv"), 1, {"half.csv, line 2: frame is 0.5"}},
    {"short", eval("short.csv"), 1, {"short.csv, line 2: it has 3 columns, the first line 7"}},
    {"twice", eval("twice.csv"), 1, {"twice.csv, line 3: track 0 is there twice in frame 0"}},
    {"order", eval("order.csv"), 1, {"order.csv, line 3: frame 0 follows frame 1"}},
    {"columns", eval("columns.csv"), 1, {"columns.csv has no column 'y'"}},
    {"column_twice", eval("two.csv"), 1, {"two.csv has two columns 'x'"}},
    {"no_rows", eval("header.csv"), 1, {"header.csv holds no track"}},
    {"directory", eval("folder.csv"), 1, {"folder.csv is a directory"}},
    {"no_bytes", eval("empty.csv"), 1, {"empty.csv is empty"}},
    {"json", eval("bad.json"), 1, {"bad.json is not JSON, line 1"}},
    {"json_row", eval("row.json"), 1, {"row.json, row 1: it is no array of 5"}},
    {"json_word", eval("word.json"), 1, {"word.json, row 1: x is no number"}},
    {"npy_columns", eval("map.npy"), 1, {"map.npy has 6 columns"}},
    {"npy_status", eval("status.npy"), 1, {"status.npy, row 0: status is 9"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadEvalTracks, testing::ValuesIn(cases), case_name);

}  // namespace
}  // namespace vergence::cli_test

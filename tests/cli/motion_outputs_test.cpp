// SPDX-License-Identifier: Apache-2.0
// The files of `vergence motion`: vectors in every format, videos, and what is left where a run fails.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "cli/motion_clip.hpp"
#include "cli/printed_json.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr int written_frames = 3;

/// Rows of a CSV as text, without its head.
std::vector<std::string> rows_of(const std::string& text) {
  std::vector<std::string> rows;
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    rows.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return rows;
}

TEST(MotionOutputs, JsonAndNpyAndFloHoldTheSameVectors) {
  const Scratch scratch;
  make_clip(scratch, written_frames);
  for (const char* name : {"v.csv", "v.json", "v.npy", "v_%02d.flo", "w_%d.npy"})
    ASSERT_EQ(scratch.run(motion("clip.y4m", {"-o", name, "--subpel", "quarter"})).status, 0) << name;
  const std::vector<std::string> rows = rows_of(scratch.read("v.csv"));
  ASSERT_EQ(rows.size(), 2u * 3 * 2);
  const Json json = Json::parse(scratch.read("v.json"));
  EXPECT_EQ(json["columns"].size(), 8u);
  EXPECT_EQ(json["settings"]["subpel"], "quarter");
  ASSERT_EQ(json["vectors"].size(), rows.size());
  const std::string npy = scratch.read("v.npy");
  EXPECT_NE(npy.find("'shape': (2, 2, 3, 2)"), std::string::npos) << npy.substr(0, 128);
  ASSERT_EQ(npy.size(), 128 + rows.size() * 4);
  EXPECT_NE(scratch.read("w_1.npy").find("'shape': (1, 2, 3, 2)"), std::string::npos);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = json["vectors"][i];
    std::string text;
    for (std::size_t column = 0; column < row.size(); ++column) {
      char number[32];
      std::snprintf(number, sizeof number, column == 5 || column == 6 ? "%.2f" : "%.0f", row[column].get<double>());
      text.append(column > 0 ? "," : "").append(number);
    }
    EXPECT_EQ(text, rows[i]);
    std::int16_t vector[2];
    std::memcpy(vector, npy.data() + 128 + 4 * i, sizeof vector);
    EXPECT_EQ(vector[0], row[5].get<double>() * 4);
    EXPECT_EQ(vector[1], row[6].get<double>() * 4);
    const Image<FlowVector> flow = read_flo(scratch.path(row[0] == 1 ? "v_01.flo" : "v_02.flo"));
    ASSERT_EQ(flow.size(), clip_size);
    EXPECT_EQ(flow(row[1].get<int>(), row[2].get<int>()).u, row[5].get<float>());
    EXPECT_EQ(flow(row[1].get<int>() + row[3].get<int>() - 1, row[2].get<int>() + row[4].get<int>() - 1).v,
              row[6].get<float>());
  }
}

TEST(MotionOutputs, MoreColumnsStandInAFixedOrder) {
  const Scratch scratch;
  make_clip(scratch, 2);
  const Result result =
      scratch.run(motion("clip.y4m", {"-o", "v.csv", "--columns", "confidence,second-j,j", "--check", "0", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string text = scratch.read("v.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "frame,x,y,width,height,dx,dy,cost,j,second_j,confidence,consistent");
  int consistent = 0;
  for (const std::string& row : rows_of(text)) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 11) << row;
    consistent += row.back() - '0';
  }
  EXPECT_NEAR(Json::parse(result.out)["per_field"][0]["consistent"].get<double>(), 100.0 * consistent / 6, 1e-3);
}

TEST(MotionOutputs, AllSizesComeInOnePass) {
  const Scratch scratch;
  make_clip(scratch, 2);
  const Result result = scratch.run(motion("clip.y4m", {"-o", "v.csv", "--all-sizes", "on", "--block", "8", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["blocks"], 5 * 4 + 3 * 2 + 2 + 1);
  EXPECT_EQ(rows_of(scratch.read("v.csv")).size(), 5u * 4 + 3 * 2 + 2 + 1);
  ASSERT_EQ(scratch.run(motion("clip.y4m", {"-o", "w.csv"})).status, 0);
  for (const std::string& row : rows_of(scratch.read("w.csv")))  // blocks of 16
    EXPECT_NE(scratch.read("v.csv").find("\n" + row + "\n"), std::string::npos) << row;
}

TEST(MotionOutputs, CompensatedVideoHasChroma) {
  const Scratch scratch;
  make_clip(scratch, written_frames);
  ASSERT_EQ(scratch.run(motion("clip.y4m", {"--compensated", "c.y4m"})).status, 0);
  const std::vector<YuvFrame> predicted = read_video(scratch.path("c.y4m"));
  ASSERT_EQ(predicted.size(), 2u);
  ASSERT_EQ(predicted[0].chroma, ChromaFormat::c420);
  // The second block moved by (2, 1) luma pixels: whole columns, half rows of chroma.
  EXPECT_EQ(predicted[0].luma.u8(20, 5), clip_pixel(20, 5, 1));
  MotionOptions options;
  options.range_x = options.range_y = {-4, 4};
  MotionEstimator estimator(Device("reference"), clip_size, options);
  Image<MotionVector> vectors(estimator.blocks());
  const YuvFrame before = clip_frame(0, ChromaFormat::c420);
  MotionOutput maps;
  maps.vectors = vectors.view();
  estimator.compute({clip_frame(1).luma.u8.view(), before.luma.u8.view()}, maps);
  Image<std::uint8_t> expected(before.cr.size());
  estimator.predict(before.cr.u8.view(), vectors.view(), expected.view(), MotionPlane::chroma_420);
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x) ASSERT_EQ(predicted[0].cr.u8(x, y), expected(x, y)) << x << ' ' << y;
}

TEST(MotionOutputs, VideosHaveAFramePerFieldAndNothingElseIsLeft) {
  const Scratch scratch;
  make_clip(scratch, written_frames);
  const std::size_t before = scratch.listing().size();
  const Result result = scratch.run(motion("clip.y4m", {"--compensated", "c.mp4", "--overlay", "o.mp4", "--residue",
                                                        "r.mp4", "--overlay-zoom", "3", "--json"}));
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(scratch.listing().size(), before + 3);
  EXPECT_EQ(Json::parse(result.out)["outputs"]["overlay"], "o.mp4");
  for (const char* name : {"c.mp4", "o.mp4", "r.mp4"}) EXPECT_EQ(read_video(scratch.path(name)).size(), 2u) << name;
  EXPECT_EQ(read_video(scratch.path("c.mp4"))[0].luma.size(), clip_size);
  EXPECT_GE(read_video(scratch.path("o.mp4"))[0].luma.height(), 3 * clip_size.height);
}

TEST(MotionOutputs, ArrowsShowWhereBlocksWent) {
  const Scratch scratch;
  make_clip(scratch, 2);
  ASSERT_EQ(scratch
                .run(motion("clip.y4m", {"--overlay", "o.y4m", "--overlay-zoom", "4", "--overlay-scale", "2",
                                         "--residue", "r.y4m"}))
                .status,
            0);
  // The block at 16, 0 moved by (2, 1): its arrow starts at (24, 8) and has the scale's last, light colour.
  const YuvFrame overlay = std::move(read_video(scratch.path("o.y4m"))[0]);
  EXPECT_GT(overlay.luma.u8(4 * 24 + 4, 4 * 8 + 2), 180);
  // Its residue is 0 everywhere: the scale's first, dark colour.
  const YuvFrame residue = std::move(read_video(scratch.path("r.y4m"))[0]);
  for (int y = 0; y < 16; ++y)
    for (int x = 16; x < 32; ++x) EXPECT_LT(residue.luma.u8(x, y), 45);
}

TEST(MotionOutputs, WhatWasWrittenBeforeAFailureStaysReadable) {
  const Scratch scratch;
  make_clip(scratch, 5);
  scratch.write("f_0003.pgm", "P5\n40 26\n255\nshort");
  const Result result = scratch.run(
      motion("f_%04d.pgm", {"-o", "v.json", "--compensated", "c.y4m", "--overlay", "o.mp4", "--residue", "r.mp4"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("f_0003.pgm"), std::string::npos) << result.err;
  EXPECT_EQ(lines(result.err), 1u);
  for (const char* name : {"v.json", "c.y4m", "o.mp4", "r.mp4"}) EXPECT_FALSE(scratch.has(name)) << name;
  EXPECT_EQ(Json::parse(scratch.read("v.json.partial"))["vectors"].size(), 2u * 6);
  for (const char* name : {"c.y4m.partial", "o.mp4.partial", "r.mp4.partial"})
    EXPECT_EQ(read_video(scratch.path(name)).size(), 2u) << name;
}

TEST(MotionOutputs, FullDiskIsOneErrorAndNoFileUnderItsName) {
  for (const char* option : {"-o", "--compensated", "--overlay"}) {
    const Scratch scratch;
    make_clip(scratch, written_frames);
    const std::string name = std::string(option) == "-o" ? "v.csv" : "out.mp4";
    RunOptions options;
    options.file_limit = 200;
    const Result result = scratch.run(motion("clip.y4m", {option, name}), options);
    EXPECT_EQ(result.status, 1) << option;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_NE(result.err.find(name), std::string::npos) << result.err;
    EXPECT_FALSE(scratch.has(name));
    EXPECT_EQ(result.out, "");
  }
}

TEST(MotionOutputs, WhatFittedOnAFullDiskIsWhole) {
  const Scratch scratch;
  make_clip(scratch, 60);
  RunOptions options;
  options.file_limit = 10'000;
  const auto fill_disk = [&](const char* option, const std::string& name) {
    // Lossy video of noise grows as fast as the others.
    const Result result = scratch.run(motion("clip.y4m", {option, name, "--block", "4"}), options);
    EXPECT_EQ(result.status, 1) << name;
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_NE(result.err.find(name), std::string::npos) << result.err;
    EXPECT_FALSE(scratch.has(name));
    return scratch.read(name + ".partial");
  };
  constexpr std::size_t blocks = 10 * 7;
  const std::vector<std::string> rows = rows_of(fill_disk("-o", "v.csv"));
  EXPECT_GT(rows.size(), 0u);
  EXPECT_EQ(rows.size() % blocks, 0u);
  const std::size_t vectors = Json::parse(fill_disk("-o", "v.json"))["vectors"].size();
  EXPECT_GT(vectors, 0u);
  EXPECT_EQ(vectors % blocks, 0u);
  const std::string npy = fill_disk("-o", "v.npy");
  const std::size_t fields = (npy.size() - 128) / (blocks * 4);
  EXPECT_GT(fields, 0u);
  EXPECT_EQ(npy.size(), 128 + fields * blocks * 4);
  EXPECT_NE(npy.find("(" + std::to_string(fields) + ", 7, 10, 2)"), std::string::npos) << npy.substr(0, 128);
  for (const auto& [option, name] : {std::pair{"--compensated", "c.y4m"}, {"--compensated", "c.mp4"}}) {
    fill_disk(option, name);
    const std::size_t whole = read_video(scratch.path(std::string(name) + ".partial")).size();
    EXPECT_GT(whole, 0u) << name;
    EXPECT_LT(whole, 59u) << name;
  }
}

/// A named pipe whose reader takes a few bytes and ends.
class BriefReader {
 public:
  BriefReader(const std::string& path, std::size_t bytes) {
    if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
    thread_ = std::thread([path, bytes] {
      std::ifstream from(path, std::ios::binary);
      std::string taken(bytes, ' ');
      from.read(taken.data(), static_cast<std::streamsize>(bytes));
    });
  }
  ~BriefReader() { thread_.join(); }

 private:
  std::thread thread_;
};

TEST(MotionOutputs, AClosedPipeIsOneError) {
  const Scratch scratch;
  make_clip(scratch, 60);
  {
    const BriefReader reader(scratch.path("pipe.y4m"), 100);
    const Result result = scratch.run(motion("clip.y4m", {"--compensated", "pipe.y4m", "-o", "v.json"}));
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(lines(result.err), 1u) << result.err;
    EXPECT_NE(result.err.find("pipe.y4m\": Broken pipe"), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(Json::parse(scratch.read("v.json.partial"))["vectors"].size() % 6, 0u);
  }
  const BriefReader reader(scratch.path("report"), 0);
  RunOptions options;
  options.out_path = "report";
  const Result result = scratch.run(motion("clip.y4m", {"--frames", ":9"}), options);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "vergence: cannot write to standard output: Broken pipe\n");
}

TEST(MotionOutputs, CtrlCLeavesTheBeginning) {
  const Scratch scratch;
  make_clip(scratch, 60);
  RunOptions options;
  options.signal = SIGINT;
  options.signal_after = "c.mp4.partial";
  const Result result = scratch.run(motion("clip.y4m", {"--compensated", "c.mp4", "--repeat", "20"}), options);
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("vergence: interrupted: c.mp4.partial holds what was finished: rename it to c.mp4", 0), 0u)
      << result.err;
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_FALSE(scratch.has("c.mp4"));
  const std::size_t whole = read_video(scratch.path("c.mp4.partial")).size();
  EXPECT_GE(whole, 1u);
  EXPECT_LT(whole, 59u);
}

TEST(MotionOutputs, CtrlCNamesTheLastNumberedFileThatIsWhole) {
  const Scratch scratch;
  make_clip(scratch, 60);
  RunOptions options;
  options.signal = SIGINT;
  options.signal_after = "v_2.flo";
  const Result result = scratch.run(motion("clip.y4m", {"-o", "v_%d.flo", "--repeat", "20"}), options);
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  const std::string start = "vergence: interrupted: the files of v_%d.flo are whole up to v_";
  ASSERT_EQ(result.err.rfind(start, 0), 0u) << result.err;
  const int last = std::stoi(result.err.substr(start.size()));
  EXPECT_TRUE(scratch.has("v_" + std::to_string(last) + ".flo"));
  EXPECT_FALSE(scratch.has("v_" + std::to_string(last + 1) + ".flo"));
}

/// The vectors hold the first frame when the other output cannot be written.
TEST(MotionOutputs, WhatWasBegunIsNamed) {
  const Scratch scratch;
  make_clip(scratch, 6);
  RunOptions options;
  options.file_limit = 4096;
  const Result result = scratch.run(motion("clip.y4m", {"-o", "v.csv", "--overlay", "o.y4m"}), options);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(lines(result.err), 1u) << result.err;
  EXPECT_EQ(scratch.has("v.csv.partial"), holds(result.err,
                                                "what was begun stays, and no run begins it anew while it "
                                                "exists: v.csv.partial"))
      << result.err;
  EXPECT_TRUE(scratch.has("v.csv.partial"));
}

}  // namespace
}  // namespace vergence::cli_test

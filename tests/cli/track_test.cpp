// SPDX-License-Identifier: Apache-2.0
// `vergence track`: what it writes equals what the library finds, from every kind of input, in every file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "cli/printed_json.hpp"
#include "cli/track_clip.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

constexpr int frames = 5;

TrackOptions small() {
  TrackOptions options;
  options.window = 11;
  options.points = 25;
  options.min_distance = 8;
  return options;
}

/// The CSV that the library's own tracks give.
std::string expected_csv(const TrackOptions& options, const std::vector<TrackPosition>& points = {}, int first = 0) {
  PointTracker tracker(Device("reference"), track_size, options);
  tracker.add(points);
  std::string text = "frame,id,x,y,status,residual,age\n";
  for (int i = first; i < frames; ++i) {
    const Image<std::uint8_t> frame = track_frame(i);
    for (const Track& one : tracker.next(frame))
      text += fmt::format("{},{},{:.10f},{:.10f},{},{:.4f},{}\n", i, one.id, one.position.x / 1024.0,
                          one.position.y / 1024.0, to_text(one.status), one.residual / 1024.0, one.age);
  }
  return text;
}

TEST(TrackCommand, CsvHoldsTheLibrarysTracks) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  for (const char* device : {"reference", "cpu"}) {
    const Result result = scratch.run(track("clip.y4m", {"-o", "t.csv", "--device", device}));
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(scratch.read("t.csv"), expected_csv(small()));
    EXPECT_FALSE(scratch.has("t.csv.partial"));
  }
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv", "--frames", "2:"})).status, 0);
  EXPECT_EQ(scratch.read("t.csv"), expected_csv(small(), {}, 2));
}

TEST(TrackCommand, EverySettingReachesTheLibrary) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  TrackOptions o;
  o.points = 20;
  o.refill = 95;
  o.corner = TrackCorner::harris;
  o.harris_k = 6;
  o.block = 5;
  o.quality = 0.002;
  o.min_distance = 5;
  o.grid = {3, 2};
  o.roi = Rect{4, 5, 80, 60};
  o.window = 16;
  o.levels = 1;
  o.iterations = 7;
  o.epsilon = 0.02;
  o.min_eigen = 0.0005;
  o.gain_offset = true;
  o.guess = TrackGuess::velocity;
  o.must_converge = true;
  o.max_residual = 9.5;
  o.forward_backward = 0.75;
  o.min_separation = 2.5;
  Words words{"track", "f_%04d.pgm", "-o", "t.csv"};
  for (const Field& field : track_fields()) {
    if (field.name == "pixel-depth" || field.name == "max-value" || field.name == "history") continue;
    words.push_back("--" + std::string(field.name));
    words.push_back(track_get(o, field.name));
  }
  const Result result = scratch.run(words);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(scratch.read("t.csv"), expected_csv(o));
}

TEST(TrackCommand, JsonAndNpyHoldTheSame) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.csv"})).status, 0);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.json"})).status, 0);
  ASSERT_EQ(scratch.run(track("clip.y4m", {"-o", "t.npy"})).status, 0);
  const Json json = Json::parse(scratch.read("t.json"));
  EXPECT_EQ(json["size"]["width"], 96);
  EXPECT_EQ(json["settings"]["window"], 11);
  const std::string npy = scratch.read("t.npy");
  ASSERT_GT(npy.size(), 128u);
  EXPECT_NE(npy.find("'descr': '<f8'"), std::string::npos);
  const std::string csv = scratch.read("t.csv");
  std::size_t at = csv.find('\n') + 1, line = 0;
  for (; at < csv.size(); at = csv.find('\n', at) + 1, ++line) {
    const Json& row = json["tracks"][line];
    ASSERT_EQ(row.size(), 7u);
    const std::string text =
        fmt::format("{},{},{:.10f},{:.10f},{},{:.4f},{}", row[0].get<int>(), row[1].get<int>(), row[2].get<double>(),
                    row[3].get<double>(), row[4].get<std::string>(), row[5].get<double>(), row[6].get<int>());
    EXPECT_EQ(csv.substr(at, csv.find('\n', at) - at), text);
    double values[7];
    std::memcpy(values, npy.data() + 128 + line * sizeof values, sizeof values);
    for (const int k : {0, 1, 2, 3, 6})
      EXPECT_EQ(values[k], row[static_cast<std::size_t>(k)].get<double>()) << line << " " << k;
    EXPECT_NEAR(values[5], row[5].get<double>(), 0.0001);
  }
  EXPECT_EQ(json["tracks"].size(), line);
  EXPECT_EQ(npy.size(), 128 + line * 7 * sizeof(double));
}

TEST(TrackCommand, PointsOfAFile) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  scratch.write("points.txt", "# two points\n30 40\n\n 50.25,\t20.5 \r\n");
  const std::vector<TrackPosition> points{to_position(30, 40), to_position(50.25, 20.5)};
  TrackOptions o;
  o.points = 0;
  ASSERT_EQ(scratch.run({"track", "clip.y4m", "--points-file", "points.txt", "-o", "t.csv"}).status, 0);
  EXPECT_EQ(scratch.read("t.csv"), expected_csv(o, points));
  o.points = 12;
  ASSERT_EQ(scratch.run({"track", "clip.y4m", "--points-file", "points.txt", "--points", "12", "-o", "t.csv"}).status,
            0);
  EXPECT_EQ(scratch.read("t.csv"), expected_csv(o, points));
}

TEST(TrackCommand, PointsOutsideAreLostAtOnceWithTheirReason) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  scratch.write("points.txt", "-5 10\n30 40\n96 20\n");
  ASSERT_EQ(scratch.run({"track", "clip.y4m", "--points-file", "points.txt", "-o", "t.csv"}).status, 0);
  const std::string csv = scratch.read("t.csv");
  EXPECT_NE(csv.find("\n1,0,-5.0000000000,10.0000000000,outside,0.0000,0\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n1,2,96.0000000000,20.0000000000,outside,0.0000,0\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n2,1,"), std::string::npos);
  EXPECT_EQ(csv.find("\n2,0,"), std::string::npos);
}

TEST(TrackCommand, FewerPointsThanAskedAndLevelsThatWouldBeEmpty) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  const Result result =
      scratch.run({"track", "clip.y4m", "--points", "1000000", "--min-distance", "9", "--levels", "8", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["levels"], 1);  // 48x36; 24x18 is no larger than the window
  EXPECT_GT(report["started"], 20);
  EXPECT_LT(report["started"], 200);
}

TEST(TrackCommand, AMaskKeepsPointsAway) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  Image<std::uint8_t> mask(track_size, 0);
  for (int y = 0; y < 72; ++y)
    for (int x = 0; x < 40; ++x) mask(x, y) = 255;
  write_picture(scratch.path("mask.pgm"), mask.view());
  ASSERT_EQ(scratch.run(track("clip.y4m", {"--points-mask", "mask.pgm", "--frames", ":1", "-o", "t.json"})).status, 0);
  const Json report = Json::parse(scratch.read("t.json"));
  ASSERT_FALSE(report["tracks"].empty());
  for (const Json& row : report["tracks"].elements()) {
    if (row[6] == 0) {
      EXPECT_LT(row[2].get<double>(), 40);
    }
  }
}

TEST(TrackCommand, ReportAndHash) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  const auto report = [&](const Words& more, const RunOptions& options = {}) {
    Words words = track(more.front(), {more.begin() + 1, more.end()});
    words.emplace_back("--json");
    const Result result = scratch.run(words, options);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  };
  const Json json = report({"clip.y4m"});
  EXPECT_EQ(json["frames"], frames);
  EXPECT_EQ(json["levels"], 2);  // 24x18; 12x9 is smaller than the window
  int lost = 0;
  for (const auto& [reason, count] : json["lost"].items()) lost += count.get<int>();
  EXPECT_EQ(json["started"].get<int>(), json["alive"].get<int>() + lost);
  EXPECT_GT(json["survival"].get<double>(), 80);
  EXPECT_EQ(json["longest"], frames - 1);
  EXPECT_EQ(json["hash"], report({"f_%04d.pgm", "--device", "reference"})["hash"]);
  EXPECT_EQ(json["hash"], report({"clip.y4m", "--threads", "3", "--simd", Device::simd_targets().back()})["hash"]);
  EXPECT_NE(json["hash"], report({"clip.y4m", "--iterations", "2"})["hash"]);
  RunOptions piped;
  piped.in_path = "clip.y4m";
  EXPECT_EQ(json["hash"], report({"-"}, piped)["hash"]);
  const Result text = scratch.run(track("clip.y4m"));
  for (const char* word : {"started", "survival", "length", "residual", "way back", "lost", "hash"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word;
}

/// The distributions are those of the file's lines and of the library's points, rejected ones included.
TEST(TrackCommand, ReportsDistributions) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  TrackOptions o = small();
  o.max_residual = 0.75;
  o.forward_backward = 0.004;
  PointTracker tracker(Device("reference"), track_size, o);
  std::vector<double> residuals, ways;
  int not_back = 0;
  for (int i = 0; i < frames; ++i) {
    const Image<std::uint8_t> frame = track_frame(i);
    for (const Track& one : tracker.next(frame)) {
      if (one.age == 0 && one.status == TrackStatus::tracked) continue;
      if (one.status == TrackStatus::outside || one.status == TrackStatus::small_determinant) continue;
      residuals.push_back(one.residual / 1024.0);
      if (one.status == TrackStatus::residual) continue;
      if (one.way_back == 4294967295u)
        ++not_back;
      else
        ways.push_back(way_back_to_pixels(one.way_back));
    }
  }
  std::sort(residuals.begin(), residuals.end());
  std::sort(ways.begin(), ways.end());
  const auto quantile = [](const std::vector<double>& values, double share) {
    return values[static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
  };
  const Words words = track("clip.y4m", {"--max-residual", "0.75", "--forward-backward", "0.004", "--json"});
  const Json json = Json::parse(scratch.run(words).out);
  for (const auto& [name, values, limit, reason] :
       {std::tuple("residual", residuals, 0.75, "residual"), std::tuple("way_back", ways, 0.004, "forward-backward")}) {
    const Json& got = json[name];
    ASSERT_GT(values.size(), 20u);
    EXPECT_EQ(got["points"], values.size());
    EXPECT_NEAR(got["median"].get<double>(), quantile(values, 0.5), 0.001) << name;
    EXPECT_NEAR(got["p90"].get<double>(), quantile(values, 0.9), 0.001) << name;
    EXPECT_NEAR(got["p99"].get<double>(), quantile(values, 0.99), 0.001) << name;
    EXPECT_NEAR(got["max"].get<double>(), values.back(), 0.001) << name;
    EXPECT_EQ(got["limit"], limit);
    EXPECT_EQ(got["above"], json["lost"][reason]);
    EXPECT_GT(got["above"], 0) << name;
  }
  EXPECT_EQ(json["way_back"]["not_back"], not_back);
  EXPECT_GT(not_back, 0);
  const Json fast = Json::parse(scratch.run(track("clip.y4m", {"--preset", "fast", "--json"})).out);
  EXPECT_TRUE(fast["way_back"].is_null());
  EXPECT_EQ(fast["residual"]["limit"], 0);
  const Result text = scratch.run(track("clip.y4m", {"--preset", "fast"}));
  EXPECT_NE(text.out.find("; any is accepted\nway back   not checked\n"), std::string::npos) << text.out;
}

TEST(TrackCommand, SettingsGoToAFileAndBack) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  ASSERT_EQ(scratch
                .run({"track", "clip.y4m", "--preset", "strict", "--quality", "0.03", "--points", "9",
                      "--save-settings", "s.json", "-o", "a.csv"})
                .status,
            0);
  const Json saved = Json::parse(scratch.read("s.json"))["settings"];
  EXPECT_EQ(saved["quality"], 0.03);
  EXPECT_EQ(saved["must-converge"], true);
  const Result again = scratch.run({"track", "clip.y4m", "--settings", "s.json", "-o", "b.csv"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(scratch.read("a.csv"), scratch.read("b.csv"));
}

TEST(TrackCommand, TheOverlayShowsTracks) {
  const Scratch scratch;
  make_track_clip(scratch, frames);
  for (const char* name : {"o.y4m", "o.mp4"})
    ASSERT_EQ(scratch
                  .run(track("clip.y4m",
                             {"--overlay", name, "--overlay-zoom", "3", "--overlay-tail", "4", "--overlay-scale", "5"}))
                  .status,
              0);
  FrameSource source(scratch.path("o.y4m"));
  int count = 0;
  while (const std::optional<GreyPicture> frame = source.next()) {
    EXPECT_GE(frame->width(), 3 * 96);
    EXPECT_GT(frame->height(), 3 * 72);
    ++count;
  }
  EXPECT_EQ(count, frames);
}

/// Points are as large a part of every overlay.
TEST(TrackCommand, MarksGrowWithTheOverlay) {
  const Scratch scratch;
  for (const int width : {240, 2880}) {
    const std::string name = std::to_string(width);
    for (int i = 0; i < 2; ++i)
      write_picture(scratch.path(name + "_" + std::to_string(i) + ".pgm"),
                    Image<std::uint8_t>(width, width / 2, 255).view());
  }
  scratch.write("small.txt", "120 60\n");
  scratch.write("large.txt", "1440 720\n");
  const auto dark = [&scratch](const std::string& name, const std::string& points) {
    EXPECT_EQ(
        scratch.run({"track", name + "_%d.pgm", "--points-file", points, "--overlay", "o.y4m", "--overlay-zoom", "1"})
            .status,
        0);
    FrameSource source(scratch.path("o.y4m"));
    const std::optional<GreyPicture> frame = source.next();
    int width = 0;
    for (int x = 0; frame && x < frame->width(); ++x) {
      bool any = false;
      for (int y = 20; y < std::stoi(name) / 2 - 1; ++y) any = any || frame->u8(x, y) < 100;
      width += any ? 1 : 0;
    }
    return width;
  };
  EXPECT_EQ(dark("240", "small.txt"), 3);
  EXPECT_EQ(dark("2880", "large.txt"), 15);
}

TEST(TrackCommand, FlatFramesAreNoError) {
  const Scratch scratch;
  for (int i = 0; i < 3; ++i)
    write_picture(scratch.path("flat_" + std::to_string(i) + ".pgm"), Image<std::uint8_t>(50, 40, 90).view());
  const Result result = scratch.run({"track", "flat_%d.pgm", "-o", "t.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("no frame shows a point"), std::string::npos) << result.err;
  EXPECT_EQ(scratch.read("t.csv"), "frame,id,x,y,status,residual,age\n");
  const Json json = Json::parse(scratch.run({"track", "flat_%d.pgm", "--json"}).out);
  EXPECT_EQ(json["started"], 0);
  EXPECT_TRUE(json["survival"].is_null());
}

TEST(TrackCommand, OutsideTheFrameAreToldOf) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  scratch.write("p.txt", "40 30\n95 71\n95.01 71\n40 -0.5\n500 500\n");
  const Json some = Json::parse(scratch.run(track("clip.y4m", {"--points-file", "p.txt", "--json"})).out);
  ASSERT_EQ(some["warnings"].size(), 1u);
  EXPECT_EQ(some["warnings"][0].get<std::string>().rfind("3 of the 5 points of p.txt lie outside the frames", 0), 0u)
      << some["warnings"];
  scratch.write("inside.txt",
                "\xef\xbb\xbf"
                "40 30\n95 71\n0 0\n");
  const Json inside = Json::parse(scratch.run(track("clip.y4m", {"--points-file", "inside.txt", "--json"})).out);
  EXPECT_TRUE(inside["warnings"].empty()) << inside["warnings"];
}

TEST(TrackCommand, WhatHasNoMeanIsNoNumber) {
  const Scratch scratch;
  make_track_clip(scratch, 3);
  scratch.write("p.txt", "500 500\n");
  const Result text = scratch.run({"track", "clip.y4m", "--points-file", "p.txt"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(text.err.rfind("vergence: warning: 1 of the 1 points of p.txt", 0), 0u) << text.err;
  EXPECT_EQ(text.out.find("nan"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("residual   -\nway back   -\n"), std::string::npos) << text.out;
  const Result json = scratch.run({"track", "clip.y4m", "--points-file", "p.txt", "--json"});
  EXPECT_TRUE(Json::parse(json.out)["mean_residual"].is_null());
  // A flat video: no track at all.
  for (int i = 0; i < 2; ++i)
    write_picture(scratch.path("flat_" + std::to_string(i) + ".pgm"), Image<std::uint8_t>(96, 72, 1).view());
  const Result flat = scratch.run({"track", "flat_%d.pgm"});
  EXPECT_EQ(flat.status, 0) << flat.err;
  EXPECT_EQ(flat.out.find("nan"), std::string::npos) << flat.out;
  EXPECT_NE(flat.out.find("survival   -\nlength     -\nresidual   -\nway back   -\n"), std::string::npos) << flat.out;
}

}  // namespace
}  // namespace vergence::cli_test

// SPDX-License-Identifier: Apache-2.0
// Filled is not measured: reports, depth maps, clouds and scores tell them apart.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class Validity : public testing::Test {
 protected:
  void SetUp() override { make_files(scratch); }

  /// The good pair with its holes filled.
  Result run(const Words& more) const {
    Words arguments{"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--fill", "nearest"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    return result;
  }
  int count(const RawValues& picture, double value) const {
    int pixels = 0;
    for (int y = 0; y < picture.values.height(); ++y)
      for (int x = 0; x < picture.values.width(); ++x) pixels += picture.values(x, y) == value ? 1 : 0;
    return pixels;
  }

  Scratch scratch;
};

TEST_F(Validity, ReportsSayMeasuredFilledAndInvalid) {
  const Json found = Json::parse(run({"--validity", "v.png", "--json"}).out);
  const RawValues mask = read_values(scratch.path("v.png"));
  const int measured = count(mask, 255);
  const int filled = count(mask, 128);
  ASSERT_GT(measured, 0);
  ASSERT_GT(filled, 0);
  EXPECT_NEAR(found["measured"].get<double>(), measured / 8.0, 1e-3);  // of 800 pixels
  EXPECT_NEAR(found["filled"].get<double>(), filled / 8.0, 1e-3);
  EXPECT_NEAR(found["invalid"].get<double>(), count(mask, 0) / 8.0, 1e-3);
  EXPECT_NEAR(found["density"].get<double>(), (measured + filled) / 8.0, 1e-3);
  // The mask need not be an output for that, and nothing is filled where nothing is to be.
  EXPECT_EQ(Json::parse(run({"--json"}).out)["filled"], found["filled"]);
  const Result plain = scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--json"});
  EXPECT_EQ(Json::parse(plain.out)["filled"], 0);
  EXPECT_NE(run({}).out.find("disparity  measured "), std::string::npos);
}

TEST_F(Validity, DepthAndCloudsTakeMeasuredPixelsUnlessAsked) {
  const Words geometry{"--focal", "100", "--baseline", "0.3"};
  const auto with = [&](Words more) {
    more.insert(more.end(), geometry.begin(), geometry.end());
    return more;
  };
  run(with({"--depth", "some.pfm", "--cloud", "some.ply", "-o", "d.pfm", "--validity", "v.png"}));
  run(with({"--depth", "all.pfm", "--cloud", "all.ply", "--include-filled"}));
  const Image<float> disparity = read_float_map(scratch.path("d.pfm"));
  const Image<float> some = read_float_map(scratch.path("some.pfm"));
  const Image<float> all = read_float_map(scratch.path("all.pfm"));
  const RawValues mask = read_values(scratch.path("v.png"));
  int points = 0;
  int all_points = 0;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool near = std::isfinite(disparity(x, y)) && disparity(x, y) > 0;
      const bool measured = mask.values(x, y) == 255;
      ASSERT_EQ(std::isfinite(some(x, y)), near && measured) << x << ' ' << y;
      ASSERT_EQ(std::isfinite(all(x, y)), near) << x << ' ' << y;
      points += near && measured ? 1 : 0;
      all_points += near ? 1 : 0;
    }
  EXPECT_LT(points, all_points);
  EXPECT_NE(scratch.read("some.ply").find("element vertex " + std::to_string(points) + "\n"), std::string::npos);
  EXPECT_NE(scratch.read("all.ply").find("element vertex " + std::to_string(all_points) + "\n"), std::string::npos);
  const Result alone = scratch.run({"stereo", "left.pgm", "right.pgm", "--include-filled"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.err.find("--include-filled needs --depth FILE"), std::string::npos) << alone.err;
}

TEST_F(Validity, ScoresSayMeasuredAndAll) {
  const Json scores =
      Json::parse(run({"--truth", "truth.pfm", "-o", "d.pfm", "--validity", "v.png", "--json"}).out)["scores"];
  ASSERT_TRUE(scores.contains("measured"));
  const int measured = count(read_values(scratch.path("v.png")), 255);
  EXPECT_EQ(scores["measured"]["pixels"], measured);
  EXPECT_EQ(scores["all"]["pixels"], 800);
  const Result told = scratch.run({"eval", "d.pfm", "truth.pfm", "--validity", "v.png", "--json"});
  ASSERT_EQ(told.status, 0) << told.err;
  EXPECT_EQ(Json::parse(told.out)["scores"], scores);
  EXPECT_FALSE(Json::parse(scratch.run({"eval", "d.pfm", "truth.pfm", "--json"}).out)["scores"].contains("measured"));
}

TEST(EvalValidity, IsWorkedOutByHand) {
  const Scratch scratch;
  // 4x1: a good pixel measured, a bad one filled, one invalid, a bad one measured.
  const auto write = [&](const char* name, const std::vector<float>& values) {
    Image<float> map(4, 1);
    for (int x = 0; x < 4; ++x) map(x, 0) = values[static_cast<std::size_t>(x)];
    write_pfm(scratch.path(name), map.view());
  };
  write("truth.pfm", {5, 5, 5, 5});
  write("map.pfm", {5, 8, INFINITY, 6.5f});
  const auto mask = [](int a, int b, int c, int d) {
    return pgm(4, 1, 255, [=](int x, int) { return x == 0 ? a : x == 1 ? b : x == 2 ? c : d; });
  };
  scratch.write("levels.pgm", mask(255, 128, 0, 255));
  scratch.write("codes.pgm", mask(1, 2, 0, 1));
  scratch.write("bad.pgm", mask(255, 77, 0, 255));
  scratch.write("none.pgm", mask(128, 128, 0, 128));
  const auto eval = [&](const char* validity) {
    return scratch.run({"eval", "map.pfm", "truth.pfm", "--validity", validity, "--json"});
  };
  for (const char* file : {"levels.pgm", "codes.pgm"}) {
    const Json scores = Json::parse(eval(file).out)["scores"];
    EXPECT_EQ(scores["all"]["bad"]["1"], 50);
    EXPECT_EQ(scores["all"]["density"], 75);
    EXPECT_EQ(scores["measured"]["pixels"], 2);
    EXPECT_EQ(scores["measured"]["bad"]["1"], 50);
    EXPECT_EQ(scores["measured"]["bad"]["2"], 0);
    EXPECT_EQ(scores["measured"]["average_error"], 0.75);
  }
  EXPECT_EQ(eval("bad.pgm").status, 1);
  EXPECT_NE(eval("bad.pgm").err.find("holds 77"), std::string::npos);
  const Json none = Json::parse(eval("none.pgm").out)["scores"]["measured"];
  EXPECT_EQ(none["pixels"], 0);
  EXPECT_TRUE(none["bad"]["1"].is_null());
  EXPECT_EQ(scratch.run({"eval", "map.pfm", "truth.pfm", "--validity", "map.pfm"}).status, 1);
}

TEST(EvalValidity, OfAnotherMapIsRefused) {
  const Scratch scratch;
  for (const int frame : {0, 1}) {
    Image<float> map(4, 3, 5.0f);
    map(1, 1) = map(3, 2) = INFINITY;
    write_pfm(scratch.path("map_" + std::to_string(frame) + ".pfm"), map.view());
    write_pfm(scratch.path("truth_" + std::to_string(frame) + ".pfm"), Image<float>(4, 3, 5.0f).view());
  }
  const auto eval = [&](int at_hole, int elsewhere, const char* name = "_0.") {
    scratch.write("v_1.pgm", pgm(4, 3, 255, [=](int x, int y) {
                    return x == 3 && y == 2 ? 0 : x == 1 && y == 1 ? at_hole : x == 2 && y == 0 ? elsewhere : 255;
                  }));
    scratch.write("v_0.pgm", std::string(name) == "_0." ? scratch.read("v_1.pgm") : pgm(4, 3, 255, [=](int x, int y) {
                    return (x == 1 && y == 1) || (x == 3 && y == 2) ? 0 : 128;
                  }));
    const std::string middle = name;
    return scratch.run({"eval", "map" + middle + "pfm", "truth" + middle + "pfm", "--validity", "v" + middle + "pgm"});
  };
  EXPECT_EQ(eval(0, 255).status, 0);
  EXPECT_EQ(eval(0, 128).status, 0);
  const auto refused = [](const Result& result, const std::string& what) {
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "vergence: validity " + what + ": give what stereo --validity wrote with this map\n");
  };
  refused(eval(255, 255),
          "v_0.pgm is not that of map_0.pfm: 1 pixel differs, the first one (1, 1) is measured, and the "
          "map has no disparity there");
  refused(eval(128, 255),
          "v_0.pgm is not that of map_0.pfm: 1 pixel differs, the first one (1, 1) is filled, and the "
          "map has no disparity there");
  refused(eval(255, 0),
          "v_0.pgm is not that of map_0.pfm: 2 pixels differ, the first one (2, 0) is invalid, and the "
          "map has a disparity there");
  refused(eval(255, 0, "_%d."),
          "v_1.pgm is not that of map_1.pfm: 2 pixels differ, the first one (2, 0) is invalid, "
          "and the map has a disparity there");
}

TEST(EvalValidity, IsNumberedAsTheMapsAre) {
  const Scratch scratch;
  for (int frame = 0; frame < 2; ++frame) {
    const std::string number = std::to_string(frame);
    write_pfm(scratch.path("map_" + number + ".pfm"), Image<float>(4, 1, 5.0f).view());
    write_pfm(scratch.path("truth_" + number + ".pfm"), Image<float>(4, 1, frame == 0 ? 5.0f : 8.0f).view());
    scratch.write("v_" + number + ".pgm", pgm(4, 1, 255, [=](int x, int) { return frame == 0 && x < 2 ? 255 : 128; }));
  }
  const Result result = scratch.run({"eval", "map_%d.pfm", "truth_%d.pfm", "--validity", "v_%d.pgm", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json scores = Json::parse(result.out)["scores"];
  EXPECT_EQ(scores["all"]["bad"]["1"], 50);
  EXPECT_EQ(scores["measured"]["pixels"], 2);  // the second frame has none, and does not count in the mean
  EXPECT_EQ(scores["measured"]["bad"]["1"], 0);
}

}  // namespace
}  // namespace vergence::cli_test

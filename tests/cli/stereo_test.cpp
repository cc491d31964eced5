// SPDX-License-Identifier: Apache-2.0
// `stereo` on single pairs: every output's values, the report, equal bits whatever the device and the threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/device.hpp"
#include "vergence/io.hpp"
#include "vergence/stereo.hpp"
#include "vergence/version.hpp"

namespace vergence::cli_test {
namespace {

using Words = std::vector<std::string>;

class StereoTest : public testing::Test {
 protected:
  void SetUp() override { make_files(scratch); }

  /// Runs on the good pair, 16 candidates; expects success.
  Result run(const Words& more) const {
    Words arguments{"stereo", "left.pgm", "right.pgm", "--disparities", "16"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result;
  }
  Json report(Words more) const {
    more.emplace_back("--json");
    return Json::parse(run(more).out);
  }
  /// The library's own answer for the pair, in 1/16 px.
  Image<std::int16_t> expected(const StereoOptions& options, StereoOutput output = {}) const {
    const GreyPicture left = read_grey(scratch.path("left.pgm"));
    const GreyPicture right = read_grey(scratch.path("right.pgm"));
    StereoMatcher matcher(Device("reference"), left.size(), options);
    Image<std::int16_t> map(left.size());
    output.disparity = map;
    matcher.compute({left.u8, right.u8}, output);
    return map;
  }
  static StereoOptions options16() {
    StereoOptions options;
    options.disparities = 16;
    return options;
  }

  Scratch scratch;
};

TEST_F(StereoTest, ReportHasExactlyTheseMembers) {
  const Json found = report({"--repeat", "5", "--truth", "truth.pfm", "--mask", "mask.pgm", "-o", "d.pfm"});
  Words keys;
  for (const auto& [key, value] : found.items()) keys.push_back(key);
  EXPECT_EQ(keys, (Words{"version",   "device",      "device_description",
                         "settings",  "size",        "pixels",
                         "rectified", "rows",        "disparities_from",
                         "frames",    "first_frame", "ms",
                         "gde_per_s", "density",     "measured",
                         "filled",    "invalid",     "scores",
                         "hash",      "outputs",     "warnings"}));
  EXPECT_EQ(found["version"], VERGENCE_VERSION);
  EXPECT_EQ(found["device"], "cpu");
  EXPECT_EQ(found["size"], (Json{{"width", 40}, {"height", 20}}));
  EXPECT_EQ(found["frames"], 1);
  const auto median = found["ms"]["median"].get<double>();
  EXPECT_GE(median, found["ms"]["min"].get<double>());
  EXPECT_LE(median, found["ms"]["max"].get<double>());
  EXPECT_NEAR(found["gde_per_s"].get<double>(), 40 * 20 * 16 / (median * 1e6), 1e-2);
  EXPECT_EQ(found["scores"]["all"]["pixels"], 800);
  EXPECT_EQ(found["scores"]["non_occluded"]["pixels"], 600);
  EXPECT_EQ(found["outputs"], (Json{{"disparity", "d.pfm"}}));
  EXPECT_EQ(found["warnings"], Json::array());
}

TEST_F(StereoTest, FindsThePlane) {
  const Json found = report({"--truth", "truth.pfm", "--mask", "mask.pgm"});
  EXPECT_EQ(found["scores"]["non_occluded"]["bad"]["0.5"], 0);
  EXPECT_EQ(found["scores"]["non_occluded"]["density"], 100);
}

TEST_F(StereoTest, ReportForPeopleHasTheScores) {
  const std::string text = run({"--truth", "truth.pfm", "--mask", "mask.pgm", "-o", "d.png"}).out;
  for (const char* part : {"40x20", "disparities 0 .. 15", "cpu", "ms", "wrote      d.png (disparity)",
                           "all (800 pixels", "non-occluded (600 pixels", "hash 0x"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST_F(StereoTest, TheReportSaysWhereTiesAreKept) {
  EXPECT_EQ(run({}).out.find("ties kept"), std::string::npos);
  EXPECT_EQ(report({})["settings"]["reject-ties"], true);
  EXPECT_NE(run({"--preset", "fast"}).out.find("disparities 0 .. 15, ties kept"), std::string::npos);
  EXPECT_EQ(report({"--preset", "fast"})["settings"]["reject-ties"], false);
}

TEST_F(StereoTest, TheReportSaysWhatPathsAndPenaltiesWereUsed) {
  // By default 255 / 25 and 255 / 6 for windows of one pixel, rounded down.
  const Words sgm{"--aggregate", "sgm", "--paths", "4"};
  const std::string plain = run(sgm).out;
  EXPECT_TRUE(holds(plain, "sad window 1x1, 4 paths with penalties 10 and 42, disparities 0 .. 15")) << plain;
  Words more = sgm;
  more.insert(more.end(), {"--p1", "20", "--p2", "90", "--p2-slope", "300"});
  const std::string sloped = run(more).out;
  EXPECT_TRUE(holds(sloped, ", 4 paths with penalties 20 and 90 (p2-slope 300), disparities")) << sloped;
  EXPECT_FALSE(holds(run({}).out, "paths with penalties"));
}

TEST_F(StereoTest, AllFormatsHoldTheLibrarysDisparities) {
  const Image<std::int16_t> truth = expected(options16());
  run({"-o", "d.npy"});
  run({"-o", "d.pfm"});
  run({"-o", "d.png"});
  const RawValues raw = read_values(scratch.path("d.npy"));
  EXPECT_EQ(raw.type, "i16");
  const Image<float> npy = read_disparity(scratch.path("d.npy"));
  const Image<float> pfm = read_disparity(scratch.path("d.pfm"));
  const Image<float> png = read_disparity(scratch.path("d.png"));
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) {
      ASSERT_EQ(raw.values(x, y), truth(x, y));
      const bool valid = truth(x, y) != -16;
      ASSERT_EQ(std::isfinite(pfm(x, y)), valid);
      ASSERT_EQ(npy(x, y), pfm(x, y));
      ASSERT_EQ(std::isfinite(png(x, y)), valid);
      if (!valid) continue;
      ASSERT_EQ(pfm(x, y), static_cast<float>(truth(x, y)) / 16.0f);
      ASSERT_EQ(png(x, y), truth(x, y) == 0 ? 1 / 256.0f : pfm(x, y));
    }
}

TEST_F(StereoTest, FurtherMapsHoldTheLibrarysValues) {
  run({"--gray", "g.pgm", "--cost-map", "c.npy", "--confidence", "q.png", "--validity", "v.png", "--other", "o.npy",
       "--fill", "nearest"});
  StereoOptions options = options16();
  options.fill = StereoFill::nearest;
  Image<std::uint8_t> mask(40, 20);
  Image<std::uint8_t> confidence(40, 20);
  Image<std::uint32_t> cost(40, 20);
  Image<std::int16_t> other(40, 20);
  StereoOutput output;
  output.mask = mask.view();
  output.confidence = confidence.view();
  output.cost = cost.view();
  output.other_disparity = other.view();
  const Image<std::int16_t> map = expected(options, output);
  const RawValues g = read_values(scratch.path("g.pgm"));
  const RawValues c = read_values(scratch.path("c.npy"));
  const RawValues q = read_values(scratch.path("q.png"));
  const RawValues v = read_values(scratch.path("v.png"));
  const RawValues o = read_values(scratch.path("o.npy"));
  bool filled = false;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) {
      ASSERT_EQ(g.values(x, y), map(x, y) * 255 / (16 * 16));
      ASSERT_EQ(c.values(x, y), cost(x, y));
      ASSERT_EQ(q.values(x, y), confidence(x, y));
      ASSERT_EQ(v.values(x, y), mask(x, y) == 1 ? 255 : mask(x, y) == 2 ? 128 : 0);
      ASSERT_EQ(o.values(x, y), other(x, y));
      filled = filled || mask(x, y) == 2;
    }
  EXPECT_TRUE(filled);
}

TEST_F(StereoTest, DepthFollowsFocalAndBaseline) {
  run({"--focal", "100", "--baseline", "0.3", "--depth", "d.pfm", "-o", "m.pfm"});
  run({"--focal", "100", "--baseline", "0.3", "--depth", "d.png", "--cloud", "c.ply"});
  const Image<float> disparity = read_float_map(scratch.path("m.pfm"));
  const Image<float> depth = read_float_map(scratch.path("d.pfm"));
  const RawValues millimetres = read_values(scratch.path("d.png"));
  std::size_t points = 0;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) {
      if (!std::isfinite(disparity(x, y)) || disparity(x, y) <= 0) continue;
      ++points;
      ASSERT_FLOAT_EQ(depth(x, y), 30.0f / disparity(x, y));
      ASSERT_NEAR(millimetres.values(x, y), 1000.0 * depth(x, y), 0.6);
    }
  EXPECT_GT(points, 400u);
  EXPECT_NE(scratch.read("c.ply").find("element vertex " + std::to_string(points) + "\n"), std::string::npos);
}

TEST_F(StereoTest, DepthTakesACalibrationFile) {
  scratch.write("calib.txt",
                "cam0=[100 0 19.5; 0 100 9.5; 0 0 1]\ncam1=[100 0 19.5; 0 100 9.5; 0 0 1]\ndoffs=0\nbaseline=300\n"
                "width=40\nheight=20\nndisp=16\n");
  run({"--focal", "100", "--baseline", "0.3", "--depth", "a.pfm"});
  run({"--calibration", "calib.txt", "--depth", "b.pfm"});
  EXPECT_EQ(scratch.run({"diff", "a.pfm", "b.pfm"}).status, 0);
  scratch.write("wrong.txt",
                "cam0=[100 0 19.5; 0 100 9.5; 0 0 1]\ncam1=[100 0 19.5; 0 100 9.5; 0 0 1]\ndoffs=0\nbaseline=300\n"
                "width=80\nheight=20\nndisp=16\n");
  const Result wrong = scratch.run(
      {"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--depth", "c.pfm", "--calibration", "wrong.txt"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("80x20"), std::string::npos) << wrong.err;
  EXPECT_FALSE(scratch.has("c.pfm"));
}

TEST_F(StereoTest, ColouredMapIsWrittenWithItsLegend) {
  run({"--color", "c.png"});
  const Image<Rgb> picture = read_rgb(scratch.path("c.png"));
  EXPECT_GE(picture.width(), 40);
  EXPECT_GT(picture.height(), 20);
}

TEST_F(StereoTest, HashIsThatOfTheValuesWhateverDeviceThreadsAndTarget) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a of the int32 values
  const Image<std::int16_t> map = expected(options16());
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x)
      for (int byte = 0; byte < 4; ++byte)
        hash = (hash ^ (static_cast<std::uint32_t>(std::int32_t{map(x, y)}) >> (8 * byte) & 255u)) * 0x100000001B3u;
  char text[32];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(hash));
  EXPECT_EQ(report({"--device", "reference"})["hash"], text);
  EXPECT_EQ(report({"--threads", "1"})["hash"], text);
  EXPECT_EQ(report({"--threads", "3", "--repeat", "3"})["hash"], text);
  for (const std::string& target : Device::simd_targets())
    EXPECT_EQ(report({"--simd", target})["hash"], text) << target;
}

TEST_F(StereoTest, WideRangesNeedNoSpecialCare) {
  report({"--min-disparity", "-3000", "--outside", "clamp", "--left-right", "-1", "-o", "d.npy"});
  EXPECT_EQ(read_values(scratch.path("d.npy")).type, "i32");
}

TEST_F(StereoTest, RangesWithoutAnyCandidateAreToldOf) {
  const auto warnings = [this](const Words& more) {
    Words arguments{"stereo", "left.pgm", "right.pgm", "--disparities", "16", "--window", "5", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = scratch.run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    Json found = Json::parse(result.out);
    EXPECT_EQ(found["density"] == 0, found["warnings"].size() == 1) << more[1] << result.err;
    EXPECT_EQ(result.err.empty(), found["warnings"].empty()) << result.err;
    return found["warnings"].empty() ? std::string() : found["warnings"][0].get<std::string>();
  };
  // 40 columns: partners exist up to 39 px away, inside the border of the window up to 35.
  EXPECT_NE(warnings({"--min-disparity", "40"}).find("40 .. 55, and candidates exist for -39 .. 39"),
            std::string::npos);
  EXPECT_NE(warnings({"--min-disparity", "-55"}).find("-39 .. 39"), std::string::npos);
  EXPECT_NE(warnings({"--min-disparity", "36", "--border", "invalid"}).find("-35 .. 35"), std::string::npos);
  EXPECT_NE(warnings({"--min-disparity", "10", "--roi", "0,0,10,20"}).find("-39 .. 9"), std::string::npos);
  EXPECT_NE(warnings({"--min-disparity", "10", "--reference", "right", "--roi", "30,0,10,20"}).find("-39 .. 9"),
            std::string::npos);
  EXPECT_NE(warnings({"--roi", "0,0,2,20", "--border", "invalid"}).find("roi"), std::string::npos);
  // At 39 only pixel 39 has a candidate, at 38 two pixels have one and one has two: the tie rule rejects all.
  const auto strict = [](std::string least) {
    return Words{"--min-disparity", std::move(least), "--left-right", "-1", "--speckle-size", "0"};
  };
  for (const char* least : {"38", "39", "-53", "-54"})
    EXPECT_NE(warnings(strict(least)).find("too few for --reject-ties on"), std::string::npos) << least;
  EXPECT_EQ(warnings(strict("37")), "");
  EXPECT_EQ(warnings(strict("-52")), "");
  const Words off{"--left-right", "-1", "--speckle-size", "0", "--reject-ties", "off"};
  const auto with = [&off](Words more) {
    more.insert(more.end(), off.begin(), off.end());
    return more;
  };
  EXPECT_EQ(warnings(with({"--min-disparity", "39"})), "");
  EXPECT_EQ(warnings(with({"--min-disparity", "-54"})), "");
  EXPECT_EQ(warnings(with({"--min-disparity", "35", "--border", "invalid"})), "");
  EXPECT_EQ(warnings(with({"--min-disparity", "9", "--roi", "0,0,10,20"})), "");
}

TEST_F(StereoTest, JpegAndPngMeetAndColourIsTaken) {
  scratch.write("colour.ppm", "P6\n3 1\n255\nabcdefghi");
  EXPECT_EQ(scratch.run({"stereo", "good.jpg", "good.jpg", "--disparities", "4"}).status, 0);
  EXPECT_EQ(scratch.run({"stereo", "good.png", "left.pgm", "--disparities", "16"}).status, 0);
  EXPECT_EQ(
      scratch.run({"stereo", "colour.ppm", "colour.ppm", "--disparities", "1", "--window", "1", "--speckle-size", "0"})
          .status,
      0);
}

TEST_F(StereoTest, OnePictureHoldsBoth) {
  const auto pair = [](int x, int y) { return x < 40 ? texture(x - 3 + 1000, y) : texture(x - 40 + 1000, y); };
  scratch.write("beside.pgm", pgm(80, 20, 255, pair));
  scratch.write("below.pgm",
                pgm(40, 40, 255, [&](int x, int y) { return y < 20 ? pair(x, y) : pair(x + 40, y - 20); }));
  const auto hash = report({})["hash"].get<std::string>();
  const auto hash_of = [this](const char* file, const char* layout) {
    const Result result = scratch.run({"stereo", file, "--layout", layout, "--disparities", "16", "--json"});
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out)["hash"].get<std::string>();
  };
  EXPECT_EQ(hash_of("beside.pgm", "side-by-side"), hash);
  EXPECT_EQ(hash_of("below.pgm", "top-bottom"), hash);
}

TEST_F(StereoTest, NothingIsPrintedOnStderrAndNothingElseIsLeft) {
  const std::vector<std::string> before = scratch.listing();
  run({"-o", "d.pfm"});
  const std::vector<std::string> after = scratch.listing();
  EXPECT_EQ(after.size(), before.size() + 1);
}

TEST_F(StereoTest, ClosedStandardOutputDoesNotReachTheFiles) {
  RunOptions options;
  options.out_path = "-";
  const Result result =
      scratch.run({"stereo", "left.pgm", "right.pgm", "--disparities", "16", "-o", "d.pgm.npy"}, options);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "vergence: cannot write to standard output: it is closed\n");
  EXPECT_EQ(read_values(scratch.path("d.pgm.npy")).type, "i16");
}

}  // namespace
}  // namespace vergence::cli_test
